#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/language/case.h"

// Facts about an executing case that its case string does not contain: the contents of its inputs
// (`has=` in a query), and the class of its operator's own attributes (`attributes=`).

namespace dmlcts {

enum class Trait : uint8_t {
  Zero,           // an element of the input is 0 or -0
  Nonzero,        // an element is neither
  OneNonzero,     // exactly one element is neither
  MinusZero,      // a floating-point element is -0
  Denormal,       // a floating-point element is denormal
  Small,          // a normal element becomes 0 in the next narrower floating-point type
  Infinity,       // a floating-point element is infinite
  Nan,            // a floating-point element is a NaN
  NegativeIndex,  // a signed index is below 0
  Weak,           // the case as a whole: see weak.h
};

// The traits' names in queries.
inline constexpr std::array<std::string_view, 10> kTraitNames{
    "zero",  "nonzero",  "one-nonzero", "minus-zero",     "denormal",
    "small", "infinity", "nan",         "negative-index", "weak"};

struct Traits {
  uint32_t bits = 0;  // 1 << Trait
  bool has(Trait trait) const { return (bits >> static_cast<uint32_t>(trait) & 1) != 0; }
};

// Returns the case's traits; none if it does not execute or has an inputProblem(). May examine
// every element.
Traits traitsOf(const Case& testCase);

// Like traitsOf(), but returns nothing if it would take more than about a second.
std::optional<Traits> quickTraitsOf(const Case& testCase);

// Contents of a case's inputs, found when it is judged. Never has Trait::Weak: that takes longer
// than all other traits together.
struct InputFacts {
  Traits traits;
  uint64_t denormals = 0;  // number in the input
};

// Uses the bytes that makeInputs() returned.
InputFacts inputFactsOf(const Case& testCase, std::span<const std::vector<uint8_t>> inputs);

// Computes the inputs itself; nothing if that would take more than about a second. Requires a case
// without inputProblem(), or one that does not execute.
std::optional<InputFacts> inputFactsOf(const Case& testCase);

// Returns kTraitNames for journals: "zero nonzero".
std::string wordsOf(Traits traits);

// Inverse of wordsOf(). Ignores words unknown to this version.
Traits parseTraits(std::string_view words);

// Returns OperatorFacts::attributes as one word ("partial-tuples"). Returns "" for cases without
// traits.
std::string attributesOf(const Case& testCase);

}  // namespace dmlcts
