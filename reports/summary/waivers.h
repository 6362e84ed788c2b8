#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/journal/journal.h"

namespace dmlcts {

// A reason for which an expectation file waives failures.
struct Waiver {
  std::string reason;
  uint64_t cases = 0;
};

// Of the waived cases, by number of cases, most first. The reason is the part of the message before
// the verdict.
std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases);

}  // namespace dmlcts
