#include "conformance/facts/weak.h"

#include <algorithm>

#include "conformance/facts/facts.h"
#include "conformance/facts/operators.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/layout.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// True if a target that wrote `other` would pass.
bool wouldPass(const ReferenceOutput& other, const ReferenceOutput& expected) {
  for (size_t byte = 0; byte < expected.bytes.size(); ++byte) {
    const bool isDefined = expected.status[byte] == ByteStatus::Defined;
    if (expected.status[byte] == ByteStatus::Undefined) continue;
    if (isDefined != (other.status[byte] == ByteStatus::Defined)) return false;
    if (isDefined && expected.bytes[byte] != other.bytes[byte]) return false;
  }
  return true;
}

// In bytes. Evaluating larger tensors again takes too long, and outputs rarely coincide by chance.
constexpr uint64_t kMostEvaluatedAgain = uint64_t{4} << 20;

// True if some tensor's strides matter, but ignoring them gives the same outputs.
bool stridesCouldBeIgnored(const Descriptor& descriptor,
                           std::span<const std::vector<uint8_t>> inputs,
                           std::span<const ReferenceOutput> expected) {
  const auto slots = tensors(descriptor);
  const auto isLarge = [](const TensorSlot& slot) {
    const auto packed = minimumTotalBytes({slot.desc->type, slot.desc->sizes, {}, 0});
    return std::max(slot.desc->totalBytes, packed.value_or(UINT64_MAX)) > kMostEvaluatedAgain;
  };
  if (std::ranges::any_of(slots, isLarge)) return false;
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (liesPacked(*slots[slot].desc)) continue;
    Descriptor ignoring = descriptor;
    TensorDesc& tensor = *mutableTensors(ignoring)[slot];
    tensor.strides.reset();
    std::vector<std::vector<uint8_t>> longer;
    if (defaultTotalBytes(tensor) > tensor.totalBytes) {  // an input then ends in zeros
      tensor.totalBytes = defaultTotalBytes(tensor);
      longer.assign(inputs.begin(), inputs.end());
      longer[slot].resize(tensor.totalBytes);
    }
    const auto others = evaluate(ignoring, longer.empty() ? inputs : longer);
    if (std::ranges::equal(others, expected, wouldPass)) return true;
  }
  return false;
}

}  // namespace

std::string_view weakBecause(const Descriptor& descriptor,
                             std::span<const std::vector<uint8_t>> inputs,
                             std::span<const ReferenceOutput> expected) {
  const auto because = visitEntry(kFactsTable, descriptor, [&](const auto& entry, const auto& op) {
    return entry.weak(op, inputs.front(), expected);
  });
  if (!because.empty()) return because;
  return stridesCouldBeIgnored(descriptor, inputs, expected)
             ? "without the strides of a tensor the outputs would be the same"
             : "";
}

std::string_view weakBecause(const Case& testCase) {
  if (testCase.expect != Expect::Execute || inputProblem(testCase) || unreadFill(testCase)) {
    return "";
  }
  if (numberOf(testCase, "room") > kMostInGroups) return "";
  const auto inputs = makeInputs(testCase);
  return weakBecause(testCase.descriptor, inputs, evaluate(testCase.descriptor, inputs));
}

}  // namespace dmlcts
