#include "conformance/operators/generate.h"

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/facts/operators.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/operators.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Larger strided tensors are left packed instead.
constexpr uint64_t kMostStridedBytes = 1u << 20;

// Axes in any order in memory, with small gaps; no two elements share an address.
std::optional<Sizes> gappedStrides(Choices& choices, const Sizes& sizes) {
  const uint64_t most = std::max(kMostStridedBytes, 4 * elementCount(sizes).value());
  Sizes strides(sizes.size());
  uint64_t next = 1;
  for (uint32_t axis : choices.shuffled(sizes.size())) {
    strides[axis] = static_cast<uint32_t>(next + choices.below(3));
    next = uint64_t{strides[axis]} * sizes[axis];
    if (next > most) return std::nullopt;
  }
  return strides;
}

// Returns strides of that LayoutLabel, or nothing if these draws lead to none.
std::optional<Sizes> stridesLabelled(Choices& choices, uint8_t label, const Sizes& sizes,
                                     bool isOutput) {
  if (label == NoStrides) return std::nullopt;
  if (label == OtherLayout) return gappedStrides(choices, sizes);
  const auto rank = static_cast<uint32_t>(sizes.size());
  Layout layout{static_cast<LayoutKind>(label), {}};
  if (layout.kind == LayoutKind::Perm) layout.arguments = choices.shuffled(rank);
  if (layout.kind == LayoutKind::Pad) {
    // Rows run along the last dimension with several elements.
    layout.arguments = {choices.between(1, 6)};
    Sizes rows = sizes;
    while (rows.size() > 2 && rows.back() == 1) rows.pop_back();
    auto strides = layoutStrides(layout, rows);
    if (strides) strides->resize(sizes.size(), 1);
    return strides;
  }
  if (layout.kind == LayoutKind::Step) layout.arguments = {choices.between(2, 5)};
  if (layout.kind == LayoutKind::Broadcast) {
    for (uint32_t axis = 0; axis < rank; ++axis) {
      const bool may = !isOutput || sizes[axis] == 1;
      if (may && choices.oneIn(2)) layout.arguments.push_back(axis);
    }
    if (layout.arguments.empty()) return std::nullopt;
  }
  return layoutStrides(layout, sizes);
}

std::optional<Sizes> anyStrides(Choices& choices, const Sizes& sizes, bool isOutput) {
  switch (choices.below(9)) {
    case 0:
    case 1:
      return stridesLabelled(choices, OtherLayout, sizes, isOutput);
    case 2: {  // rows of whole texels
      return layoutStrides({LayoutKind::Pad, {16 - sizes.back() % 16}}, sizes);
    }
    case 3: {
      if (isOutput) return gappedStrides(choices, sizes);
      // Short strides make elements share addresses: sliding windows, diagonals, repeats.
      Sizes strides(sizes.size());
      for (uint32_t& stride : strides) stride = choices.between(0, 3);
      return strides;
    }
    default:
      return stridesLabelled(choices, static_cast<uint8_t>(choices.below(5)), sizes, isOutput);
  }
}

// Inputs may share addresses between elements; outputs never do.
void randomizeLayout(Choices& choices, TensorDesc& tensor, bool isOutput) {
  if (choices.oneIn(2)) tensor.strides = anyStrides(choices, tensor.sizes, isOutput);
  // The stride of a dimension of size 1 is always multiplied by 0, so any value is valid.
  if (tensor.strides && choices.oneIn(4)) {
    for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
      if (tensor.sizes[axis] == 1) (*tensor.strides)[axis] = choices.of({0u, 1u, 7u, UINT32_MAX});
    }
  }
  const auto least = minimumTotalBytes(tensor);
  if (tensor.strides &&
      (!least || *least > kMostStridedBytes ||
       (isOutput &&
        elementsOverlap({tensor.type, tensor.sizes, tensor.strides, *least}).value_or(true)))) {
    tensor.strides.reset();
  }
  tensor.totalBytes = minimumTotalBytes(tensor).value();
  if (choices.oneIn(4)) {
    tensor.totalBytes += choices.of({4u, 8u, 12u, 16u, 60u, 256u, 4096u});
  }
  if (choices.oneIn(16)) {
    const uint32_t width = info(tensor.type).bytes;
    tensor.baseOffsetAlignment = choices.of({width, 2 * width, 16u, 32u, 64u, 256u, 4096u, 65536u});
  }
}

