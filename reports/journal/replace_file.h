#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <vector>

namespace dmlcts {

// What is being written beside a file or folder that it is to replace, and what a kill leaves of
// it: "report.json.partial".
inline constexpr char kPartial[] = ".partial";

struct NewFile {
  std::filesystem::path path;
  std::function<void(std::ostream&)> write;
};

// Writes files beside those that they replace, brings them to the disk, and renames them once all
// are written. Throws std::system_error, naming the file, and leaves the old ones as they were.
void replaceFiles(const std::vector<NewFile>& files);

}  // namespace dmlcts
