#include "conformance/cases/rules_of.h"

#include <algorithm>

#include "conformance/cases/element_text.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// With so many independent draws a class of values that has a fair share is all but certain.
constexpr uint64_t kManyElements = 48;

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
  if (any([](const TensorSlot& slot) { return !slot.isOutput && elementsOverlap(*slot.desc); })) {
    rules.push_back("tensor.input-overlap");
  }
  if (any([](const TensorSlot& slot) { return slot.isOutput && hasGapsOrTail(*slot.desc); })) {
    rules.push_back("tensor.untouched");
  }
  if (any([](const TensorSlot& slot) { return hasExcess(*slot.desc); })) {
    rules.push_back("tensor.total-bytes-excess");
  }
}

// Bit patterns that arithmetic on the way would change.
bool hasFragileValues(const Fill& fill, DataType type) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Random:
    case FillKind::MinusZero:
    case FillKind::Unique:
    case FillKind::Mixed:
    case FillKind::OneBit:
    case FillKind::Denormals:
    case FillKind::NaNs:
    case FillKind::All:
      return true;
    default:
      return false;
  }
}

bool hasNegativeIndices(const GatherNd& op, const IndexFill& fill) {
  const DataType type = op.indices.type;
  if (!info(type).isSigned) return false;
  switch (fill.kind) {
    case IndexKind::AllNegative:
      return true;
    case IndexKind::Negative:
    case IndexKind::Boundary:
      return countOf(op.indices) >= 8;
    case IndexKind::Values: {
      const uint64_t sign = (elementMask(type) >> 1) + 1;
      return std::ranges::any_of(fill.values, [sign](uint64_t bits) { return bits & sign; });
    }
    default:
      return false;
  }
}

void addOperatorRules(const GatherNd& op, const Case& testCase,
                      std::vector<std::string_view>& rules) {
  rules.push_back("gather_nd.available");
  rules.push_back("gather_nd.gather");
  if (hasFragileValues(testCase.fill, op.input.type)) rules.push_back("gather_nd.bit-exact");
  if (hasNegativeIndices(op, testCase.index)) rules.push_back("gather_nd.negative-indices");
}

// Whether the fill has negative zeros; `count` elements in all.
bool hasMinusZeros(const Fill& fill, DataType type, uint64_t count) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Values: {
      const uint64_t sign = floatFormat(type).sign();
      return std::ranges::find(fill.values, sign) != fill.values.end();
    }
    case FillKind::MinusZero:
    case FillKind::Infinities:
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Alternate:
    case FillKind::Single:
      return count >= kManyElements / 2;
    case FillKind::Density:
      return fill.number <= 500'000 && count >= kManyElements;
    case FillKind::Mixed:
      return count >= kManyElements;
    default:
      return false;
  }
}

// Whether the fill has NaNs, infinities or denormals.
bool hasUnusualNonzeros(const Fill& fill, DataType type, uint64_t count) {
  if (!info(type).isFloat) return false;
  switch (fill.kind) {
    case FillKind::Denormals:
    case FillKind::NaNs:
      return true;
    case FillKind::Infinities:
    case FillKind::Extremes:
    case FillKind::All:
    case FillKind::Mixed:
      return count >= kManyElements / 2;
    default:
      return false;
  }
}

// How many non-zero elements there are at least: 0, 1 or 2.
int knownNonzeros(const Fill& fill, uint64_t count) {
  switch (fill.kind) {
    case FillKind::Zeros:
    case FillKind::MinusZero:
      return 0;
    case FillKind::First:
    case FillKind::Last:
    case FillKind::Single:
      return 1;
    case FillKind::Alternate:
      return count >= 4 ? 2 : 0;
    case FillKind::Density:
      return fill.number * count >= 20'000'000 ? 2 : 0;
    case FillKind::Random:
    case FillKind::Unique:
    case FillKind::Mixed:
    case FillKind::Infinities:
      return count >= kManyElements ? 2 : 0;
    case FillKind::Values: {
      const auto zeros = std::ranges::count(fill.values, 0u);
      return static_cast<int>(std::min<size_t>(2, fill.values.size() - static_cast<size_t>(zeros)));
    }
    default:
      return count >= 2 ? 2 : 1;
  }
}

void addOperatorRules(const NonzeroCoordinates& op, const Case& testCase,
                      std::vector<std::string_view>& rules) {
  const DataType type = op.input.type;
  const uint64_t count = countOf(op.input);
  const int nonzeros = knownNonzeros(testCase.fill, count);
  rules.push_back("nonzero_coordinates.nonzero");
  if (hasMinusZeros(testCase.fill, type, count)) {
    rules.push_back("nonzero_coordinates.signed-zero");
  }
  if (hasUnusualNonzeros(testCase.fill, type, count)) {
    rules.push_back("nonzero_coordinates.not-zero-values");
  }
  rules.push_back("nonzero_coordinates.count");
  if (nonzeros >= 1) rules.push_back("nonzero_coordinates.coordinates");
  if (nonzeros >= 2) rules.push_back("nonzero_coordinates.order");
}

}  // namespace

std::vector<std::string_view> rulesOf(const Case& testCase) {
  std::vector<std::string_view> rules;
  if (testCase.expect == Expect::Reject) {
    const Rule* rule = findRule(testCase.rejectBy);
    if (rule) rules.push_back(rule->id);
    return rules;
  }
  if (testCase.expect == Expect::Accept) return rules;
  addTensorRules(testCase, rules);
  std::visit([&](const auto& op) { addOperatorRules(op, testCase, rules); }, testCase.descriptor);
  return rules;
}

}  // namespace dmlcts
