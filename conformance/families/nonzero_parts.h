#pragma once

#include "conformance/families/case_list.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/rejections/broken.h"
#include "conformance/language/build.h"

// The family parts of NONZERO_COORDINATES, each defined in its family's file.

namespace dmlcts {

void addNonzeroDocuments(CaseList& list, Level level);
void addNonzeroCell(CaseList& list, Level level, DataType type, uint32_t rank);
void addNonzeroColumns(CaseList& list);
void addNonzeroValues(CaseList& list, DataType type, const Fill& values, uint32_t count,
                      uint64_t i);
void addNonzeroPositions(CaseList& list);
void addNonzeroSizes(CaseList& list);
void addNonzeroScale(CaseList& list, uint32_t count, uint64_t variant, uint64_t i);
void addNonzeroInputLayouts(CaseList& list, uint64_t& i);
void addNonzeroOutputLayouts(CaseList& list, uint64_t& i);
void addNonzeroTotals(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i);
std::vector<BreakableDescriptor> breakableNonzero(DataType type, uint32_t rank, Level level);
std::vector<Descriptor> nonzeroBorderControls(DataType type, Level level);
void addNonzeroLevels(CaseList& list, DataType type);
void addNonzeroUndocumentedTypes(CaseList& list, Level level);
void addNonzeroUndocumentedRanks(CaseList& list, Level level, DataType type);
void addNonzeroLargeLayouts(CaseList& list);
void addNonzeroAxes(CaseList& list);
void addNonzeroLarge(CaseList& list);
void addNonzeroLargeStrided(CaseList& list);
void addNonzeroHuge(CaseList& list);

}  // namespace dmlcts
