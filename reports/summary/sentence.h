#pragma once

#include <string>

namespace dmlcts {

struct Report;

// The report in one sentence that can be quoted alone: what was tested, on which device, with which
// driver, and what came of it. It names the levels that conform, by judgeLevels(), or else says
// that the implementation does not conform, or that nothing is shown. Strings of a target are cut,
// not escaped. Without a full stop.
//
// "DirectML 1.15.4 on NVIDIA H200, driver 31.0.13.4052, Wine 10.0: does not conform at
// nonzero_coordinates 4.0: 1 of 91,900 cases fails; specification edition 2026-11"
std::string sentenceOf(const Report& report);

}  // namespace dmlcts
