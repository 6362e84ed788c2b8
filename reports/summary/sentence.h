#pragma once

#include <string>

namespace dmlcts {

struct JournalHeader;
struct Report;

// Sums up the report in one quotable sentence: the target, device, driver and result. It names the
// levels that conform, by judgeLevels(); otherwise it says that the implementation does not
// conform, or that nothing is shown. Strings from a target are cut, not escaped. No full stop.
//
// "DirectML 1.15.4 on NVIDIA H200, driver 31.0.13.4052, Wine 10.0: does not conform at
// nonzero_coordinates 4.0: 1 of 91,900 cases fails; rules of 2026-11"
std::string sentenceOf(const Report& report);

// "avoids a fault of its driver: …", or "" if the target reported none.
std::string avoidedFaultOf(const JournalHeader& run);

}  // namespace dmlcts
