#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/journal/append_file.h"

// The folder of `dmlcts nightly`: a folder for each night, and `database`, which outlives them.

namespace dmlcts {

struct Night {
  std::filesystem::path folder;
  std::string startedAt;  // see timestamp()
  uint32_t share = 0;     // the host's
  uint64_t seed = 0;
  std::string options;  // of its parts: target, tier, expectations

  std::string name() const { return folder.filename().string(); }
  bool operator<(const Night& other) const {
    return std::pair(startedAt, name()) < std::pair(other.startedAt, other.name());
  }
};

// Marks a folder as a night. Folders without this file are never compared or deleted.
inline constexpr char kNightFile[] = "night.json";

// Reads the night of a folder; nothing if it holds none.
std::optional<Night> readNight(const std::filesystem::path& folder);

void writeNight(const Folder& folder, const Night& night);

// Returns the earlier nights of the same share, newest first.
std::vector<Night> nightsBefore(const Night& night);

// True if the run of the night is whole: every planned case has a verdict, and not all were
// skipped.
bool hasWholeRun(const Night& night);

// Deletes earlier nights but the newest `kept`, `last`, and any that a process is at work on.
// Returns how many it deleted.
size_t deleteOld(const std::vector<Night>& earlier, size_t kept, const std::optional<Night>& last);

// Prints what a night's parts say, and keeps it in the night's log.txt, by whole lines. One process
// at a time has it.
class NightLog {
 public:
  // Throws InputError where another process has it.
  explicit NightLog(const Folder& folder);

  void add(std::string_view lines);

 private:
  AppendFile file_;
};

}  // namespace dmlcts
