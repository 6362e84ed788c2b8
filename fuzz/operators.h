#pragma once

#include <vector>

#include "fuzz/relations.h"
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

}  // namespace dmlcts
