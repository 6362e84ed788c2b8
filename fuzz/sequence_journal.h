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

// What a run of `dmlcts fuzz --sequences` has done, in a file of lines that a kill leaves whole:
// who was asked, how many programs were, with which verdicts, and each finding. Programs of the
// last second may be missing: the run that goes on sends them again.
class SequenceJournal {
 public:
  // What must be the same for a run to go on, by name: the seed, who answers.
  using Facts = std::map<std::string, std::string>;
  struct Found {
    std::string name;  // of the bundle
    std::string kind;  // failureKind()
  };

  // Opens the journal of a folder; with `resume` reads what is there, and otherwise begins anew.
  // Nothing of a run that is there changes before it. Throws UsageError where another process has
  // it or it is of another run, InputError where it is damaged, std::system_error.
  SequenceJournal(const std::filesystem::path& folder, const Facts& facts, bool resume);

  // Of earlier sessions.
  uint64_t programs() const { return programs_; }
  const Totals& totals() const { return totals_; }
  const std::vector<Found>& found() const { return found_; }

  // All so far; at most once a second, unless `now`.
  void count(uint64_t programs, const Totals& totals, bool now);
  void find(const Found& found);

 private:
  // Whether there is a run to go on with.
  bool read(const std::filesystem::path& path, const Facts& facts);

  AppendFile file_;
  std::chrono::steady_clock::time_point counted_;
  uint64_t programs_ = 0;
  Totals totals_;
  std::vector<Found> found_;
};

}  // namespace dmlcts
