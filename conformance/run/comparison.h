#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/poison.h"
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

// Bytes of a buffer from `at` on, before and after an execution.
struct BufferPart {
  Placement place;
  uint64_t at = 0;
  std::span<const uint8_t> sent;
  std::span<const uint8_t> actual;  // as many
};

// Of an element that was written wrongly, what its value means (meaning.h), or "".
using Meaning = std::function<std::string(uint64_t element)>;

// Adds to `comparison` what differs in a part of an output's buffer, of whose tensor bytes
// `expected` has what lies in the part, from a multiple of 8 of its bytes on; or of an input's.
void compareOutput(const TensorSlot& slot, const BufferPart& part, const ReferenceOutput& expected,
                   Comparison& comparison, const Meaning& meaning = {});
void compareInput(const TensorSlot& slot, const BufferPart& part, Comparison& comparison);

// Adds what another part differs in.
void add(Comparison& comparison, Comparison&& other);

// Compares `answer` (Status::Executed) with the request and the expected outputs. Bits, not values.
// Throws std::runtime_error when the answer's buffers have other sizes than the request's.
Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Answer& answer);

// Why the request's outputs could not tell a broken target from a right one, or "" when they can:
// nothing is defined, or every candidate for a gathered element has the same bits.
std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected);

inline constexpr std::string_view kNothingDefined = "no byte of the outputs is defined";

// The two reasons of that, each by itself: of outputs, and of an input's bytes, of which a part can
// only tell that there is none.
bool anyDefined(const ReferenceOutput& output);
std::string vacuousInput(const Descriptor& descriptor, std::span<const uint8_t> input);

}  // namespace dmlcts
