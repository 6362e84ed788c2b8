#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/journal/journal.h"

namespace dmlcts {

// A reason why an expectation file waives failures.
struct Waiver {
  std::string reason;
  uint64_t cases = 0;
};

// Groups the waived cases by reason, the part of the message before the verdict; most cases first.
std::vector<Waiver> findWaivers(const std::vector<JournalEntry>& cases);

}  // namespace dmlcts
