#pragma once

#include <string>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// Variants of a case in which one part changes and the expectation stays.
struct Variants {
  std::string part;  // "level", "input type", "layout of indices", …
  std::vector<Case> cases;
};

// Returns the variants for each part that can be changed alone.
std::vector<Variants> variantsOf(const Case& testCase);

}  // namespace dmlcts
