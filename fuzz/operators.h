#pragma once

#include <vector>

#include "fuzz/choice.h"
#include "fuzz/relations.h"
#include "reference/level.h"
#include "reference/per_operator.h"

// What fuzzing knows of each operator.

namespace dmlcts {

template <class Operator>
struct FuzzEntry {
  // A descriptor that keeps every rule at that level, which has the operator: any type, rank,
  // layout, size and excess of totals. `size` is rapidcheck's, 0 to 100.
  Operator (*draw)(Choice& choice, Level level, int size);

  // One whose input has that many elements, as cheap as it gets: a byte an element. Null where one
  // so large would be no different.
  Operator (*huge)(uint32_t elements);

  // Valid or not, with plainer shapes, packed, simplest first (simpler_shapes.h).
  std::vector<Descriptor> (*plainer)(const Operator& op);

  // `after` comes from `before` by changes of sizes: makes other sizes follow that depended on
  // those (simpler_rejects.h). Null where none do.
  void (*follow)(const Operator& before, Operator& after);

  // Appends what has fewer dimensions in several tensors at once. Null where there is no such
  // thing.
  void (*fewer)(const Operator& op, std::vector<Descriptor>& all);

  // Cuts what the document leaves undefined off the packed outputs. Null where nothing is.
  void (*keepDefined)(const Operator& op, Outputs& outputs);

  // Its relations.
  std::vector<Relation> (*relations)();
};

extern const PerOperator<FuzzEntry> kFuzz;

}  // namespace dmlcts
