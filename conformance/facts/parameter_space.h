#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/facts/labels.h"

// The combinations of parameter values that an executing case can have: all that break no
// constraint. Each constraint states its reason.

namespace dmlcts {

// Values of some parameters; the others are kAny.
using PartialLabels = Labels;
inline constexpr uint8_t kAny = 0xFF;

PartialLabels anyLabels();

struct Constraint {
  std::string_view reason;
  std::vector<Parameter> of;
  // Called only if all parameters in `of` have values.
  std::function<bool(const Labels& labels)> breaks;
  bool isOfWorth = false;  // such cases can exist, but most would be vacuous or weak

  bool isBrokenBy(const PartialLabels& labels) const;
};

// Returns the constraints common to all operators, derived from their entries, and each operator's
// own (operators.h), which apply to it alone.
std::span<const Constraint> constraints();

// For constraints. isPerm: true for a permutation. needsTwoDimensions: true if the label cannot
// occur in one dimension, which has one stride: packed, step or broadcast.
bool isPerm(uint8_t layout);
bool needsTwoDimensions(uint8_t layout);

// True if a tensor with at most `several` dimensions of size above 1 can have this layout.
bool hasLayout(uint32_t several, uint8_t layout);

// Returns the first constraint that these values alone break, or nullptr.
const Constraint* brokenConstraint(const PartialLabels& labels);

// Some parameters, and every combination of their values that occurs in complete labels.
struct Combinations {
  std::vector<Parameter> parameters;
  std::vector<PartialLabels> possible;  // ascending
};

// Returns every choice of `strength` parameters.
std::vector<std::vector<Parameter>> parameterChoices(uint32_t strength);

}  // namespace dmlcts
