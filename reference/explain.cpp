#include "reference/explain.h"

#include <algorithm>

#include "reference/operators.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 26;  // per tensor to evaluate again

void takeForPacked(TensorDesc& tensor) { tensor.strides.reset(); }

void takeBroadcastsForOnes(TensorDesc& tensor) {
  if (!tensor.strides) return;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    uint32_t& stride = (*tensor.strides)[axis];
    if (stride == 0 && tensor.sizes[axis] > 1) stride = 1;
  }
}

// True if a target that makes this mistake in these slots would leave these outputs.
bool wouldLeave(Descriptor other, std::span<const size_t> slots, void (*mistake)(TensorDesc&),
                const Execution& execution) {
  std::vector<std::vector<uint8_t>> inputs(execution.inputs.begin(), execution.inputs.end());
  bool differs = false;
  const std::vector<TensorSlot> all = tensors(other);
  for (size_t slot : slots) {
    auto& tensor = const_cast<TensorDesc&>(*all[slot].desc);  // in `other`, our copy
    const TensorDesc before = tensor;
    mistake(tensor);
    differs = differs || elementStrides(tensor) != elementStrides(before);
    const uint64_t needed = minimumTotalBytes(tensor).value_or(UINT64_MAX);
    if (needed > kMostBytes) return false;
    tensor.totalBytes = std::max(tensor.totalBytes, needed);
    if (!all[slot].isOutput) inputs[slot].resize(tensor.totalBytes, 0);
  }
  if (!differs || !check(other, kLevels.back()).empty()) return false;
  return accountsFor(evaluate(other, inputs), execution);
}

}  // namespace

std::vector<std::string_view> explain(const Descriptor& descriptor, const Execution& execution) {
  return visitEntry(kOracle, descriptor, [&](const auto& entry, const auto& op) {
    return entry.explain(op, execution);
  });
}

bool accountsFor(std::span<const ReferenceOutput> other, const Execution& execution) {
  bool any = false;
  for (size_t output = 0; output < other.size(); ++output) {
    const ReferenceOutput& expected = execution.expected[output];
    const std::span<const uint8_t> before = execution.before[output];
    const std::span<const uint8_t> after = execution.after[output];
    for (uint64_t at = 0; at < expected.status.size(); ++at) {
      const ByteStatus status = other[output].status[at];
      const bool compared = expected.status[at] == ByteStatus::Defined;
      if (status == ByteStatus::Defined && other[output].bytes[at] != after[at]) return false;
      // Bytes that the other evaluation leaves untouched must be unchanged.
      if (status == ByteStatus::Untouched && compared && before[at] != after[at]) return false;
      any = any || (status == ByteStatus::Defined && compared && expected.bytes[at] != after[at]);
    }
  }
  return any;
}

std::vector<std::string_view> explainByStrides(const Descriptor& descriptor,
                                               const Execution& execution) {
  std::vector<size_t> strided;
  const auto slots = tensors(descriptor);
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    if (slots[slot].desc->strides) strided.push_back(slot);
  }
  for (size_t i = 0; i < strided.size(); ++i) {
    const std::span<const size_t> one = std::span(strided).subspan(i, 1);
    if (wouldLeave(descriptor, one, takeForPacked, execution)) return {"tensor.strides"};
    if (slots[strided[i]].isOutput) continue;
    if (wouldLeave(descriptor, one, takeBroadcastsForOnes, execution)) {
      return {"tensor.input-overlap"};
    }
  }
  if (strided.size() > 1 && wouldLeave(descriptor, strided, takeForPacked, execution)) {
    return {"tensor.strides"};
  }
  return {};
}

}  // namespace dmlcts
