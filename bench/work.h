#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"
#include "conformance/run/judging/judge.h"

// Benchmarks: cases like those of the suite, each named after its place in a sweep.

namespace dmlcts::bench {

enum class Set : uint8_t {
  Quick,  // a sample of every sweep, small: seconds on a software driver
  Full,   // every sweep; needs a GPU with 8 GiB and some minutes
  Goals,  // the sizes of the project's performance goals; a GPU with 8 GiB
  Large,  // tensors beyond 4 GiB and 2^31 elements; a GPU with 32 GiB, 64 GiB of host memory
};

struct Work {
  std::string name;  // "nonzero/f32/rank4/2^22/50%/random/packed"
  Case testCase;
};

// Returns the benchmarks of a set, with unique names.
std::vector<Work> works(Set set);

// Returns the bytes that any implementation must move, given the reference's outputs: each input
// element read once, each defined output element written once. Counts reads of a gathered input at
// most once per input element.
uint64_t bytesMoved(const PreparedCase& prepared);

// Returns the number of elements that throughput counts: searched input elements or gathered output
// elements.
uint64_t elementsOf(const Case& testCase);

// True if the operator compares values, so that a device may flush denormals to zero.
bool comparesValues(const Case& testCase);

// True if the name matches the pattern (matchesPattern()). A pattern without wildcards matches any
// part of the name.
bool matches(std::string_view name, std::string_view pattern);

}  // namespace dmlcts::bench
