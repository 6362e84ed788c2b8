#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/cases/labels.h"

// Which combinations of parameter values a case that executes can have: all but those that break a
// constraint, each of which says why.

namespace dmlcts {

// Some parameters' values. The others are kAny.
using PartialLabels = Labels;
inline constexpr uint8_t kAny = 0xFF;

// All kAny.
PartialLabels anyLabels();

struct Constraint {
  std::string_view reason;
  std::vector<Parameter> of;
  bool (*breaks)(const Labels& labels);  // asked only when the parameters `of` have values
};

std::span<const Constraint> constraints();

// The first constraint that these values break by themselves, or nullptr.
const Constraint* brokenConstraint(const PartialLabels& labels);

// The values, with some for the parameters that have none, that break no constraint; nothing when
// there are no such.
std::optional<Labels> completed(const PartialLabels& labels);

// A choice of parameters, and each combination of their values that some complete labels have.
struct Combinations {
  std::vector<Parameter> parameters;
  std::vector<PartialLabels> possible;  // ascending
};

// For each choice of `strength` parameters.
std::vector<Combinations> possibleCombinations(uint32_t strength);

}  // namespace dmlcts
