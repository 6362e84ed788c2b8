#include "conformance/facts/rules_of.h"

#include <algorithm>
#include <unordered_map>

#include "conformance/facts/operators.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr size_t kMostDistinct = 1 << 20;

uint64_t countOf(const TensorDesc& tensor) { return elementCount(tensor.sizes).value_or(0); }

bool isStrided(const TensorDesc& tensor) {
  if (!tensor.strides) return false;
  TensorDesc packed = tensor;
  packed.strides.reset();
  const auto strides = elementStrides(tensor);
  const auto packedStrides = elementStrides(packed);
  if (!strides || !packedStrides) return true;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] > 1 && (*strides)[axis] != (*packedStrides)[axis]) return true;
  }
  return false;
}

bool broadcasts(const TensorDesc& tensor) {
  if (!tensor.strides) return false;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] > 1 && (*tensor.strides)[axis] == 0) return true;
  }
  return false;
}

// True if elements overlap other than by strides of 0.
bool hasWindows(const TensorDesc& tensor) {
  if (!tensor.strides || tensor.strides->size() != tensor.sizes.size()) return false;
  TensorDesc rest = tensor;
  for (size_t axis = 0; axis < rest.sizes.size(); ++axis) {
    if ((*rest.strides)[axis] == 0) rest.sizes[axis] = 1;
  }
  return elementsOverlap(rest).value_or(true);
}

bool hasGapsOrTail(const TensorDesc& tensor) {
  return tensor.totalBytes > countOf(tensor) * info(tensor.type).bytes;
}

bool hasExcess(const TensorDesc& tensor) {
  return tensor.totalBytes > minimumTotalBytes(tensor).value_or(tensor.totalBytes);
}

void addTensorRules(const Case& testCase, std::vector<std::string_view>& rules) {
  const auto slots = tensors(testCase.descriptor);
  const auto any = [&slots](const auto& holds) { return std::ranges::any_of(slots, holds); };
  if (any([](const TensorSlot& slot) { return isStrided(*slot.desc); })) {
    rules.push_back("tensor.strides");
  }
  if (any([](const TensorSlot& slot) { return !slot.isOutput && broadcasts(*slot.desc); })) {
    rules.push_back("tensor.input-overlap");
  }
  if (any([](const TensorSlot& slot) { return !slot.isOutput && hasWindows(*slot.desc); })) {
    rules.push_back("tensor.input-windows");
  }
  if (any([](const TensorSlot& slot) {
        return slot.desc->baseOffsetAlignment > 0 &&
               slot.desc->baseOffsetAlignment < kMinimumBufferTensorAlignment;
      })) {
    rules.push_back("tensor.base-offset-alignment-below-16");
  }
  if (any([](const TensorSlot& slot) {
        return elementCount(slot.desc->sizes).value_or(UINT64_MAX) > UINT32_MAX;
      })) {
    rules.push_back("tensor.elements-past-32-bits");
  }
  if (any([](const TensorSlot& slot) { return slot.desc->totalBytes % 4 != 0; })) {
    rules.push_back("tensor.total-bytes-aligned");
  }
  if (any([](const TensorSlot& slot) { return slot.isOutput && hasGapsOrTail(*slot.desc); })) {
    rules.push_back("tensor.untouched");
  }
  if (any([](const TensorSlot& slot) { return hasExcess(*slot.desc); })) {
    rules.push_back("tensor.total-bytes-excess");
  }
}

// Replaces a file by its values, each at most twice: rules depend on nothing else of them.
void writeOut(auto& fill, auto values, const TensorDesc& tensor) {
  const NpyFill npy = std::move(fill.npy);
  fill = {};
  fill.kind = values;
  std::unordered_map<uint64_t, int> seen;
  for (uint64_t i = 0; i < countOf(tensor) && seen.size() < kMostDistinct; ++i) {
    const uint64_t bits = npyElement(npy, tensor.type, i);
    if (++seen[bits] <= 2) fill.values.push_back(bits);
  }
}

Case writtenOut(Case testCase) {
  const auto slots = tensors(testCase.descriptor);
  if (testCase.fill.kind == FillKind::Npy) {
    writeOut(testCase.fill, FillKind::Values, *slots[0].desc);
  }
  if (testCase.index.kind == IndexKind::Npy) {
    writeOut(testCase.index, IndexKind::Values, *slots[*indicesSlot(testCase.descriptor)].desc);
  }
  return testCase;
}

}  // namespace

std::vector<std::string_view> rulesOf(const Case& testCase) {
  const bool hasFiles =
      testCase.fill.kind == FillKind::Npy || testCase.index.kind == IndexKind::Npy;
  if (hasFiles && !unreadFill(testCase)) return rulesOf(writtenOut(testCase));
  std::vector<std::string_view> rules;
  if (testCase.expect == Expect::Reject) {
    const Rule* rule = findRule(testCase.rejectBy);
    if (rule) rules.push_back(rule->id);
    return rules;
  }
  addTensorRules(testCase, rules);
  if (testCase.expect == Expect::Accept) {
    std::erase_if(
        rules, [](std::string_view id) { return findRule(id)->checked != Checked::ByAccepting; });
    return rules;
  }
  visitEntry(kFactsTable, testCase.descriptor,
             [&](const auto& entry, const auto& op) { entry.addRules(op, testCase, rules); });
  return rules;
}

}  // namespace dmlcts
