#pragma once

#include "conformance/families/case_list.h"

// The families: each tests one aspect of the operators, and is one file in this folder.
// In: a CaseList, which knows the family's seeds and the operators to list cases of. Out: the
// family's cases in the list, always the same in the same order.
// tiers/tiers.cpp calls each function; families with a separate part per operator are in
// family_parts.h instead.
//
//   CaseList list(family, edition);
//   addTotals(list);
//   std::vector<Case> cases = list.take();

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
void addBorders(CaseList& list);
void addRejections(CaseList& list);
void addLevels(CaseList& list);
void addUndocumented(CaseList& list);
void addApplications(CaseList& list);
void addInterleavings(CaseList& list);
void addLarge(CaseList& list);

}  // namespace dmlcts
