#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/labels.h"
#include "conformance/facts/parameter_space.h"
#include "conformance/language/case.h"
#include "conformance/tiers/family_parts.h"
#include "conformance/tiers/generate.h"
#include "reference/descriptor.h"
#include "reference/evaluate.h"
#include "reference/level.h"

// Per-operator knowledge of the case layer. operators.h has the table.

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
  std::span<const std::string_view> (*attributes)();
  std::string_view attributesRule;  // rule of valid attributes; id without the operator's name
  std::span<const Constraint> (*constraints)();  // constraints of this operator only
  const FamilyParts* families;                   // never null
};

// Another descriptor, possibly of another operator, that produces the same outputs: same tensor
// order, same bytes. A level may accept one of the two and reject the other.
template <class Operator>
struct EquivalentDescriptor {
  std::string_view name;  // name for `--mode`
  std::string_view what;  // one-line description
  Descriptor (*descriptor)(const Operator& op);
};

// Selection sizes of an operator, for facts (facts.h). All 0 if the descriptor does not
// determine them.
struct Selection {
  uint64_t tuple = 0;  // coordinates per index tuple
  uint64_t batches = 0;
  uint64_t slice = 0;  // elements that one tuple selects
};

template <class Operator>
struct CaseEntry {
  OperatorFacts facts;

  // Case string (see operator_syntax.h).
  std::span<TensorDesc Operator::* const> tensors;  // in the order of tensors()
  std::optional<DataType> (*defaultType)(const Operator& op, size_t slot);
  std::optional<std::vector<uint32_t>> (*defaultSizes)(const Operator& op, size_t slot);
  std::span<uint32_t Operator::* const> dimensionCounts;  // in the order of `dims=`
  std::vector<uint32_t> (*defaultDimensionCounts)(const Operator& op);

  // Inputs. indexProblem() returns why no index can be in range, or nothing. Without a problem,
  // indexedDimensions() returns the sizes of the dimensions that a tuple's coordinates index.
  // Called only for operators with an indices tensor.
  std::optional<std::string> (*indexProblem)(const Operator& op);
  std::vector<uint32_t> (*indexedDimensions)(const Operator& op);

  // Parameter space. Returns the class of its attributes, as a position in `attributes`.
  // Constraints and generate() see the same number at Parameter::Attributes.
  uint8_t (*attributesOf)(const Operator& op);

  // Builds a valid packed descriptor from choices (generate.h). `wanted` always gives level, types
  // and rank.
  Operator (*generate)(Choices& choices, const Wanted& wanted);

  // Returns a packed descriptor with as few elements as possible, and an input of this type and
  // DimensionCount (at least 1). It breaks only rules about these two.
  Operator (*simplest)(DataType type, uint32_t rank);

  // Returns simpler packed neighbours (simpler.h) of a valid descriptor, simplest first. Some may
  // be invalid.
  std::vector<Descriptor> (*simpler)(const Operator& op);
  // Variant for any descriptor: `after` is `before` with changed sizes. Adjusts the sizes that
  // depend on the changed ones. Null if none do.
  void (*follow)(const Operator& before, Operator& after);
  // Appends variants with fewer dimensions in several tensors at once. Null if there are none.
  void (*fewer)(const Operator& op, std::vector<Descriptor>& all);
  // Returns the fills to try instead of a case's own, plainest first, up to its own.
  std::vector<FillKind> (*plainFills)();

  // Equivalent descriptors.
  std::span<const EquivalentDescriptor<Operator>> equivalents;

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