void layOut(Choices& choices, TensorDesc& tensor, uint8_t label, bool isOutput) {
  if (label == kAny) return randomizeLayout(choices, tensor, isOutput);
  if (const auto strides = stridesLabelled(choices, label, tensor.sizes, isOutput)) {
    setStrides(tensor, *strides);
  }
}

void layOutAll(Choices& choices, const OperatorFacts& facts, const Labels& wanted,
               Descriptor& descriptor) {
  const uint8_t output = at(wanted, Parameter::OutputLayout);
  const bool anyLayout = output == kAny && at(wanted, Parameter::InputLayout) == kAny;
  if (anyLayout && choices.oneIn(4)) return;  // packed throughout
  const auto slots = tensors(descriptor);
  const auto descs = mutableTensors(descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    uint8_t label = output == kAny ? kAny : uint8_t{NoStrides};
    if (i == 0) label = at(wanted, Parameter::InputLayout);
    if (i == facts.indicesSlot) label = at(wanted, Parameter::IndicesLayout);
    if (i == facts.outputSlot) label = output;
    layOut(choices, *descs[i], label, slots[i].isOutput);
  }
}

}  // namespace

Wanted anythingAt(Level level, uint64_t elements) {
  Wanted wanted;
  at(wanted.labels, Parameter::Level) =
      static_cast<uint8_t>(std::ranges::find(kLevels, level) - kLevels.begin());
  wanted.elements = elements;
  return wanted;
}

Descriptor generate(Choices& choices, Wanted wanted) {
  const auto operators = operatorFacts();
  const Level level = kLevels[at(wanted.labels, Parameter::Level)];
  const auto complete = [&](Parameter parameter, const auto& values) {
    uint8_t& value = at(wanted.labels, parameter);
    if (value == kAny && !values.empty()) value = static_cast<uint8_t>(choices.of(values));
  };
  std::vector<size_t> existing;
  for (size_t op = 0; op < operators.size(); ++op) {
    if (!operators[op].dataTypes(level).empty()) existing.push_back(op);
  }
  complete(Parameter::Operator, existing);
  const OperatorFacts& facts = operators[at(wanted.labels, Parameter::Operator)];
  complete(Parameter::InputType, facts.dataTypes(level));
  complete(Parameter::IndexType, facts.indexTypes(level));
  complete(Parameter::Rank, facts.dimensionCounts(level));

  wanted.labels = withOwnAttributes(wanted.labels);

  Descriptor descriptor = makeOperator(facts.name).value();
  visitEntry(kOperators, descriptor,
             [&](const auto& entry, auto& op) { op = entry.generate(choices, wanted); });
  layOutAll(choices, facts, wanted.labels, descriptor);
  return descriptor;
}

uint64_t drawElements(Choices& choices, const Wanted& wanted) {
  constexpr std::array<std::array<uint32_t, 2>, 7> kRanges{{{1, 1},
                                                            {4, 31},
                                                            {40, 255},
                                                            {300, 2000},
                                                            {4096, 6000},
                                                            {kMostInTile + 1, 18'000},
                                                            {kMostInGroups + 1, 5'000'000}}};
  const uint8_t size = at(wanted.labels, Parameter::Size);
  if (size == kAny) return wanted.elements;
  return choices.between(kRanges[size][0], kRanges[size][1]);
}

}  // namespace dmlcts
