#pragma once

#include <cstdint>
#include <vector>

#include "gpu/target.h"
#include "reference/evaluate.h"

// The memory that a target is given, prepared so that nothing it leaves out and nothing it does
// too much can pass unseen.

namespace dmlcts {

// Bytes of seeded pattern in front of and behind every tensor.
inline constexpr uint64_t kGuardBytes = 128;

// An input tensor between guard bands.
gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t seed);

// An output tensor before execution: every byte that will be compared holds the complement of
// what is expected, everything else (gaps, tails, undefined elements, guard bands) a seeded
// pattern.
gpu::BufferImage poisonedOutput(const ExpectedOutput& expected, uint64_t seed);

}  // namespace dmlcts
