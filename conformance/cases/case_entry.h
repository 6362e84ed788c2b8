#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/cases/families/family_parts.h"
#include "conformance/cases/generate.h"
#include "conformance/cases/labels.h"
#include "conformance/cases/parameter_space.h"
#include "reference/descriptor.h"
#include "reference/evaluate.h"
#include "reference/level.h"

// What the cases have to know of an operator. The table of them is in operators.h.

namespace dmlcts {

// What holds for every descriptor of an operator.
struct OperatorFacts {
  std::string_view name;
  // Cases keep their names and Smoke its sample: operators that are added later are numbered,
  // sampled and combined by themselves.
  uint32_t edition;
  // The slot of the indices tensor (`index=`), as tensors() counts; nothing without one.
  std::optional<size_t> indicesSlot;
  // The slot of the output that follows the input's data or shape: its layout is a parameter.
  size_t outputSlot;
  // What its document lists at a level; all empty where the operator does not exist.
  std::vector<DataType> (*dataTypes)(Level level);        // of InputTensor
  std::vector<DataType> (*indexTypes)(Level level);       // none without an indices tensor
  std::vector<uint32_t> (*dimensionCounts)(Level level);  // of InputTensor
  // What classes the attributes of its cases fall into, in words. Operators may share some.
  std::span<const std::string_view> (*attributes)();
  std::string_view attributesRule;  // that says which are valid, without the operator's name
  std::span<const Constraint> (*constraints)();  // that only it has
  const FamilyParts* families;                   // never null
};

// Another descriptor, maybe of another operator, that asks a target for the same outputs: tensors
// in the same order, of the same bytes. What one of the two must accept, the other may have to
// reject.
template <class Operator>
struct Detour {
  std::string_view name;  // for `--mode`
  std::string_view what;  // one line
  Descriptor (*descriptor)(const Operator& op);
};

// How an operator selects what it copies: measures (measures.h). All 0 where its descriptor does
// not say.
struct Selection {
  uint64_t tuple = 0;  // coordinates of an index tuple
  uint64_t batches = 0;
  uint64_t slice = 0;  // elements that a tuple selects
};

template <class Operator>
struct CaseEntry {
  OperatorFacts facts;

  // The case string (operator_syntax.h says more).
  std::span<TensorDesc Operator::* const> tensors;  // in the order of tensors()
  std::optional<DataType> (*defaultType)(const Operator& op, size_t slot);
  std::optional<std::vector<uint32_t>> (*defaultSizes)(const Operator& op, size_t slot);
  std::span<uint32_t Operator::* const> dimensionCounts;  // in the order of `dims=`
  std::vector<uint32_t> (*defaultDimensionCounts)(const Operator& op);

  // Inputs. Why there are no indices that could be in range, or nothing; and where there is no such
  // problem, the sizes of the dimensions that the coordinates of a tuple index. Asked only where
  // there is an indices tensor.
  std::optional<std::string> (*indexProblem)(const Operator& op);
  std::vector<uint32_t> (*indexedDimensions)(const Operator& op);

  // The parameter space. The class of its attributes, as a position in `attributes`; that is also
  // what constraints and generate() find at Parameter::Attributes.
  uint8_t (*attributesOf)(const Operator& op);

  // A valid descriptor out of choices, packed (generate.h). The labels of level, types and rank are
  // given.
  Operator (*generate)(Choices& choices, const Wanted& wanted);

  // A packed descriptor of as few elements as there can be, with an input of that type and
  // DimensionCount (at least 1). It breaks the rules that speak of these, and no others.
  Operator (*simplest)(DataType type, uint32_t rank);

  // Simpler neighbours (simpler.h) of a valid descriptor: of plainer shapes, packed, simplest
  // first. Not all need be valid.
  std::vector<Descriptor> (*simpler)(const Operator& op);
  // The same for any descriptor. `after` comes from `before` by changes of sizes: makes other sizes
  // follow that depended on those. Null where none do.
  void (*follow)(const Operator& before, Operator& after);
  // Appends what has fewer dimensions in several tensors at once. Null where there is no such
  // thing.
  void (*fewer)(const Operator& op, std::vector<Descriptor>& all);
  // Fills to try in place of a case's own, plainest first: those before its own.
  std::vector<FillKind> (*plainFills)();

  // Other descriptors that ask for the same.
  std::span<const Detour<Operator>> detours;

  // Why an input of those bytes could not tell a broken target from a right one, or "" when it can.
  std::string_view (*vacuous)(const Operator& op, std::span<const uint8_t> input);
  // Why an input of those bytes, with these outputs, is weak (weak.h), or "" when it is not.
  std::string_view (*weak)(const Operator& op, std::span<const uint8_t> input,
                           std::span<const ReferenceOutput> expected);

  // Appends the operator's rules that the case, which is valid, brings into play (rules_of.h).
  void (*addRules)(const Operator& op, const Case& testCase, std::vector<std::string_view>& rules);

  // Null of operators that select nothing.
  Selection (*selection)(const Operator& op) = nullptr;
};

}  // namespace dmlcts
