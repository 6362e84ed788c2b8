#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace dmlcts {

// Suffix of a file or folder while it is written beside the one it will replace:
// "report.json.partial". A kill leaves it there.
inline constexpr char kPartial[] = ".partial";

struct NewFile {
  std::filesystem::path path;
  std::function<void(std::ostream&)> write;
};

inline NewFile textFile(std::filesystem::path path, std::string text) {
  return {std::move(path), [text = std::move(text)](std::ostream& out) { out << text; }};
}

// Writes files beside those that they replace, brings them to the disk, and renames them once all
// are written. Throws std::system_error, naming the file, and leaves the old ones as they were.
void replaceFiles(const std::vector<NewFile>& files);

// Writes a folder of files, whose paths are relative to it, beside the one that it replaces, and
// renames it once all of it is on the disk. Creates its parents. Throws std::system_error.
void replaceFolder(const std::filesystem::path& folder, const std::vector<NewFile>& files);

// Removes a folder, which a kill leaves whole or under a name that ends in kPartial.
void removeFolder(const std::filesystem::path& folder);

// Makes a file, or what a folder lists, survive a loss of power. A file system that cannot promise
// it is not an error.
void bringToDisk(const std::filesystem::path& path);

}  // namespace dmlcts
