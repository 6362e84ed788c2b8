#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "reports/journal/journal.h"
#include "reports/summary/coverage.h"

namespace dmlcts {

// Cases that reports list one by one; the default tier has fewer.
inline constexpr size_t kMostWhole = 100'000;

// Keeps the journals of a report in bounded memory. Beyond the first `whole` passing cases and as
// many others, one entry stands for all cases of a journal that reports count alike. Keeps each
// InternalError, which a later verdict may replace, and each case that adds coverage.
class AlikeCases {
 public:
  explicit AlikeCases(size_t whole = kMostWhole) : whole_(whole) {}

  // Adds the line to the journal, or counts a verdict with one that is there. Throws InputError if
  // it counts some and a case has several verdicts, as only random cases may.
  void add(Journal& journal, JournalLine&& line);

  // True if what is kept has outgrown any journal of a run: too many outcomes, or too much text.
  bool full() const;

 private:
  bool mustKeep(const Journal& journal, const JournalEntry& entry);

  size_t whole_;
  size_t passing_ = 0, others_ = 0;           // kept entries
  size_t text_ = 0;                           // bytes of their texts
  uint64_t counted_ = 0;                      // cases without an entry
  std::unordered_set<uint64_t> judged_;       // hashes of case strings, but for random cases
  std::unordered_set<std::string> unjudged_;  // case strings with an InternalError
  std::string repeated_;                      // a case string with several verdicts, or ""
  CoveringLabels covering_;
  // Indices of entries, by keyOf() and, for entries with JournalEntry::othersRules, by groupOf().
  size_t indexed_ = 0;
  std::unordered_map<std::string, size_t> standsFor_;
  std::unordered_map<std::string, size_t> hasRules_;
};

// Reads a journal of any length. Throws InputError, also if `alike` is full.
Journal readJournal(const std::filesystem::path& path, AlikeCases& alike);

}  // namespace dmlcts
