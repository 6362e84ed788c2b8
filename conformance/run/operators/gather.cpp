#include "conformance/run/operators/gather.h"

#include <algorithm>

#include "reference/gather_nd.h"
#include "reference/gather_nd1.h"

namespace dmlcts {
namespace {

uint32_t batchesOf(const GatherNd&) { return 0; }
uint32_t batchesOf(const GatherNd1& op) { return op.batchDimensionCount; }
void dropBatch(GatherNd&) {}
void dropBatch(GatherNd1& op) { op.batchDimensionCount -= op.batchDimensionCount > 0 ? 1 : 0; }
std::vector<uint32_t> outputSizesOf(const GatherNd& op) { return gatherNdOutputSizes(op); }
std::vector<uint32_t> outputSizesOf(const GatherNd1& op) { return gatherNd1OutputSizes(op); }

// Either operator that gathers. The indices have the input's batches.
template <class Gather>
void refitGather(Gather& op) {
  const size_t rank = op.input.sizes.size();
  const uint32_t batches = batchesOf(op);
  op.output.sizes.assign(rank, 1);
  if (batches < op.inputDimensionCount && batches < op.indicesDimensionCount) {
    std::copy_n(op.input.sizes.end() - op.inputDimensionCount, batches,
                op.indices.sizes.end() - op.indicesDimensionCount);
    const uint32_t indexed = op.inputDimensionCount - batches;
    const uint32_t tupleSize = op.indices.sizes.back();
    if (tupleSize <= indexed && op.indicesDimensionCount - 1 + indexed - tupleSize <= rank) {
      op.output.sizes = outputSizesOf(op);
    }
  }
  for (TensorDesc* tensor : {&op.input, &op.indices, &op.output}) pack(*tensor);
}

}  // namespace

template <class Gather>
void addGatherShapes(const Gather& op, Neighbours& neighbours) {
  neighbours.addChanged<Gather>([](Gather& each) {
    if (!dropLeading(each.input) || !dropLeading(each.indices)) return false;
    const auto rank = static_cast<uint32_t>(each.input.sizes.size());
    if (each.inputDimensionCount > rank && each.indicesDimensionCount > rank) dropBatch(each);
    each.inputDimensionCount = std::min(each.inputDimensionCount, rank);
    each.indicesDimensionCount = std::min(each.indicesDimensionCount, rank);
    refitGather(each);
    return true;
  });
  // Without the first batch dimension, where it is of size 1.
  neighbours.addChanged<Gather>([](Gather& each) {
    if (batchesOf(each) == 0) return false;
    dropBatch(each);
    each.inputDimensionCount -= 1;
    each.indicesDimensionCount -= 1;
    refitGather(each);
    return true;
  });
  for (const bool input : {true, false}) {
    const std::vector<uint32_t>& sizes = (input ? op.input : op.indices).sizes;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      for (uint32_t size : smallerSizes(sizes[axis])) {
        neighbours.addChanged<Gather>([=](Gather& each) {
          (input ? each.input : each.indices).sizes[axis] = size;
          refitGather(each);
          return true;
        });
      }
    }
    neighbours.addChanged<Gather>([input](Gather& each) {
      uint32_t& count = input ? each.inputDimensionCount : each.indicesDimensionCount;
      if (count < 2) return false;
      count -= 1;
      refitGather(each);
      return true;
    });
  }
}

template void addGatherShapes(const GatherNd&, Neighbours&);
template void addGatherShapes(const GatherNd1&, Neighbours&);

std::vector<FillKind> gatherFills() {
  // Plainer ones would hide wrong indices, and so would a change of written values.
  return {FillKind::Values, FillKind::Ramp};
}

}  // namespace dmlcts
