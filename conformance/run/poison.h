#pragma once

#include <cstdint>
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
