#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/inputs/choices.h"
#include "conformance/language/case.h"

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

// Variants of a case in which one part changes and the expectation stays.
struct Variants {
  std::string part;  // "level", "input type", "layout of indices", …
  std::vector<Case> cases;
};

// Returns the variants for each part that can be changed alone.
std::vector<Variants> variantsOf(const Case& testCase);

// Changes one thing in a case's level or descriptor, to a nearby or extreme value, valid or not. A
// total size may follow the change or not.
void mutate(Choices& choices, Case& testCase);

}  // namespace dmlcts
