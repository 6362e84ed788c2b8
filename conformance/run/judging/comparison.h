#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/judging/poison.h"
#include "gpu/target.h"
#include "reference/descriptor.h"
#include "reference/evaluate.h"
#include "reports/journal/difference.h"

namespace dmlcts {

// Differences between memory after an execution and its expected contents.
struct Comparison {
  uint64_t wrongElements = 0;           // defined elements whose bits differ
  uint64_t paddingBytes = 0;            // bytes of gaps and tails inside a total that changed
  uint64_t pastCountBytes = 0;          // bytes of coordinates' rows past the count that changed
  uint64_t guardBytes = 0;              // bytes of an output's guard bands that changed
  uint64_t inputBytes = 0;              // bytes of inputs or their guard bands that changed
  std::vector<Difference> differences;  // the first kMostDifferences

  bool equal() const { return wrongElements + paddingBytes + guardBytes + inputBytes == 0; }
};

// Bytes of a buffer from `at`, before and after an execution.
struct BufferPart {
  Placement place;
  uint64_t at = 0;
  std::span<const uint8_t> sent;
  std::span<const uint8_t> actual;  // same size as `sent`
};

// Explains the value of a wrong element, or returns "".
using Meaning = std::function<std::string(uint64_t element, bool isWritten)>;

// Adds the differences in a part of an output's or input's buffer to `comparison`. `expected` has
// the tensor bytes in the part; these start at a multiple of 8.
void compareOutput(const TensorSlot& slot, const BufferPart& part, const ReferenceOutput& expected,
                   Comparison& comparison, const Meaning& meaning = {});
void compareInput(const TensorSlot& slot, const BufferPart& part, Comparison& comparison);

// Adds another part's differences.
void add(Comparison& comparison, Comparison&& other);

// Compares `answer` (Status::Executed) with the request and the expected outputs: bits, not values.
// Throws std::runtime_error if buffer sizes of answer and request differ.
Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Answer& answer);

// Compares the outputs alone; there must be as many as the request has.
Comparison compareOutputs(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                          std::span<const std::vector<uint8_t>> outputs);

// Returns why the outputs could not expose a broken target, or "": nothing is defined, or all
// candidates for a gathered element have the same bits.
std::string vacuousBecause(const gpu::Request& request, std::span<const ReferenceOutput> expected);

inline constexpr std::string_view kNothingDefined = "no byte of the outputs is defined";

// The two reasons separately: for an output, and for an input's bytes. A part of the input can only
// rule the second out.
bool anyDefined(const ReferenceOutput& output);
std::string vacuousInput(const Descriptor& descriptor, std::span<const uint8_t> input);

// A defined output element that a target wrote with the wrong value.
struct WrongElement {
  std::span<const uint8_t> input;   // bytes of the first tensor
  const ReferenceOutput& expected;  // of the output
  std::span<const uint8_t> actual;  // its totalBytes
  size_t slot;                      // as in tensors()
  uint64_t element;                 // row-major
  bool isWritten = true;            // false: it holds what was there before
};

// Explains the wrong value. For a gather, its source: "input[0], expected input[1]". For
// coordinates: "rows 0 and 2 swapped", or the values: "row [5,0], expected [2,0]"; and the element
// that is missing or listed wrongly, "[0] = 0x2a3f1234 (1.7e-13) is missing". For a count: "48,
// expected 45".
//
// Returns "" if that is uncertain (an input element is named only if its bits are unique) or takes
// too long.
std::string meaningOf(const Descriptor& descriptor, const WrongElement& wrong);

}  // namespace dmlcts
