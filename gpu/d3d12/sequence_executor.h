#pragma once

#include <functional>

#include "gpu/d3d12/pipelines.h"
#include "gpu/sequence.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Whether an operator is taken: Rejected, NotSupported, or Created.
using AskOperator = std::function<Answer(const AskedOperator& asked)>;

// Makes the calls of a sequence with our kernels. Everything is made for this sequence and given
// back at its end. Throws what failing calls throw; `failedAt` is then the number of the call.
// Of our kernels, compiling is making the plan and the pipeline states; initializing does nothing,
// for they keep nothing between executions; a table is a descriptor heap, constants and a
// temporary.
Answer executeSequence(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                       const AskOperator& ask, const Sequence& sequence, size_t& failedAt);

}  // namespace dmlcts::gpu
