#include "conformance/cases/facts/labels.h"

#include <algorithm>

#include "conformance/cases/language/layout.h"
#include "conformance/cases/language/operator_syntax.h"
#include "conformance/cases/operators/operators.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Words = std::vector<std::string_view>;

Words levelNames() {
  Words words;
  for (Level level : kLevels) words.push_back(name(level));
  return words;
}

Words typeNames() {
  Words words;
  for (const DataTypeInfo& type : kDataTypes) words.push_back(type.name);
  return words;
}

ValueLabel classOf(FillKind kind) {
  switch (kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
      return Zeros;
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Single:
    case FillKind::Edges:
      return Sparse;
    case FillKind::Ones:
    case FillKind::Ramp:
    case FillKind::Unique:
    case FillKind::All:
      return Dense;
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::NaNs:
    case FillKind::Infinities:
    case FillKind::Extremes:
      return Special;
    default:
      return MixedValues;
  }
}

IndexLabel classOf(IndexKind kind) {
  switch (kind) {
    case IndexKind::Random:
      return FromStart;
    case IndexKind::Negative:
    case IndexKind::AllNegative:
      return FromEnd;
    case IndexKind::First:
    case IndexKind::Last:
    case IndexKind::Boundary:
      return Ends;
    case IndexKind::Wild:
      return OutOfRange;
    default:
      return Pattern;
  }
}

uint8_t layoutOf(const TensorDesc& tensor) {
  if (!tensor.strides) return NoStrides;
  if (liesPacked(tensor)) return static_cast<uint8_t>(LayoutKind::Packed);
  std::vector<uint32_t> sizes;
  std::vector<uint32_t> strides;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] == 1) continue;
    sizes.push_back(tensor.sizes[axis]);
    strides.push_back((*tensor.strides)[axis]);
  }
  const auto layout = findLayout(sizes, strides);
  if (!layout) return OtherLayout;
  const bool oneAddress = layout->kind == LayoutKind::Step && layout->arguments.front() == 0;
  return static_cast<uint8_t>(oneAddress ? LayoutKind::Broadcast : layout->kind);
}

uint8_t sizeOf(const TensorDesc& tensor) {
  const uint64_t count = elementCount(tensor.sizes).value_or(0);
  return count < 2                ? One
         : count < 32             ? Few
         : count < 256            ? Tens
         : count < 4096           ? Hundreds
         : count <= kMostInTile   ? Thousands
         : count <= kMostInGroups ? AboveTile
                                  : AboveGroups;
}

// Every parameter's values, each as one word.
const std::array<std::vector<std::string>, kParameters>& allWords() {
  static const auto words = [] {
    std::array<std::vector<std::string>, kParameters> all;
    for (size_t i = 0; i < kParameters; ++i) {
      for (std::string_view value : valuesOf(static_cast<Parameter>(i))) {
        all[i].push_back(oneWord(value));
      }
    }
    return all;
  }();
  return words;
}

}  // namespace

std::string oneWord(std::string_view text) {
  std::string word;
  for (char c : text) {
    if (c != ',') word += c == ' ' ? '-' : c;
  }
  return word;
}

std::string wordsOf(const Labels& labels) {
  std::string words;
  for (size_t i = 0; i < kParameters; ++i) {
    if (i > 0) words += ' ';
    words += allWords()[i][labels[i]];
  }
  return words;
}

std::optional<Labels> parseLabels(std::string_view words) {
  Labels labels{};
  for (size_t i = 0; i < kParameters; ++i) {
    const size_t end = words.find(' ');
    if ((end == words.npos) != (i + 1 == kParameters)) return std::nullopt;
    const auto& values = allWords()[i];
    const auto found = std::ranges::find(values, words.substr(0, end));
    if (found == values.end()) return std::nullopt;
    labels[i] = static_cast<uint8_t>(found - values.begin());
    words.remove_prefix(std::min(end, words.size() - 1) + 1);
  }
  return labels;
}

std::string_view name(Parameter parameter) {
  static constexpr std::array<std::string_view, kParameters> kNames{
      "operator",       "level",         "input type", "index type", "rank", "input layout",
      "indices layout", "output layout", "values",     "indices",    "size", "attributes"};
  return kNames[static_cast<size_t>(parameter)];
}

const std::vector<std::string_view>& valuesOf(Parameter parameter) {
  static const Words layouts{"packed",    "perm",       "pad",   "step",
                             "broadcast", "no strides", "other", "none"};
  static const std::array<Words, kParameters> all{
      Words(operatorNames()),
      levelNames(),
      typeNames(),
      typeNames(),
      Words{"0", "1", "2", "3", "4", "5", "6", "7", "8"},
      layouts,
      layouts,
      layouts,
      Words{"zeros", "sparse", "dense", "mixed", "special"},
      Words{"from start", "from end", "ends", "pattern", "out of range", "none"},
      Words{"1", "2-31", "32-255", "256-4095", "4096-16384", "16385-4194240", "4194241-"},
      Words(attributeNames().begin(), attributeNames().end())};
  return all[static_cast<size_t>(parameter)];
}

Labels labelsOf(const Case& testCase) {
  const auto slots = tensors(testCase.descriptor);
  const OperatorFacts& facts = factsOf(testCase.descriptor);
  const TensorDesc* indices = facts.indicesSlot ? slots[*facts.indicesSlot].desc : nullptr;
  const TensorDesc& input = *slots[0].desc;
  const auto level = std::ranges::find(kLevels, testCase.level) - kLevels.begin();
  return {static_cast<uint8_t>(testCase.descriptor.index()),
          static_cast<uint8_t>(level),
          static_cast<uint8_t>(input.type),
          static_cast<uint8_t>(indices ? indices->type : DataType::Unknown),
          static_cast<uint8_t>(input.sizes.size()),
          layoutOf(input),
          indices ? layoutOf(*indices) : uint8_t{NoTensor},
          layoutOf(*slots[facts.outputSlot].desc),
          classOf(testCase.fill.kind),
          indices ? classOf(testCase.index.kind) : NoIndex,
          sizeOf(input),
          attributeNumber(
              testCase.descriptor.index(),
              visitEntry(kCaseTable, testCase.descriptor, [](const auto& entry, const auto& op) {
                return entry.attributesOf(op);
              }))};
}

}  // namespace dmlcts
