#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/language/fill.h"
#include "gpu/modes.h"
#include "reference/descriptor.h"
#include "reference/level.h"

namespace dmlcts {

// The target's task for a case.
enum class Expect : uint8_t {
  Execute,  // accept the descriptor and compute the reference's outputs
  Accept,   // accept the descriptor; nothing is executed (for tensors too large to allocate)
  Reject,   // reject the descriptor, because it breaks the rule `rejectBy`
};

inline constexpr size_t kMostTensors = 8;                // per operator
inline constexpr uint32_t kMostBindingOffset = 1 << 30;  // bytes
inline constexpr uint32_t kMostAlignment = 64 << 20;     // of executed tensors, bytes

// One complete test: level, descriptor, input fills and the required outcome. case_string.h prints
// it; inputs.h produces the input bytes.
struct Case {
  Level level = Level::L6_4;
  Descriptor descriptor;
  Fill fill;        // of the input tensor
  IndexFill index;  // of the indices tensor, if any
  uint64_t seed = 0;
  // Byte offset of each tensor in its buffer, in slot order. If unset, derived from the seed
  // (bindingOffset() in inputs/inputs.h).
  std::array<std::optional<uint32_t>, kMostTensors> offsets = {};
  Expect expect = Expect::Execute;
  std::string rejectBy;     // rule id if expect is Reject; else empty
  gpu::Modes modes;         // how a device executes it; a device without these is not asked
  std::string_view family;  // the family that lists it; not part of its identity. Static storage

  bool operator==(const Case& other) const {
    return level == other.level && descriptor == other.descriptor && fill == other.fill &&
           index == other.index && seed == other.seed && offsets == other.offsets &&
           expect == other.expect && rejectBy == other.rejectBy && modes == other.modes;
  }
};

}  // namespace dmlcts
