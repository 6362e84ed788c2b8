#include "conformance/cases/weak.h"

#include "conformance/cases/inputs.h"
#include "conformance/cases/labels.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/operators.h"

namespace dmlcts {

std::string_view weakBecause(const Descriptor& descriptor, std::span<const uint8_t> input,
                             std::span<const ReferenceOutput> expected) {
  return visitEntry(kCaseTable, descriptor, [&](const auto& entry, const auto& op) {
    return entry.weak(op, input, expected);
  });
}

std::string_view weakBecause(const Case& testCase) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase)) return "";
  if (findMeasure("room")->of(testCase) > kMostInGroups) return "";
  const auto inputs = makeInputs(testCase);
  return weakBecause(testCase.descriptor, inputs.front(), evaluate(testCase.descriptor, inputs));
}

}  // namespace dmlcts
