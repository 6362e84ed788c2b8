#include "fuzz/simpler_shapes.h"

#include "fuzz/operators.h"

namespace dmlcts {

std::vector<Case> simplerShapes(const Case& testCase) {
  std::vector<Case> all;
  if (testCase.expect == Expect::Reject) return all;
  for (Descriptor& descriptor :
       visitEntry(kFuzz, testCase.descriptor,
                  [](const auto&entry, const auto&op) { return entry.plainer(op); })) {
    all.push_back(testCase);
    all.back().descriptor = std::move(descriptor);
  }
  return all;
}

}  // namespace dmlcts
