#pragma once

#include <array>
#include <functional>
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
  // Asked only when the parameters `of` have values.
  std::function<bool(const Labels& labels)> breaks;
  bool isOfWorth = false;  // there can be such cases, but most would be vacuous or weak
};

// Those that hold for all operators, in terms of what their entries say, and those of each operator
// (operators.h), which do not bind the others.
std::span<const Constraint> constraints();

// The values of each parameter that are looked at, by number, ascending.
using Domain = std::array<std::vector<uint8_t>, kParameters>;
const Domain& allValues();
// Those that `default` combines: inputs of no more than 65,535 groups of 64; and `large`: of more.
const Domain& defaultValues();
const Domain& largeValues();
// Without the operators of other editions (case_entry.h) and their attributes.
Domain valuesOfEdition(uint32_t edition, Domain domain);

// For constraints: whether a layout label is of a permutation, and whether it tells itself from
// others in two dimensions only (a single one has one stride: packed, step or broadcast).
bool isPerm(uint8_t layout);
bool needsTwoDimensions(uint8_t layout);

// Whether a tensor can have that layout of which so many dimensions at most have several elements.
bool hasLayout(uint32_t several, uint8_t layout);

// The first constraint that these values break by themselves, or nullptr.
const Constraint* brokenConstraint(const PartialLabels& labels);

// The values, with some for the parameters that have none, that break no constraint; nothing when
// there are no such.
std::optional<Labels> completed(const PartialLabels& labels, const Domain& domain = allValues());

// A choice of parameters, and each combination of their values that some complete labels have.
struct Combinations {
  std::vector<Parameter> parameters;
  std::vector<PartialLabels> possible;  // ascending
};

// Each choice of `strength` parameters.
std::vector<std::vector<Parameter>> parameterChoices(uint32_t strength);

// For each choice of `strength` parameters. Takes seconds; families/combinations.h has the same
// from a file.
std::vector<Combinations> possibleCombinations(uint32_t strength,
                                               const Domain& domain = defaultValues());

}  // namespace dmlcts
