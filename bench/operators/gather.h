#pragma once

#include <algorithm>

#include "bench/work_list.h"
#include "reference/tensor.h"

// The benchmarks of GATHER_ND and GATHER_ND1.

namespace dmlcts::bench {

void sweepGather(WorkList& list);
void gatherGoals(WorkList& list);
void gatherLarge(WorkList& list);
void sweepBatches(WorkList& list);
void batchGoals(WorkList& list);

// Every index, the elements that they select, and the output.
template <class Gathering>
uint64_t bytesOfGather(const Gathering& op, const PreparedCase&) {
  const auto bytes = [](const TensorDesc& tensor) {
    return elementCount(tensor.sizes).value() * info(tensor.type).bytes;
  };
  return bytes(op.indices) + std::min(bytes(op.output), bytes(op.input)) + bytes(op.output);
}

}  // namespace dmlcts::bench
