#pragma once

#include <cstdint>
#include <span>

#include "conformance/cases/case.h"
#include "conformance/cases/choices.h"

namespace dmlcts {

inline constexpr uint64_t kSizes = 101;

// Draws a case of a size below kSizes. 50% are valid: all rules kept, indices in range. 46% are
// near-valid: one or two mutations away, with the outcome that check() gives. 4% are wild gathers
// with any index bits. Most of their output is undefined, but the target must survive and change
// nothing else.
Case drawCase(Choices& choices, uint64_t size);

// Returns case `index` of a seed's sequence. Every fourth is made from one of the examples, if any.
Case fuzzCase(uint64_t seed, uint64_t index, std::span<const Case> examples = {});

// Sets expect and rejectBy from check() and inputProblem().
void expectWhatFollows(Case& testCase);

}  // namespace dmlcts
