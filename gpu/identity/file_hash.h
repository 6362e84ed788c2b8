#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

// SHA-256, as lower-case hexadecimal digits.

namespace dmlcts::gpu {

class Sha256 {
 public:
  // Throws std::runtime_error when the system's cryptography is not available; so do the others.
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::span<const uint8_t> bytes);
  // 64 digits. Ends the computation.
  std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of the file's bytes. Throws std::runtime_error, naming the file, when it cannot be read.
std::string sha256OfFile(const std::filesystem::path& file);

}  // namespace dmlcts::gpu
