#include "conformance/language/test/any_case.h"

#include "conformance/inputs/choices.h"
#include "conformance/language/element_text.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

uint32_t anySize(Choices& choices) {
  switch (choices.below(8)) {
    case 0:
      return 0;
    case 1:
      return static_cast<uint32_t>(choices.bits());
    default:
      return static_cast<uint32_t>(1 + choices.below(9));
  }
}

std::vector<uint32_t> anyStrides(Choices& choices, const std::vector<uint32_t>& sizes) {
  Layout layout{static_cast<LayoutKind>(choices.below(5)), {}};
  const auto rank = static_cast<uint32_t>(sizes.size());
  if (layout.kind == LayoutKind::Perm) {
    for (uint32_t axis = 0; axis < rank; ++axis) {
      const auto at = static_cast<ptrdiff_t>(choices.below(axis + 1));
      layout.arguments.insert(layout.arguments.begin() + at, axis);
    }
  } else if (layout.kind == LayoutKind::Broadcast) {
    if (rank > 0) layout.arguments = {static_cast<uint32_t>(choices.below(rank))};
  } else if (layout.kind != LayoutKind::Packed) {
    layout.arguments = {static_cast<uint32_t>(choices.below(6))};
  }
  if (const auto strides = layoutStrides(layout, sizes); strides && choices.below(3) > 0) {
    return *strides;
  }
  std::vector<uint32_t> strides(rank);
  for (uint32_t& stride : strides) stride = anySize(choices);
  return strides;
}

TensorDesc anyTensor(Choices& choices) {
  std::vector<uint32_t> sizes(choices.below(10));
  for (uint32_t& size : sizes) size = anySize(choices);
  const auto type = static_cast<DataType>(choices.below(kDataTypes.size()));
  TensorDesc tensor = makeTensor(type, sizes);
  if (choices.below(2)) tensor = makeTensor(type, sizes, anyStrides(choices, sizes));
  if (choices.below(4) == 0) tensor.totalBytes = choices.bits() >> choices.below(64);
  return tensor;
}

std::vector<uint64_t> anyValues(Choices& choices, DataType type) {
  std::vector<uint64_t> values(1 + choices.below(5));
  for (uint64_t& value : values) value = choices.bits() & elementMask(type);
  return values;
}

NpyFill anyFile(Choices& choices) {
  return choices.oneIn(2) ? NpyFill{"a%20b/%2Cc.npy", "0123456789abcdef", nullptr}
                          : NpyFill{"x.npy", "", nullptr};
}

Fill anyFill(Choices& choices, DataType type) {
  const auto& kind = kFillKinds[choices.below(kFillKinds.size())];
  switch (kind.argument) {
    case FillArgument::None:
      break;
    case FillArgument::Number:
      return {kind.kind, choices.bits() >> choices.below(64), {}};
    case FillArgument::Probability:
      return {kind.kind, choices.below(1'000'001), {}};
    case FillArgument::Values:
      return {kind.kind, 0, anyValues(choices, type)};
    case FillArgument::File:
      return {kind.kind, 0, {}, anyFile(choices)};
  }
  return {kind.kind, 0, {}};
}

}  // namespace

Case anyCase(Choices& choices) {
  Case testCase;
  testCase.level = kLevels[choices.below(kLevels.size())];
  testCase.descriptor =
      makeOperator(operatorNames()[choices.below(operatorNames().size())]).value();
  const auto descs = mutableTensors(testCase.descriptor);
  for (TensorDesc* tensor : descs) *tensor = anyTensor(choices);
  for (uint32_t* count : dimensionCounts(testCase.descriptor)) *count = anySize(choices);
  testCase.fill = anyFill(choices, descs[0]->type);
  if (hasIndices(testCase.descriptor)) {
    testCase.index.kind = static_cast<IndexKind>(choices.below(kIndexKinds.size()));
    if (testCase.index.kind == IndexKind::Values) {
      testCase.index.values = anyValues(choices, descs[1]->type);
    }
    if (testCase.index.kind == IndexKind::Npy) testCase.index.npy = anyFile(choices);
  }
  testCase.seed = choices.bits() >> choices.below(64);
  testCase.expect = static_cast<Expect>(choices.below(3));
  if (testCase.expect == Expect::Reject) {
    const Rule* rule = nullptr;
    while (!rule || rule->checked != Checked::ByRejecting) {
      rule = &rules()[choices.below(rules().size())];
    }
    testCase.rejectBy = rule->id;
  }
  return testCase;
}

}  // namespace dmlcts
