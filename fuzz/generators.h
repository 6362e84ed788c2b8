#pragma once

#include <rapidcheck/Gen.h>

#include "conformance/cases/case.h"

// rapidcheck generators of cases. They shrink through simplerFuzzCases(), so that whatever they
// shrink to is as valid as what they started from: towards rank 1, size 1, packed, zeros.

namespace dmlcts {

// Cases that execute: a valid descriptor, indices in range.
rc::Gen<Case> validCases();

// One or two mutations away from a valid case. What must happen is what check() says of the
// result: execute, accept (where it is too large to execute), or reject by the first rule broken.
rc::Gen<Case> nearValidCases();

// GATHER_ND with any bits for indices. Most of the output is undefined and not compared; the
// target must survive and leave everything else alone.
rc::Gen<Case> wildCases();

// All of these, in the shares that fuzzing uses.
rc::Gen<Case> fuzzCases();

// Number `index` of the sequence of cases that belongs to a seed.
Case fuzzCase(uint64_t seed, uint64_t index);

// What a case must lead to, after check() and inputProblem(): sets expect and rejectBy.
void expectWhatFollows(Case& testCase);

}  // namespace dmlcts
