#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "gpu/d3d12/bound_plan.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/sequence_executor.h"

namespace dmlcts::gpu {

// Our kernels in a sequence. Compiling creates the plan and pipeline states. Initializing does
// nothing, because kernels keep no state. A table is a descriptor heap, constants and a temporary.
class SequenceKernels : public SequenceOperators {
 public:
  // `ask` decides whether an operator is accepted.
  SequenceKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                  std::function<Answer(const AskedOperator&)> ask);

  Answer create(uint32_t number, const AskedOperator& asked) override;
  void compile(uint32_t number) override;
  void initialize(const std::vector<uint32_t>&) override {}
  void release(uint32_t number) override { operators_.erase(number); }
  void bind(const SequenceCall& call, SequenceStage& stage) override;
  void execute(const SequenceCall& call, SequenceStage& stage) override;
  uint64_t temporaryBytes(uint32_t number) const override {
    return operators_.at(number)->plan->temporaryBytes;
  }

 private:
  struct Operator {
    Descriptor descriptor;
    std::optional<Plan> plan;
  };
  struct Table {
    Table(Device& device, Pipelines& pipelines, const PlanLimits& limits,
          std::shared_ptr<Operator> executed)
        : op(std::move(executed)),
          bound(device, pipelines, limits),
          ownTemporary(device, D3D12_HEAP_TYPE_DEFAULT, L"temporary of a table") {}
    std::shared_ptr<Operator> op;
    std::vector<Place> from;
    std::vector<Place> to;
    BoundPlan bound;
    Buffer ownTemporary;
    Buffer* temporary = nullptr;  // null if there is none
  };

  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  std::function<Answer(const AskedOperator&)> ask_;
  std::map<uint32_t, std::shared_ptr<Operator>> operators_;
  std::map<uint32_t, std::shared_ptr<Table>> tables_;
};

}  // namespace dmlcts::gpu
