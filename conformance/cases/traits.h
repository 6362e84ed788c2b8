#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"

// What is true of a case that executes and that its case string does not spell out: what the
// elements of its inputs are (`has=` of a query), and the class of its operator's own attributes
// (`attributes=`).

namespace dmlcts {

enum class Trait : uint8_t {
  Zero,           // an element of the input is 0 or -0
  Nonzero,        // one is something else
  OneNonzero,     // exactly one is
  MinusZero,      // a floating point element is -0,
  Denormal,       // denormal,
  Infinity,       // infinite,
  Nan,            // or a NaN
  NegativeIndex,  // a signed index is below 0
  Weak,           // of the case as a whole: see weak.h
};

// In queries.
inline constexpr std::array<std::string_view, 9> kTraitNames{
    "zero",     "nonzero", "one-nonzero",    "minus-zero", "denormal",
    "infinity", "nan",     "negative-index", "weak"};

struct Traits {
  uint32_t bits = 0;  // 1 << Trait
  bool has(Trait trait) const { return (bits >> static_cast<uint32_t>(trait) & 1) != 0; }
};

// None of a case that does not execute, or that has an inputProblem(). Looks at every element,
// where it must.
Traits traitsOf(const Case& testCase);

// The same, or nothing where it would take more than about a second.
std::optional<Traits> quickTraitsOf(const Case& testCase);

// What the inputs of a case are found to hold when it is judged. Trait::Weak is not among the
// traits: to find out takes longer than all the rest.
struct InputFacts {
  Traits traits;
  uint64_t denormals = 0;  // elements of the input
};

// Of the bytes that makeInputs() returns.
InputFacts inputFactsOf(const Case& testCase, std::span<const std::vector<uint8_t>> inputs);

// Without them; nothing where it would take more than about a second. Requires a case without
// inputProblem(), or one that does not execute.
std::optional<InputFacts> inputFactsOf(const Case& testCase);

// "zero nonzero": kTraitNames, as journals keep them.
std::string wordsOf(Traits traits);

// wordsOf()'s inverse, without words that this version does not have.
Traits parseTraits(std::string_view words);

// "partial-tuples": OperatorFacts::attributes without spaces and commas; "" where traitsOf() has
// nothing to look at.
std::string attributesOf(const Case& testCase);

}  // namespace dmlcts
