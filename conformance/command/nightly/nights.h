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

// The end of a night's part, or of several of one kind.
struct NightPart {
  std::string what;
  std::optional<int> status;  // none if there was no such part
  std::string how;            // a signal, the number of parts, or why there was none

  std::string text() const;  // "fuzz 3 (2 parts, part 1: signal 9)"
};

struct Night {
  std::filesystem::path folder;
  std::string startedAt;  // see timestamp()
  uint32_t share = 0;     // the host's
  uint64_t seed = 0;
  std::string options;           // of its parts: target, tier, expectations
  std::vector<NightPart> parts;  // those that ended

  int status() const;        // the worst of its parts
  std::string text() const;  // "status 1: run 1, fuzz 0 (3 parts), …"

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

// Writes the page of the night and the earlier nights of its share, their runs side by side, into
// the folder of all nights: index.html, or index-007.html of share 7. Nights without a readable run
// are left out.
void writeIndex(const Night& night);

// True for the names of these pages.
bool isIndexName(std::string_view name);

// Returns the earlier nights of the same share, newest first.
std::vector<Night> nightsBefore(const Night& night);

// True if the run of the night is whole: every planned case has a verdict, and not all were
// skipped.
bool hasWholeRun(const Night& night);

// Deletes earlier nights but the newest `kept`, `last`, and any that a process is at work on.
// Returns a line for the deleted ones, if any, and a warning for each that cannot be deleted: it
// stays a night, of which any part may be gone.
std::vector<std::string> deleteOld(const std::vector<Night>& earlier, size_t kept,
                                   const std::optional<Night>& last);

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
