#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/inputs/inputs.h"
#include "reference/descriptor.h"
#include "reference/per_operator.h"

// Relations between a target's results for related cases. They need no oracle, so they detect
// errors that reference and target share.

namespace dmlcts {

// The outputs of an execution, in slot order: the elements of each, packed, row-major.
using Outputs = std::vector<std::vector<uint8_t>>;

class Tester;  // subject.h

struct Relation {
  std::string_view name;
  std::string_view statement;  // the property, in one sentence
  std::string_view because;    // a rule's id, or a reason
  bool (*applies)(const Case& testCase);
  // Returns how the target violated it, or "". Requires applies().
  std::string (*violation)(const Case& testCase, Tester& tester);
};

// All relations. Each applies to many executed cases.
std::span<const Relation> relations();

// Tensors with more elements than this are not written out in case strings.
inline constexpr uint64_t kMostExplicitElements = 512;

// Converts packed bytes to elements of that type.
std::vector<uint64_t> elementsOf(DataType type, std::span<const uint8_t> packed);

// Returns the defined part of the outputs: without rows past the count.
Outputs definedOutputs(const Case& testCase, Outputs outputs);

// Per-operator knowledge of fuzzing.
template <class Operator>
struct FuzzEntry {
  // Returns a cheap descriptor (one byte per element) whose input has that many elements. Null if
  // such size makes no difference.
  Operator (*huge)(uint32_t elements);

  // Removes undefined elements from the packed outputs. Null if there are none.
  void (*keepDefined)(const Operator& op, Outputs& outputs);

  // The operator's relations.
  std::vector<Relation> (*relations)();
};

extern const PerOperator<FuzzEntry> kFuzz;

// Fuzz entries of GATHER_ND and GATHER_ND1.

std::vector<Relation> gatherNdRelations();   // for GATHER_ND, and for both
std::vector<Relation> gatherNd1Relations();  // for GATHER_ND1 only

// Fuzz entry of NONZERO_COORDINATES.

NonzeroCoordinates hugeNonzeroCoordinates(uint32_t elements);

// Removes the rows past the count, which are undefined.
void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs);

std::vector<Relation> nonzeroRelations();

}  // namespace dmlcts
