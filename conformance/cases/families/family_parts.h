#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/cases/fill.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// An operator's part of each family. The family's own file says what it covers, walks what all
// operators share (levels, types, …) and asks those of its list.

namespace dmlcts {

class CaseList;
struct BreakableDescriptor;

// A null pointer, where families.cpp lists the family by addParts<>: it has nothing to say of the
// operator. `i` counts cases, for rotating through what is not swept.
struct FamilyParts {
  // At that level, which may be one that the operator does not exist at.
  void (*documents)(CaseList& list, Level level);
  // One documented cell.
  void (*matrix)(CaseList& list, Level level, DataType type, uint32_t rank);
  void (*attributes)(CaseList& list);
  void (*columns)(CaseList& list);
  void (*batches)(CaseList& list);
  // Tensors of that many elements, of a type that the operator has.
  void (*values)(CaseList& list, DataType type, const Fill& values, uint32_t count, uint64_t i);
  void (*positions)(CaseList& list);
  void (*nonzeroSizes)(CaseList& list);
  void (*gatherSizes)(CaseList& list);
  void (*indices)(CaseList& list);
  void (*inputLayouts)(CaseList& list, uint64_t& i);
  void (*outputLayouts)(CaseList& list, uint64_t& i);
  // `excess` bytes more on the tensors that the bits of `which` name.
  void (*totals)(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i);
  // Rejections of a documented cell (broken.h), how many of them a cell takes at most, and the fill
  // of the valid descriptors beside them.
  std::vector<BreakableDescriptor> (*breakable)(DataType type, uint32_t rank, Level level);
  size_t mostRejections;
  FillKind controlFill;
  // What later levels have, for a type that the operator has.
  void (*levels)(CaseList& list, DataType type);
  void (*undocumentedTypes)(CaseList& list, Level level);
  void (*undocumentedRanks)(CaseList& list, Level level, DataType type);
  void (*largeLayouts)(CaseList& list);
  void (*large)(CaseList& list);
  void (*largeStrided)(CaseList& list);
  void (*huge)(CaseList& list) = nullptr;
  void (*axes)(CaseList& list) = nullptr;
};

}  // namespace dmlcts
