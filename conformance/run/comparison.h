#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/target.h"
#include "reference/evaluate.h"

namespace dmlcts {

// What differs between the memory after an execution and what it should hold.
struct Comparison {
  uint64_t wrongElements = 0;            // defined elements whose bits differ
  uint64_t paddingBytes = 0;             // bytes of gaps and tails inside a total that changed
  uint64_t guardBytes = 0;               // bytes of an output's guard bands that changed
  uint64_t inputBytes = 0;               // bytes of inputs or their guard bands that changed
  std::vector<std::string> differences;  // the first few, one readable line each

  bool equal() const { return wrongElements + paddingBytes + guardBytes + inputBytes == 0; }
};

// Compares `answer` (Status::Executed) with the request and the expected outputs. Bits, not values.
// Throws std::runtime_error when the answer's buffers have other sizes than the request's.
Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Answer& answer);

// Why the request's outputs could not tell a broken target from a right one, or "" when they can:
// nothing is defined, or every candidate for a gathered element has the same bits.
std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected);

}  // namespace dmlcts
