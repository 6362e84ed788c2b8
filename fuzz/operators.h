#pragma once

#include <vector>

#include "fuzz/relations.h"
#include "reference/descriptor.h"
#include "reference/per_operator.h"

// Per-operator knowledge of fuzzing.

namespace dmlcts {

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
