#pragma once

#include <cstdint>

#include "conformance/cases/case.h"

namespace dmlcts {

// Number `index` of the sequence of cases that belongs to a seed. Of 100 cases 50 are valid: a
// descriptor that keeps every rule, indices in range. 46 are near-valid, one or two mutations away
// from that: what must happen is what check() says of the result. 4 are wild, gathers with any bits
// for indices: most of the output is undefined, but the target must survive and leave everything
// else alone.
Case fuzzCase(uint64_t seed, uint64_t index);

// What a case must lead to, after check() and inputProblem(): sets expect and rejectBy.
void expectWhatFollows(Case& testCase);

}  // namespace dmlcts
