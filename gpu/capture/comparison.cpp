#include "gpu/capture/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cases/case_string.h"
#include "conformance/cases/element_text.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/evaluate.h"
#include "reference/tensor.h"

namespace dmlcts::gpu {
namespace {

constexpr uint64_t kMostValues = 8192;   // of a tensor
constexpr size_t kLongestLine = 60'000;  // a file of cases has lines of 65,536 bytes

// Calls `visit` with each element's coordinate and offset in bytes, until it returns false.
template <class Visit>
void visitElements(const TensorDesc& tensor, const Visit& visit) {
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  do {
    if (!visit(walk.coordinate(), walk.offset() * info(tensor.type).bytes)) return;
  } while (walk.next());
}

std::vector<uint64_t> valuesOf(const TensorDesc& tensor, std::span<const uint8_t> bytes) {
  std::vector<uint64_t> values;
  visitElements(tensor, [&](auto, uint64_t offset) {
    values.push_back(loadBits(bytes, offset, info(tensor.type).bytes));
    return values.size() <= kMostValues;
  });
  return values;
}

}  // namespace

std::string caseWithValues(const RecordedOperator& op,
                           std::span<const std::vector<uint8_t>> inputs) {
  Case testCase = op.testCase;
  const auto slots = tensors(op.testCase.descriptor);
  const auto indices = indicesSlot(testCase.descriptor);
  testCase.fill = {FillKind::Values, 0, valuesOf(*slots[0].desc, inputs[0])};
  if (indices)
    testCase.index = {IndexKind::Values, valuesOf(*slots[*indices].desc, inputs[*indices])};
  const bool few =
      testCase.fill.values.size() <= kMostValues && testCase.index.values.size() <= kMostValues;
  const std::string text = few ? caseString(testCase) : "";
  return few && text.size() <= kLongestLine ? text : caseString(op.testCase);
}

std::string firstDifference(const Descriptor& descriptor,
                            std::span<const std::vector<uint8_t>> inputs,
                            std::span<const std::vector<uint8_t>> outputs) {
  const auto expected = evaluate(descriptor, inputs);
  std::string difference;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (!slot.isOutput || !difference.empty()) continue;
    const ReferenceOutput& right = expected[output];
    const std::vector<uint8_t>& actual = outputs[output++];
    const DataType type = slot.desc->type;
    visitElements(*slot.desc, [&](auto coordinate, uint64_t offset) {
      const uint64_t wanted = loadBits(right.bytes, offset, info(type).bytes);
      const uint64_t found = loadBits(actual, offset, info(type).bytes);
      if (right.status[offset] != ByteStatus::Defined || wanted == found) return true;
      difference = fmt::format("{}[{}] is ", slot.name, fmt::join(coordinate, ","));
      appendElement(difference, type, found);
      difference += ", expected ";
      appendElement(difference, type, wanted);
      return false;
    });
  }
  return difference;
}

}  // namespace dmlcts::gpu
