#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/descriptor.h"
#include "reference/evaluate.h"

// Which rules an execution with wrong outputs broke.

namespace dmlcts {

// An execution of a descriptor that evaluate() takes, its spans in slot order.
struct Execution {
  std::span<const std::vector<uint8_t>> inputs;      // what evaluate() took
  std::span<const ReferenceOutput> expected;         // and returned
  std::span<const std::span<const uint8_t>> before;  // what the outputs held, totalBytes of each
  std::span<const std::span<const uint8_t>> after;   // and hold now
};

// The rules that an execution broke whose defined bytes are not all as expected. Rules of
// Standing::Inferred come alone, and only where their breach explains every difference. Otherwise
// the rule whose breach alone explains every difference; where none does, all rules whose sentence
// the outputs contradict. None where that would take too long to find out.
std::vector<std::string_view> explain(const Descriptor& descriptor, const Execution& execution);

// Whether the outputs hold what another evaluation says, and that accounts for a difference.
bool accountsFor(std::span<const ReferenceOutput> other, const Execution& execution);

// "tensor.strides" where a target that takes a tensor, or all of them, for packed would leave these
// outputs; "tensor.input-overlap" where one would that takes strides of 0 for 1; or nothing.
std::vector<std::string_view> explainByStrides(const Descriptor& descriptor,
                                               const Execution& execution);

}  // namespace dmlcts
