#include "conformance/cases/test/any_case.h"

#include "conformance/cases/choices.h"
#include "conformance/cases/element_text.h"
#include "conformance/cases/layout.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

uint32_t anySize(Draws& draws) {
  switch (draws.below(8)) {
    case 0:
      return 0;
    case 1:
      return static_cast<uint32_t>(draws.bits());
    default:
      return static_cast<uint32_t>(1 + draws.below(9));
  }
}

std::vector<uint32_t> anyStrides(Draws& draws, const std::vector<uint32_t>& sizes) {
  Layout layout{static_cast<LayoutKind>(draws.below(5)), {}};
  const auto rank = static_cast<uint32_t>(sizes.size());
  if (layout.kind == LayoutKind::Perm) {
    for (uint32_t axis = 0; axis < rank; ++axis) {
      const auto at = static_cast<ptrdiff_t>(draws.below(axis + 1));
      layout.arguments.insert(layout.arguments.begin() + at, axis);
    }
  } else if (layout.kind == LayoutKind::Broadcast) {
    if (rank > 0) layout.arguments = {static_cast<uint32_t>(draws.below(rank))};
  } else if (layout.kind != LayoutKind::Packed) {
    layout.arguments = {static_cast<uint32_t>(draws.below(6))};
  }
  if (const auto strides = layoutStrides(layout, sizes); strides && draws.below(3) > 0) {
    return *strides;
  }
  std::vector<uint32_t> strides(rank);
  for (uint32_t& stride : strides) stride = anySize(draws);
  return strides;
}

TensorDesc anyTensor(Draws& draws) {
  std::vector<uint32_t> sizes(draws.below(10));
  for (uint32_t& size : sizes) size = anySize(draws);
  const auto type = static_cast<DataType>(draws.below(kDataTypes.size()));
  TensorDesc tensor = makeTensor(type, sizes);
  if (draws.below(2)) tensor = makeTensor(type, sizes, anyStrides(draws, sizes));
  if (draws.below(4) == 0) tensor.totalBytes = draws.bits() >> draws.below(64);
  return tensor;
}

std::vector<uint64_t> anyValues(Draws& draws, DataType type) {
  std::vector<uint64_t> values(1 + draws.below(5));
  for (uint64_t& value : values) value = draws.bits() & elementMask(type);
  return values;
}

Fill anyFill(Draws& draws, DataType type) {
  const auto& kind = kFillKinds[draws.below(kFillKinds.size())];
  switch (kind.argument) {
    case FillArgument::None:
      break;
    case FillArgument::Number:
      return {kind.kind, draws.bits() >> draws.below(64), {}};
    case FillArgument::Probability:
      return {kind.kind, draws.below(1'000'001), {}};
    case FillArgument::Values:
      return {kind.kind, 0, anyValues(draws, type)};
  }
  return {kind.kind, 0, {}};
}

}  // namespace

Case anyCase(uint64_t seed) {
  Draws draws(seed);
  Case testCase;
  testCase.level = kLevels[draws.below(kLevels.size())];
  testCase.descriptor = makeOperator(operatorNames()[draws.below(operatorNames().size())]).value();
  const auto descs = mutableTensors(testCase.descriptor);
  for (TensorDesc* tensor : descs) *tensor = anyTensor(draws);
  for (uint32_t* count : dimensionCounts(testCase.descriptor)) *count = anySize(draws);
  testCase.fill = anyFill(draws, descs[0]->type);
  if (hasIndices(testCase.descriptor)) {
    testCase.index.kind = static_cast<IndexKind>(draws.below(kIndexKinds.size()));
    if (testCase.index.kind == IndexKind::Values) {
      testCase.index.values = anyValues(draws, descs[1]->type);
    }
  }
  testCase.seed = draws.bits() >> draws.below(64);
  testCase.expect = static_cast<Expect>(draws.below(3));
  if (testCase.expect == Expect::Reject) {
    const Rule* rule = nullptr;
    while (!rule || rule->checked != Checked::ByRejecting) {
      rule = &rules()[draws.below(rules().size())];
    }
    testCase.rejectBy = rule->id;
  }
  return testCase;
}

}  // namespace dmlcts
