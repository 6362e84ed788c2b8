#pragma once

#include "conformance/tiers/case_list.h"

// Families that combine all operators. Families with a separate part per operator appear only in
// families.cpp.

namespace dmlcts {

void addDocuments(CaseList& list);
void addPeers(CaseList& list);
void addMatrix(CaseList& list);
void addModes(CaseList& list);
void addValues(CaseList& list);
void addInputLayouts(CaseList& list);
void addOutputLayouts(CaseList& list);
void addScales(CaseList& list);
void addTotals(CaseList& list);
void addBuffers(CaseList& list);
void addCombinations(CaseList& list);
void addBorders(CaseList& list);
void addRejections(CaseList& list);
void addLevels(CaseList& list);
void addUndocumented(CaseList& list);
void addApplications(CaseList& list);
void addInterleavings(CaseList& list);
void addLarge(CaseList& list);
void addLargeCombinations(CaseList& list);

}  // namespace dmlcts
