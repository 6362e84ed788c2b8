#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/journal/append_file.h"
#include "reports/summary/summary.h"

namespace dmlcts {

inline constexpr std::string_view kSequenceJournal = "sequences.jsonl";

// The journal of `dmlcts fuzz --sequences`, in lines that survive a kill: target, number of
// programs, verdicts, and findings. Programs of the last second may be missing; a resumed run sends
// them again.
class SequenceJournal {
 public:
  // Facts that must not change when a run is resumed, by name: seed, target.
  using Facts = std::map<std::string, std::string>;
  struct Found {
    std::string name;  // of the bundle
    std::string kind;  // failureKind()
  };

  // Opens a folder's journal. Reads it if `resume`, else replaces it with an empty one. Throws
  // UsageError if another process uses it or it is of another run, InputError if it is damaged,
  // std::system_error.
  SequenceJournal(const Folder& folder, const Facts& facts, bool resume);

  // Results of earlier sessions.
  uint64_t programs() const { return programs_; }
  const Totals& totals() const { return totals_; }
  const std::vector<Found>& found() const { return found_; }

  // Writes the totals so far; at most once a second, unless `now`.
  void count(uint64_t programs, const Totals& totals, bool now);
  void find(const Found& found);

 private:
  // True if there is a run to resume.
  bool read(const std::filesystem::path& path, const Facts& facts);

  AppendFile file_;
  std::chrono::steady_clock::time_point counted_;
  uint64_t programs_ = 0;
  Totals totals_;
  std::vector<Found> found_;
};

}  // namespace dmlcts
