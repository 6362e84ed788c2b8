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
#include "reports/journal/judgement.h"

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

// Explains the value of a wrong element (wrong_element.h), or returns "".
using Meaning = std::function<std::string(uint64_t element, bool isWritten)>;

// Adds the differences in a part of an output's or input's buffer to `comparison`. `expected` has
// the tensor bytes in the part; these start at a multiple of 8.
void compareOutput(const TensorSlot& slot, const BufferPart& part, const ReferenceOutput& expected,
                   Comparison& comparison, const Meaning& meaning = {});
void compareInput(const TensorSlot& slot, const BufferPart& part, Comparison& comparison);

// Adds another part's differences.
void add(Comparison& comparison, Comparison&& other);

// Compares an execution with the request and the expected outputs: bits, not values. Throws
// std::runtime_error if its buffers have other sizes than the request's.
Comparison compare(const gpu::Request& request, std::span<const ReferenceOutput> expected,
                   const gpu::Execution& execution);

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

}  // namespace dmlcts
