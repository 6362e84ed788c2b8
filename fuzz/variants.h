#pragma once

#include <string>
#include <vector>

#include "conformance/cases/case.h"

namespace dmlcts {

// The case with one part changed, in all the ways that ask the same of a target.
struct Variants {
  std::string part;  // "level", "input type", "layout of indices", …
  std::vector<Case> cases;
};

// For each part that can be changed alone.
std::vector<Variants> variantsOf(const Case& testCase);

}  // namespace dmlcts
