#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "reports/journal/journal.h"

namespace dmlcts {

// Keeps a journal of any number of cases in bounded memory: beyond the first `whole`, one entry
// stands for all cases that reports count alike.
class AlikeCases {
 public:
  explicit AlikeCases(size_t whole = 5'000) : whole_(whole) {}

  // Adds the entry to the journal, or counts it with one that stands there.
  void add(Journal& journal, JournalEntry entry);

 private:
  size_t whole_;
  // Indices of entries, by keyOf() and, for entries with JournalEntry::othersRules, by groupOf().
  std::unordered_map<std::string, size_t> standsFor_;
  std::unordered_map<std::string, size_t> hasRules_;
};

}  // namespace dmlcts
