#pragma once

#include "conformance/families/case_list.h"

// The families: each tests one aspect of the operators, and is one file in this folder.
// In: a CaseList, which knows the family's seeds and the operators to list cases of. Out: the
// family's cases in the list, always the same in the same order.
// tiers/tiers.cpp calls each function, and combinations.h has two more.
//
//   CaseList list(family, edition);
//   addTotals(list);
//   std::vector<Case> cases = list.take();

namespace dmlcts {

void addDocuments(CaseList& list);
void addPeers(CaseList& list);
void addMatrix(CaseList& list);
void addModes(CaseList& list);
void addAttributes(CaseList& list);
void addColumns(CaseList& list);
void addBatches(CaseList& list);
void addValues(CaseList& list);
void addPositions(CaseList& list);
void addNonzeroSizes(CaseList& list);
void addGatherSizes(CaseList& list);
void addScales(CaseList& list);
void addIndices(CaseList& list);
void addInputLayouts(CaseList& list);
void addOutputLayouts(CaseList& list);
void addInterleavings(CaseList& list);
void addLargeLayouts(CaseList& list);
void addAxes(CaseList& list);
void addTotals(CaseList& list);
void addBuffers(CaseList& list);
void addRejections(CaseList& list);
void addBorders(CaseList& list);
void addLevels(CaseList& list);
void addUndocumented(CaseList& list);
void addApplications(CaseList& list);
void addLarge(CaseList& list);
void addHuge(CaseList& list);

// One documented cell of the matrix: an operator, a level, a data type and a dimension count.
void addMatrixCell(CaseList& list, const OperatorFacts& op, Level level, DataType type,
                   uint32_t rank);

}  // namespace dmlcts
