#include "gpu/capture/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "conformance/language/case_string.h"
#include "conformance/language/element_text.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "reference/evaluate.h"
#include "reference/tensor.h"

namespace dmlcts::gpu {
namespace {

// Calls `visit` with each element's coordinate and offset in bytes, until it returns false.
template <class Visit>
void visitElements(const TensorDesc& tensor, const Visit& visit) {
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  do {
    if (!visit(walk.coordinate(), walk.offset() * info(tensor.type).bytes)) return;
  } while (walk.next());
}

}  // namespace

std::string caseWithValues(const RecordedOperator& op, std::span<const std::vector<uint8_t>> inputs,
                           const StoreFile& store) {
  Case testCase = op.testCase;
  const auto slots = tensors(op.testCase.descriptor);
  const auto storedFill = [&](size_t slot) {
    const TensorDesc& tensor = *slots[slot].desc;
    const std::vector<uint8_t> elements = packedElements(tensor, inputs[slot]);
    const std::string hash = npyHash(tensor.type, tensor.sizes, elements);
    std::ostringstream file;
    writeNpy(file, tensor.type, tensor.sizes, elements);
    store(hash + ".npy", file.view());
    return NpyFill{hash + ".npy", hash, nullptr};
  };
  testCase.fill = {FillKind::Npy, 0, {}, storedFill(0)};
  if (const auto indices = indicesSlot(testCase.descriptor)) {
    testCase.index = {IndexKind::Npy, {}, storedFill(*indices)};
  }
  return caseString(testCase);
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
