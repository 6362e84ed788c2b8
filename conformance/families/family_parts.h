#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/facts/operators/entry.h"
#include "conformance/language/fill.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// An operator's part of each family. The family's own file says what it covers, iterates over
// shared parameters (levels, types, …) and calls the parts of its operators.

namespace dmlcts {

class CaseList;
struct BreakableDescriptor;

// A pointer is null if tiers.cpp lists the family by addParts<> and the operator has no part in
// it. `i` counts cases, to rotate through parameters that are not swept.
struct FamilyParts {
  // Also called for levels at which the operator does not exist.
  void (*documents)(CaseList& list, Level level);
  // One documented cell.
  void (*matrix)(CaseList& list, Level level, DataType type, uint32_t rank);
  // For the mode nonzero-graph, of a type that the operator has.
  void (*graphOfTwo)(CaseList& list, Level level, DataType type) = nullptr;
  void (*attributes)(CaseList& list);
  void (*columns)(CaseList& list);
  void (*batches)(CaseList& list);
  // Tensors with sizes based on `count`, of a type that the operator has.
  void (*values)(CaseList& list, DataType type, const Fill& values, uint32_t count, uint64_t i);
  void (*positions)(CaseList& list);
  void (*nonzeroSizes)(CaseList& list);
  // One of about `count` elements; `variant` of its density or its slices, `i` of all else.
  void (*scale)(CaseList& list, uint32_t count, uint64_t variant, uint64_t i);
  void (*gatherSizes)(CaseList& list);
  void (*indices)(CaseList& list);
  void (*inputLayouts)(CaseList& list, uint64_t& i);
  void (*outputLayouts)(CaseList& list, uint64_t& i);
  // Adds `excess` bytes to the tensors selected by the bits of `which`.
  void (*totals)(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i);
  // Rejections of a documented cell (broken.h), and the fill of the valid control descriptors.
  std::vector<BreakableDescriptor> (*breakable)(DataType type, uint32_t rank, Level level);
  FillKind controlFill;
  // Valid descriptors of a documented type, whose sizes differ from each other (borders.cpp).
  std::vector<Descriptor> (*borderControls)(DataType type, Level level);
  // Features of later levels, for a type that the operator has.
  void (*levels)(CaseList& list, DataType type);
  void (*undocumentedTypes)(CaseList& list, Level level);
  void (*undocumentedRanks)(CaseList& list, Level level, DataType type);
  void (*largeLayouts)(CaseList& list);
  void (*large)(CaseList& list);
  void (*largeStrided)(CaseList& list);
  void (*huge)(CaseList& list) = nullptr;
  void (*axes)(CaseList& list) = nullptr;
};

const FamilyParts& partsOf(const OperatorFacts& op);

}  // namespace dmlcts
