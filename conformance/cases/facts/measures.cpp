#include "conformance/cases/facts/measures.h"

#include <algorithm>
#include <array>
#include <limits>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/operators/operators.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

uint64_t elementsIn(const TensorDesc& tensor) {
  uint64_t elements = 1;
  for (uint32_t size : tensor.sizes) {
    if (size != 0 && elements > std::numeric_limits<uint64_t>::max() / size) {
      return std::numeric_limits<uint64_t>::max();
    }
    elements *= size;
  }
  return elements;
}

uint64_t elementsOf(const Case& testCase) {
  return elementsIn(*tensors(testCase.descriptor).front().desc);
}

uint64_t outputsOf(const Case& testCase) {
  return elementsIn(*tensors(testCase.descriptor)[factsOf(testCase.descriptor).outputSlot].desc);
}

template <uint64_t Selection::* member>
uint64_t selectionOf(const Case& testCase) {
  return visitEntry(kCaseTable, testCase.descriptor, [](const auto& entry, const auto& op) {
    return entry.selection ? entry.selection(op).*member : 0;
  });
}

uint64_t denormalsOf(const Case& testCase) {
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  if (testCase.expect != Expect::Execute || !info(input.type).isFloat || inputProblem(testCase)) {
    return 0;
  }
  const FloatFormat format = floatFormat(input.type);
  uint64_t denormals = 0;
  visitInputElements(testCase, 0, [&](std::span<const uint64_t> bits) {
    for (uint64_t each : bits) denormals += format.isDenormal(each) ? 1 : 0;
    return true;
  });
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

constexpr std::array kMeasures{
    Measure{"elements", elementsOf, "elements of the input tensor"},
    Measure{"denormals", denormalsOf, "denormals in the input; 0 for integers and rejected cases"},
    Measure{"room", roomOf, "elements that fit into the largest tensor's total size"},
    Measure{"outputs", outputsOf, "elements of the output whose size follows from the input"},
    Measure{"tuple", selectionOf<&Selection::tuple>,
            "coordinates per index tuple; 0 if the operator gathers nothing"},
    Measure{"batches", selectionOf<&Selection::batches>, "number of batches"},
    Measure{"slice", selectionOf<&Selection::slice>, "elements that one tuple selects"}};

}  // namespace

std::span<const Measure> measures() { return kMeasures; }

std::optional<Measure> findMeasure(std::string_view key) {
  const auto found = std::ranges::find(kMeasures, key, &Measure::key);
  return found == kMeasures.end() ? std::nullopt : std::optional(*found);
}

}  // namespace dmlcts
