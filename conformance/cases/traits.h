#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
// where it must. `weak`: whether the case is, where the caller knows; to find out takes longer than
// all the rest.
Traits traitsOf(const Case& testCase, std::optional<bool> weak = {});

// The same, or nothing where it would take more than about a second.
std::optional<Traits> quickTraitsOf(const Case& testCase, std::optional<bool> weak = {});

// "partial-tuples": OperatorFacts::attributes without spaces and commas; "" where traitsOf() has
// nothing to look at.
std::string attributesOf(const Case& testCase);

}  // namespace dmlcts
