#pragma once

#include <vector>

#include "fuzz/relations.h"
#include "reference/per_operator.h"

// What fuzzing knows of each operator.

namespace dmlcts {

template <class Operator>
struct FuzzEntry {
  // One whose input has that many elements, as cheap as it gets: a byte an element. Null where one
  // so large would be no different.
  Operator (*huge)(uint32_t elements);

  // Cuts what the document leaves undefined off the packed outputs. Null where nothing is.
  void (*keepDefined)(const Operator& op, Outputs& outputs);

  // Its relations.
  std::vector<Relation> (*relations)();
};

extern const PerOperator<FuzzEntry> kFuzz;

}  // namespace dmlcts
