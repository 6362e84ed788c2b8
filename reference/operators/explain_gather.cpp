#include <unordered_set>

#include "reference/element.h"
#include "reference/operators/gather.h"
#include "reference/rules.h"
#include "reference/tensor.h"

// explain() for GATHER_ND and GATHER_ND1; see explain.h.

namespace dmlcts {
namespace {

// A defined output element.
struct Moved {
  std::span<const uint32_t> coordinate;
  uint64_t want;  // expected bits
  uint64_t have;
  uint64_t held;  // before the execution
};

// Calls visit(Moved) for each defined element until it returns false.
template <class Visit>
void forEachMoved(const Gather& op, const Execution& execution, const Visit& visit) {
  const uint32_t width = info(op.output.type).bytes;
  const auto strides = elementStrides(op.output).value();
  const ReferenceOutput& expected = execution.expected[0];
  ElementWalk walk(op.output.sizes, strides);
  do {
    if (expected.status.elements()[walk.offset()] != ByteStatus::Defined) continue;
    const uint64_t at = walk.offset() * width;
    if (!visit(Moved{walk.coordinate(), loadBits(expected.bytes, at, width),
                     loadBits(execution.after[0], at, width),
                     loadBits(execution.before[0], at, width)})) {
      return;
    }
  } while (walk.next());
}

// Returns the two inferred rules on floating-point bits, if together they explain every difference.
std::vector<std::string_view> changedBits(const Gather& op, const Execution& execution) {
  const DataType type = op.output.type;
  if (!info(type).isFloat) return {};
  const FloatFormat format = floatFormat(type);
  bool payloads = false;
  bool flushed = false;
  bool others = false;
  forEachMoved(op, execution, [&](const Moved& moved) {
    const auto [coordinate, want, have, held] = moved;
    if (want == have) return true;
    // Arithmetic sets the quiet bit or returns a default NaN, whose payload is empty or full. Any
    // other NaN comes from another element.
    const uint64_t quietBit = (format.mantissaMask() + 1) >> 1;
    const uint64_t payload = have & format.mantissaMask();
    const bool ownNan = payload == quietBit || payload == format.mantissaMask();
    const bool otherPayload =
        format.isNan(want) && format.isNan(have) && (have == (want | quietBit) || ownNan);
    const bool toZero =
        type == DataType::Float32 && format.isDenormal(want) && have == (want & format.sign());
    payloads = payloads || otherPayload;
    flushed = flushed || toZero;
    // An unwritten element is not a copy that arithmetic changed.
    others = have == held || (!otherPayload && !toZero);
    return !others;
  });
  std::vector<std::string_view> rules;
  if (others) return rules;
  if (payloads) rules.emplace_back("nan-payload");
  if (flushed) rules.emplace_back("float32-denormals");
  return rules;
}

// True if every wrong element belongs to a tuple with a negative index and has the bits of some
// input element. Requires at least one tuple without a negative index.
bool onlyNegativeIndices(const Gather& op, const Execution& execution) {
  constexpr uint64_t kMostElementBytes = uint64_t{1} << 24;  // of the input
  if (!info(op.indices.type).isSigned || op.input.totalBytes > kMostElementBytes) return false;
  const uint32_t width = info(op.indices.type).bytes;
  const uint64_t sign = uint64_t{1} << (8 * width - 1);
  const auto strides = elementStrides(op.indices).value();
  const size_t rank = op.output.sizes.size();
  const size_t firstTupleAxis = rank - op.blockRank() - (op.indicesRank - 1);
  const auto hasNegative = [&](std::span<const uint32_t> coordinate) {
    uint64_t at = 0;
    for (size_t i = 0; i + 1 < op.indicesRank; ++i) {
      at += coordinate[firstTupleAxis + i] * strides[strides.size() - op.indicesRank + i];
    }
    for (size_t i = 0; i < op.tupleSize(); ++i) {
      const uint64_t index = (at + i * strides.back()) * width;
      if ((loadBits(execution.inputs[1], index, width) & sign) != 0) return true;
    }
    return false;
  };
  const uint32_t elementWidth = info(op.input.type).bytes;
  std::unordered_set<uint64_t> inputs;
  for (uint64_t at = 0; at + elementWidth <= op.input.totalBytes; at += elementWidth) {
    inputs.insert(loadBits(execution.inputs[0], at, elementWidth));
  }
  bool only = true;
  bool otherTuples = false;
  forEachMoved(op, execution, [&](const Moved& moved) {
    const bool negative = hasNegative(moved.coordinate);
    otherTuples = otherTuples || !negative;
    only = moved.want == moved.have || (negative && inputs.contains(moved.have));
    return only;
  });
  return only && otherTuples;
}

}  // namespace

std::vector<std::string_view> explainGather(const Descriptor& descriptor, const Gather& op,
                                            const Execution& execution) {
  const auto named = [&](std::string_view rule) {
    return findRule(std::string(operatorName(descriptor)) + '.' + std::string(rule))->id;
  };
  std::vector<std::string_view> rules = changedBits(op, execution);
  if (!rules.empty()) {
    for (std::string_view& rule : rules) rule = named(rule);
    return rules;
  }
  if (rules = explainByStrides(descriptor, execution); !rules.empty()) return rules;
  return {named(onlyNegativeIndices(op, execution) ? "negative-indices" : "gather")};
}

}  // namespace dmlcts
