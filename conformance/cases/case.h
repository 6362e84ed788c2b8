#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/cases/fill.h"
#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// What a target has to do with a case.
enum class Expect : uint8_t {
  Execute,  // accept the descriptor and compute what the reference computes
  Accept,   // accept the descriptor; nothing is executed (for tensors too large to allocate)
  Reject,   // reject the descriptor, because it breaks the rule `rejectBy`
};

inline constexpr size_t kMostTensors = 8;                // of an operator
inline constexpr uint32_t kMostBindingOffset = 1 << 30;  // bytes
inline constexpr uint32_t kMostAlignment = 64 << 20;     // of what is executed, bytes

// One test, complete: with the level and the descriptor, how the inputs are filled and what must
// happen. Printed by case_string.h; its inputs' bytes come from inputs.h.
struct Case {
  Level level = Level::L6_4;
  Descriptor descriptor;
  Fill fill;        // of the input tensor
  IndexFill index;  // of the indices tensor, where there is one
  uint64_t seed = 0;
  // Where in its buffer each tensor is bound, in slot order, in bytes; by the seed where it is not
  // said (run/poison.h).
  std::array<std::optional<uint32_t>, kMostTensors> offsets = {};
  Expect expect = Expect::Execute;
  std::string rejectBy;     // the id of the rule that Reject names; else empty
  std::string_view family;  // which family lists it; no part of its identity. Static storage

  bool operator==(const Case& other) const {
    return level == other.level && descriptor == other.descriptor && fill == other.fill &&
           index == other.index && seed == other.seed && offsets == other.offsets &&
           expect == other.expect && rejectBy == other.rejectBy;
  }
};

// Whether the case is about a rejection that nothing but its level calls for: a device whose
// highest level is `highest`, and that has no gate for the levels below, accepts the descriptor.
bool rejectedByLevelOnly(const Case& testCase, Level highest);

// Why the case cannot be executed (elements outside the tensor, indices that the type cannot spell,
// more than 32 GiB in a tensor, a rule broken at the newest level, …), or nothing. Cases with
// Expect::Execute must have no such problem.
std::optional<std::string> inputProblem(const Case& testCase);

// Why the case contradicts itself, or nothing: its descriptor breaks a rule at its level and is not
// expected to be rejected, or is, but not by a rule that it breaks, or it cannot be executed as it
// is expected to be. A family lists no such case; a case string that a person typed can be one, and
// whatever a target made of it would prove nothing.
std::optional<std::string> caseProblem(const Case& testCase);

}  // namespace dmlcts
