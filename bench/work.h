#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/run/judge.h"

// What is measured: cases like those of the suite, each with a name that says where in a sweep it
// stands.

namespace dmlcts::bench {

enum class Set : uint8_t {
  Quick,  // a sample of every sweep, small: seconds on a software driver
  Full,   // every sweep; needs a GPU with 8 GiB and some minutes
  Goals,  // the sizes that the project's performance goals speak of; a GPU with 8 GiB
  Large,  // tensors beyond 4 GiB and 2^31 elements; a GPU with 32 GiB, 64 GiB of host memory
};

struct Work {
  std::string name;  // "nonzero/f32/rank4/2^22/50%/random/packed"
  Case testCase;
};

// The works of a set, no name twice.
std::vector<Work> works(Set set);

// Bytes that any implementation has to move, given what the reference found: every input element
// read once, every defined output element written once; of what is gathered from an input no more
// than the input has.
uint64_t bytesMoved(const PreparedCase& prepared);

// The elements that the operator's throughput counts: the input that is searched, the output that
// is gathered.
uint64_t elementsOf(const Case& testCase);

// Whether the operator compares values, so that a device may treat denormals as zero.
bool comparesValues(const Case& testCase);

// Whether a name matches a pattern (matchesPattern()); without a wildcard, part of the name will
// do.
bool matches(std::string_view name, std::string_view pattern);

}  // namespace dmlcts::bench
