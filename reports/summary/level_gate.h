#pragma once

#include <set>
#include <span>
#include <string>

#include "reports/journal/journal.h"

namespace dmlcts {

// Which of the devices that journals tell of have a level gate: reject what a level lacks although
// they can do it. One that accepted every such descriptor is not asked for the rejections, wherever
// they were in shards. One that rejected any has a gate, and each that it accepted is a failure.
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
