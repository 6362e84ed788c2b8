#pragma once

#include <set>
#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// Which of the devices in the journals have a level gate, that is, reject what a level lacks
// although they can do it. One that rejected any such descriptor, in any shard, has a gate, and
// each that it accepted is a failure. One that accepted all of them is not asked for the
// rejections.
class LevelGates {
 public:
  explicit LevelGates(std::span<const Journal> journals);

  // Whether the entry, which stands under that header, got through a gate.
  bool letThrough(const JournalHeader& header, const JournalEntry& entry) const;

 private:
  std::set<std::string> gated_;  // identities
};

// The entry with the verdict that it has then.
JournalEntry asLetThrough(JournalEntry entry);

}  // namespace dmlcts
