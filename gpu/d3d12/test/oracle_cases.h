#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/language/build.h"
#include "gpu/target.h"
#include "reference/descriptor.h"

// Requests with seeded contents, and comparison of answers with the reference.

namespace dmlcts::gpu::test {

// Ways to fill a NONZERO_COORDINATES input.
enum class Density { None, FirstOnly, LastOnly, OneTile, Half, All };

struct Filling {
  uint64_t seed = 1;
  Density density = Density::Half;
};

// Returns a request with valid inputs. Its outputs hold a pattern that no correct answer equals,
// between guard bands.
Request requestOf(const Descriptor& descriptor, const Filling& filling);

// Returns the first error against the reference; "" if there is none. Checks defined bytes, and
// that gaps, tails and guards are unchanged.
std::string difference(const Request& request, const Answer& answer);

// Runs the requests and returns the differences of all, each with its index.
std::string differences(Target& target, const std::vector<Request>& requests);

}  // namespace dmlcts::gpu::test
