#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <vector>

namespace dmlcts {

// Suffix of a file or folder while it is written beside the one it will replace:
// "report.json.partial". A kill leaves it there.
inline constexpr char kPartial[] = ".partial";

struct NewFile {
  std::filesystem::path path;
  std::function<void(std::ostream&)> write;
};

// Writes new files beside the old ones, flushes them to the disk, and renames them once all are
// written. Throws std::system_error, naming the file; unless a rename failed, all old files are
// unchanged.
void replaceFiles(const std::vector<NewFile>& files);

}  // namespace dmlcts
