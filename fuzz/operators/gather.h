#pragma once

#include <vector>

#include "fuzz/relations.h"

// Fuzz entries of GATHER_ND and GATHER_ND1 (fuzz/operators.h).

namespace dmlcts {

std::vector<Relation> gatherNdRelations();   // for GATHER_ND, and for both
std::vector<Relation> gatherNd1Relations();  // for GATHER_ND1 only

}  // namespace dmlcts
