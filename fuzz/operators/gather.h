#pragma once

#include <vector>

#include "fuzz/choice.h"
#include "fuzz/relations.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// What fuzzing knows of GATHER_ND and GATHER_ND1 (fuzz/operators.h).

namespace dmlcts {

GatherNd drawGatherNd(Choice& choice, Level level, int size);
GatherNd1 drawGatherNd1(Choice& choice, Level level, int size);

std::vector<Descriptor> plainerGatherNds(const GatherNd& op);
std::vector<Descriptor> plainerGatherNd1s(const GatherNd1& op);

std::vector<Relation> gatherNdRelations();   // of GATHER_ND, and of both
std::vector<Relation> gatherNd1Relations();  // of GATHER_ND1 alone

}  // namespace dmlcts
