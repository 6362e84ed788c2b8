#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// There are no kernels for it.

namespace dmlcts::gpu {

inline bool acceptsIdentity(const ElementWiseIdentity&, Level) { return false; }
inline Plan planIdentity(const ElementWiseIdentity&, const PlanLimits&) { return {}; }

}  // namespace dmlcts::gpu
