#pragma once

#include <cstdint>

#include "conformance/cases/case.h"

namespace dmlcts {

// Returns case `index` of a seed's sequence. 50% are valid: all rules kept, indices in range. 46%
// are near-valid: one or two mutations away, with the outcome that check() gives. 4% are wild
// gathers with any index bits. Most of their output is undefined, but the target must survive and
// change nothing else.
Case fuzzCase(uint64_t seed, uint64_t index);

// Sets expect and rejectBy from check() and inputProblem().
void expectWhatFollows(Case& testCase);

}  // namespace dmlcts
