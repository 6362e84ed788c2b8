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

bool supportedType(DataType type, Level level) {
  const uint32_t bytes = info(type).bytes;
  return bytes >= 1 && bytes <= (level < Level::L4_1 ? 4u : 8u);
}

}  // namespace

bool acceptsGatherNd1(const GatherNd1& op, Level level) {
  if (level < Level::L3_0) return false;
  return supportedType(op.input.type, level) && acceptsGather(gatherOf(op));
}

Plan planGatherNd1(const GatherNd1& op, const PlanLimits& limits) {
  return planGather(gatherOf(op), limits);
}

}  // namespace dmlcts::gpu
