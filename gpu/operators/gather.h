#pragma once

#include "gpu/operators/plan.h"
#include "reference/descriptor.h"
#include "reference/level.h"

// GATHER_ND and GATHER_ND1 on the GPU. One kernel looks up tuples and copies slices: 16-byte texels
// if the layout allows, else single elements. If one tuple's components lie further apart than a
// view reaches, another pass first packs the indices.

namespace dmlcts::gpu {

// True if an implementation of that level accepts the descriptor: the documented tensor support and
// constraints (output sizes as in the worked example, ONNX's on batch dimensions), and the buffer
// rules of tensor_memory.h.
bool acceptsGatherNd(const GatherNd& op, Level level);
bool acceptsGatherNd1(const GatherNd1& op, Level level);

// Plan accepted descriptors only.
Plan planGatherNd(const GatherNd& op, const PlanLimits& limits);
Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits);

}  // namespace dmlcts::gpu
