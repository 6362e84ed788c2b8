#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/cases/case.h"
#include "gpu/target.h"
#include "reference/evaluate.h"

// The memory that a target is given, prepared so that any byte that it fails to write, or
// writes wrongly, is seen.

namespace dmlcts {

// Bytes of seeded pattern behind every tensor; in front of it are `offset` of them.
inline constexpr uint64_t kGuardBytes = 128;

// Where in its buffer a case binds its tensor number `slot`: where it says; else at a multiple of
// 16 from 16 to 256, or at an odd multiple of the GuaranteedBaseOffsetAlignment.
uint64_t bindingOffset(const Case& testCase, size_t slot);

// Where a tensor lies in its buffer: at [offset, offset + size) of `bytes`.
struct Placement {
  uint64_t bytes = 0;
  uint64_t offset = 0;
  uint64_t size = 0;  // TotalTensorSizeInBytes

  // Of [at, at + count) of the buffer, what is the tensor's, counted from its start.
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

// Of the bytes of a buffer from `at` on, fills those of the guard bands.
void fillGuards(const Placement& place, uint64_t at, std::span<uint8_t> part, uint64_t seed);

// The same for those of an output tensor, whose expected bytes in that part `expected` holds: see
// poisonedOutput(). What of the tensor lies in the part begins at a multiple of 8 of its bytes.
void fillPoison(DataType type, const ReferenceOutput& expected, const Placement& place, uint64_t at,
                std::span<uint8_t> part, uint64_t seed);

// An input tensor at `offset` between guard bands.
gpu::BufferImage guardedInput(const std::vector<uint8_t>& bytes, uint64_t offset, uint64_t seed);

// An output tensor at `offset` before execution. Everything holds a seeded pattern (gaps, tails,
// undefined elements, guard bands), but the bytes that will be compared: they hold what is expected
// XOR a nonzero byte of the pattern, so that none is right already and nothing that can be read
// there tells what would be. No such element is a NaN, which an inferred rule might take for
// another NaN's copy.
gpu::BufferImage poisonedOutput(DataType type, const ReferenceOutput& expected, uint64_t offset,
                                uint64_t seed);

}  // namespace dmlcts
