#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "gpu/d3d12/bound_plans.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/program_executor.h"

namespace dmlcts::gpu {

// Our kernels in a program. A table is a descriptor heap, constants and a temporary.
class ProgramKernels : public ProgramOperator {
 public:
  // `ask` decides whether an operator is accepted.
  ProgramKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                 std::function<Answer(const call::Create&)> ask);

  // Plans the operator and creates its pipelines, if it is accepted.
  Answer create(const call::Create& call) override;
  void bind(const call::Bind& call, ProgramStage& stage) override;
  void execute(const call::Execute& call, ProgramStage& stage) override;
  uint64_t temporaryBytes() const override { return plan_.temporaryBytes; }

 private:
  struct Table {
    std::vector<Place> inputs;
    std::vector<Place> outputs;
    BufferPool::Taken constants;
    // Shown by registers that a pass does not bind: to read, and to write.
    BufferPool::Taken unboundRead;
    BufferPool::Taken unboundWritten;
    BufferPool::Taken state = {};  // null if the plan needs none
    BufferPool::Taken ownTemporary = {};
    Buffer* temporary = nullptr;  // null if the plan needs none
    BoundPlans bound;
  };

  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  std::function<Answer(const call::Create&)> ask_;
  Plan plan_;
  std::map<uint32_t, std::shared_ptr<Table>> tables_;
};

}  // namespace dmlcts::gpu
