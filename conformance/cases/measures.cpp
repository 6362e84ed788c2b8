#include "conformance/cases/measures.h"

#include <algorithm>
#include <array>
#include <limits>

#include "conformance/cases/element_text.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/value_fill.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

uint64_t elementsOf(const Case& testCase) {
  uint64_t elements = 1;
  for (uint32_t size : tensors(testCase.descriptor).front().desc->sizes) {
    if (size != 0 && elements > std::numeric_limits<uint64_t>::max() / size) {
      return std::numeric_limits<uint64_t>::max();
    }
    elements *= size;
  }
  return elements;
}

uint64_t denormalsOf(const Case& testCase) {
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  if (testCase.expect != Expect::Execute || !info(input.type).isFloat || inputProblem(testCase)) {
    return 0;
  }
  const FloatFormat format = floatFormat(input.type);
  uint64_t denormals = 0;
  if (!input.strides) {
    const uint64_t count = elementCount(input.sizes).value();
    const ValueFill values(testCase.fill, input.type, count, testCase.seed);
    for (uint64_t i = 0; i < count; ++i) {
      denormals += format.isDenormal(values.bits(i)) ? 1 : 0;
    }
    return denormals;
  }
  // Elements may share an address: the bytes tell which of them is there.
  const auto bytes = makeInputs(testCase).front();
  const auto strides = elementStrides(input).value();
  const uint32_t width = info(input.type).bytes;
  ElementWalk walk(input.sizes, strides);
  do {
    denormals += format.isDenormal(loadBits(bytes, walk.offset() * width, width)) ? 1 : 0;
  } while (walk.next());
  return denormals;
}

uint64_t roomOf(const Case& testCase) {
  uint64_t most = 0;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    const uint32_t width = info(slot.desc->type).bytes;
    if (width != 0) most = std::max(most, slot.desc->totalBytes / width);
  }
  return most;
}

constexpr std::array kMeasures{Measure{"elements", elementsOf}, Measure{"denormals", denormalsOf},
                               Measure{"room", roomOf}};

}  // namespace

std::optional<Measure> findMeasure(std::string_view key) {
  const auto found = std::ranges::find(kMeasures, key, &Measure::key);
  return found == kMeasures.end() ? std::nullopt : std::optional(*found);
}

}  // namespace dmlcts
