#include "gpu/operators/gather.h"

namespace dmlcts::gpu {

namespace {

// GATHER_ND has no batches.
GatherNd1 withoutBatches(const GatherNd& op) {
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
}

}  // namespace

bool acceptsGatherNd(const GatherNd& op, Level level) {
  if (level < Level::L2_1) return false;
  const bool first = level < Level::L3_0;  // its documentation has one rank and one index type
  if (first && (op.input.sizes.size() != 4 || op.indices.type != DataType::UInt32)) return false;
  return acceptsGather(withoutBatches(op), level);
}

bool acceptsGatherNd1(const GatherNd1& op, Level level) {
  return level >= Level::L3_0 && acceptsGather(op, level);
}

Plan planGatherNd(const GatherNd& op, const PlanLimits& limits) {
  return planGatherNd1(withoutBatches(op), limits);
}

}  // namespace dmlcts::gpu
