#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/facts/parameter_space.h"
#include "conformance/language/case.h"
#include "reference/evaluate.h"

// An operator adds this to the facts of its cases. facts/operators.h has the table.

namespace dmlcts {

// Facts that hold for every descriptor of an operator.
struct OperatorFacts {
  std::string_view name;
  // Operators added later get a new number. They are sampled and combined separately, so existing
  // cases keep their names and Smoke its sample.
  uint32_t edition;
  // Slot of the indices tensor (`index=`) in tensors(); nothing if there is none.
  std::optional<size_t> indicesSlot;
  // Slot of the output that follows the input's data or shape; its layout is a parameter.
  size_t outputSlot;
  // Lists of the operator's document at a level; empty if the operator does not exist there.
  std::vector<DataType> (*dataTypes)(Level level);        // of InputTensor
  std::vector<DataType> (*indexTypes)(Level level);       // empty without an indices tensor
  std::vector<uint32_t> (*dimensionCounts)(Level level);  // of InputTensor
  // Classes of its attributes, in words. Operators may share some.
  std::span<const std::string_view> attributes;
  std::string_view attributesRule;  // rule of valid attributes; id without the operator's name
  std::vector<Constraint> (*constraints)();  // constraints of this operator only
};

// Selection sizes of an operator, for facts (facts.h). All 0 if the descriptor does not
// determine them.
struct Selection {
  uint64_t tuple = 0;  // coordinates per index tuple
  uint64_t batches = 0;
  uint64_t slice = 0;  // elements that one tuple selects
};

template <class Operator>
struct FactsEntry {
  OperatorFacts facts;

  // Returns a packed descriptor with as few elements as possible, and an input of this type and
  // DimensionCount (at least 1). It breaks only rules about these two.
  Operator (*simplest)(DataType type, uint32_t rank);

  // Parameter space. Returns the class of its attributes, as a position in `attributes`.
  // Constraints and generate() see the same number at Parameter::Attributes.
  uint8_t (*attributesOf)(const Operator& op);

  // Returns why this input could not expose a broken target, or "" if it can.
  std::string_view (*vacuous)(const Operator& op, std::span<const uint8_t> input);
  // Returns why this input with these outputs is weak (weak.h), or "" if it is not.
  std::string_view (*weak)(const Operator& op, std::span<const uint8_t> input,
                           std::span<const ReferenceOutput> expected);

  // Appends the operator's rules that a valid case exercises (rules_of.h).
  void (*addRules)(const Operator& op, const Case& testCase, std::vector<std::string_view>& rules);

  // Null for operators that select nothing.
  Selection (*selection)(const Operator& op) = nullptr;
};

}  // namespace dmlcts
