// Outputs whose dimensions do not nest: rows interleave, as in a 2 x 3 tensor with strides 3, 2. In
// half of them elements share an address, which must be rejected. Telling the halves apart takes
// more than comparing each stride with the extent of smaller ones.

#include <algorithm>
#include <numeric>

#include "conformance/facts/operators.h"
#include "conformance/families/families.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/generate.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kOfEach = 60;  // overlapping, and as many not overlapping, per operator
constexpr uint32_t kMostStride = 24;

// True if some dimension's stride is within the span of those with smaller strides.
bool interleaves(const Sizes& sizes, const Sizes& strides) {
  std::vector<size_t> axes(sizes.size());
  std::iota(axes.begin(), axes.end(), size_t{0});
  std::ranges::sort(axes, {}, [&](size_t axis) { return strides[axis]; });
  uint64_t reach = 0;
  for (size_t axis : axes) {
    if (sizes[axis] == 1) continue;
    if (reach > 0 && strides[axis] <= reach) return true;
    reach += uint64_t{strides[axis]} * (sizes[axis] - 1);
  }
  return false;
}

void addOf(CaseList& list, uint8_t op) {
  const OperatorFacts& facts = operatorFacts()[op];
  Draws draws(list.seed(op));
  uint64_t meeting = 0;
  uint64_t apart = 0;
  while (meeting < kOfEach || apart < kOfEach) {
    const Level level = draws.of(kLevels);
    if (facts.dataTypes(level).empty()) continue;
    Wanted wanted = anythingAt(level, 96);
    at(wanted.labels, Parameter::Operator) = op;
    for (Parameter layout :
         {Parameter::InputLayout, Parameter::IndicesLayout, Parameter::OutputLayout}) {
      at(wanted.labels, layout) = NoStrides;
    }
    Descriptor descriptor = generate(draws, wanted);
    TensorDesc& output = *mutableTensors(descriptor)[facts.outputSlot];
    Sizes strides(output.sizes.size());
    for (uint32_t& stride : strides) stride = draws.between(1, kMostStride);
    if (!interleaves(output.sizes, strides)) continue;
    setStrides(output, strides);
    const bool meets = elementsOverlap(output).value();
    uint64_t& count = meets ? meeting : apart;
    if (count == kOfEach) continue;
    if (meets) {
      list.reject(level, descriptor, "tensor.output-no-overlap");
    } else {
      const FillKind values = facts.indicesSlot ? FillKind::Unique : FillKind::Mixed;
      const IndexKind indices = facts.indicesSlot ? IndexKind::Random : IndexKind{};
      list.execute(level, descriptor, fill(values), index(indices), uint64_t{1000} * op + count);
    }
    ++count;
  }
}

}  // namespace

void addInterleavings(CaseList& list) {
  for (const OperatorFacts* facts : list.operators()) {
    addOf(list, static_cast<uint8_t>(facts - operatorFacts().data()));
  }
}

}  // namespace dmlcts
