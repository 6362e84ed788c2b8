#pragma once

#include <vector>

#include "fuzz/relations.h"

// What fuzzing knows of GATHER_ND and GATHER_ND1 (fuzz/operators.h).

namespace dmlcts {

std::vector<Relation> gatherNdRelations();   // of GATHER_ND, and of both
std::vector<Relation> gatherNd1Relations();  // of GATHER_ND1 alone

}  // namespace dmlcts
