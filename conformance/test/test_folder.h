#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

// A test's own folder, deleted with its contents.

namespace dmlcts {

inline std::string readText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TestFolder {
 public:
  TestFolder() {
    static std::atomic<unsigned> count{0};
    do {  // until the name is free
      path_ = std::filesystem::path(::testing::TempDir()) / ("dmlcts-" + std::to_string(count++));
    } while (!std::filesystem::create_directory(path_));
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // Writes a file, replacing an existing one, and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace dmlcts
