#pragma once

#include "conformance/cases/families/case_list.h"

// What each family's file defines. A new family is declared here and listed in families.cpp.

namespace dmlcts {

void addDocuments(CaseList& list);
void addMatrix(CaseList& list);
void addGatherAttributes(CaseList& list);
void addNonzeroColumns(CaseList& list);
void addValues(CaseList& list);
void addPositions(CaseList& list);
void addNonzeroSizes(CaseList& list);
void addGatherSizes(CaseList& list);
void addIndices(CaseList& list);
void addInputLayouts(CaseList& list);
void addOutputLayouts(CaseList& list);
void addTotals(CaseList& list);
void addCombinations(CaseList& list);
void addRejections(CaseList& list);
void addLevels(CaseList& list);
void addUndocumented(CaseList& list);
void addLarge(CaseList& list);

}  // namespace dmlcts
