#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/inputs/inputs.h"
#include "gpu/target.h"
#include "reference/evaluate.h"

// Prepares a target's memory so that every byte it fails to write, or writes wrongly, shows.

namespace dmlcts {

// Bytes of seeded pattern after every tensor. Before it are `offset` of them.
inline constexpr uint64_t kGuardBytes = 128;

// A tensor's place in its buffer: [offset, offset + size) of `bytes`.
struct Placement {
  uint64_t bytes = 0;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  // The tensor's part of buffer bytes [at, at + count), counted from the tensor's start.
  struct Range {
    uint64_t first;
    uint64_t count;
  };
  Range tensorIn(uint64_t at, uint64_t count) const {
    const uint64_t first = std::clamp(at, offset, offset + size);
    return {first - offset, std::clamp(at + count, offset, offset + size) - first};
  }
};
Placement guardedAt(uint64_t offset, uint64_t size);

// Fills the guard bands in the part of a buffer that starts at `at`.
void fillGuards(const Placement& place, uint64_t at, std::span<uint8_t> part, uint64_t seed);

// Fills an output tensor's bytes in that part (see poisonedOutput()). `expected` has the tensor
// bytes in the part, which must start at a multiple of 8.
void fillPoison(DataType type, const ReferenceOutput& expected, const Placement& place, uint64_t at,
                std::span<uint8_t> part, uint64_t seed);

// Returns an input tensor at `offset` between guard bands.
gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t offset, uint64_t seed);

// Returns an output tensor at `offset` before execution. Gaps, tails, undefined elements and guard
// bands hold a seeded pattern. Bytes to compare hold the expected byte XOR a non-zero pattern byte,
// so that none is already right or reveals the result. No such element is a NaN, which an inferred
// rule might accept as a copy of another NaN.
gpu::BufferImage poisonedOutput(DataType type, const ReferenceOutput& expected, uint64_t offset,
                                uint64_t seed);

}  // namespace dmlcts
