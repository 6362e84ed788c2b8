#pragma once

#include "conformance/families/case_list.h"

// The families: each tests one aspect of the operators, and is one file in this folder.
// In: a CaseList, which knows the family's seeds and the operators to list cases of. Out: the
// family's cases in the list, always the same in the same order.
// facts/families.def lists the functions; tiers/tiers.cpp calls each.
//
//   CaseList list(family, edition);
//   addTotals(list);
//   std::vector<Case> cases = list.take();

namespace dmlcts {

#define FAMILY(add, ...) void add(CaseList& list);
#include "conformance/facts/families.def"
#undef FAMILY

// One documented cell of the matrix: an operator, a level, a data type and a dimension count.
void addMatrixCell(CaseList& list, const OperatorFacts& op, Level level, DataType type,
                   uint32_t rank);

}  // namespace dmlcts
