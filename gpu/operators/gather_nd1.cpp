#include "gpu/operators/gather_nd1.h"

#include "gpu/operators/gather.h"

namespace dmlcts::gpu {

namespace {

GatherDesc gatherOf(const GatherNd1& op) {
  return {op.input,
          op.indices,
          op.output,
          op.inputDimensionCount,
          op.indicesDimensionCount,
          op.batchDimensionCount};
}

}  // namespace

bool acceptsGatherNd1(const GatherNd1& op, Level level) {
  if (level < Level::L3_0) return false;
  return acceptsGather(gatherOf(op), level);
}

Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits) {
  return planGather(gatherOf(op), limits);
}

}  // namespace dmlcts::gpu
