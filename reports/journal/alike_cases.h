#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "reports/journal/journal.h"

namespace dmlcts {

// Keeps a journal of any number of cases in bounded memory: of those beyond the first `whole`, one
// stands for all that are alike in whatever reports count.
class AlikeCases {
 public:
  explicit AlikeCases(size_t whole = 5'000) : whole_(whole) {}

  // Adds the entry to the journal, or counts it with one that stands there. `again`: it is about a
  // case that has an entry already, which alone is counted.
  void add(Journal& journal, JournalEntry entry, bool again);

 private:
  size_t whole_;
  // Indices of entries: by keyOf(), and of those with JournalEntry::othersRules.
  std::unordered_map<std::string, size_t> standsFor_;
  std::unordered_map<std::string, size_t> hasRules_;
};

}  // namespace dmlcts
