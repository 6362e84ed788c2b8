#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"
#include "reference/evaluate.h"

// Finds the rules that an execution with wrong outputs broke.

namespace dmlcts {

// One execution of a descriptor that evaluate() accepts; all spans are in slot order.
struct Execution {
  std::span<const std::vector<uint8_t>> inputs;      // passed to evaluate()
  std::span<const ReferenceOutput> expected;         // returned by evaluate()
  std::span<const std::span<const uint8_t>> before;  // the outputs' totalBytes before it
  std::span<const std::span<const uint8_t>> after;   // the outputs after it
};

// Returns the rules that an execution with wrong defined bytes broke. Prefers one rule that alone
// explains every difference; otherwise returns all rules that the outputs contradict. Returns rules
// of Standing::Inferred alone, and only if they explain every difference. Empty if finding out
// would take too long.
std::vector<std::string_view> explain(const Descriptor& descriptor, const Execution& execution);

// True if the outputs match `other` and that explains at least one difference from `expected`.
bool accountsFor(std::span<const ReferenceOutput> other, const Execution& execution);

// Returns "tensor.strides" if a target that ignores strides (of one tensor or all) would leave
// these outputs. Returns "tensor.input-overlap" if one that reads strides of 0 as 1 would.
std::vector<std::string_view> explainByStrides(const Descriptor& descriptor,
                                               const Execution& execution);

}  // namespace dmlcts
