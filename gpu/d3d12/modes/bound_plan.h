#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/d3d12/modes/operator.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/views.h"

namespace dmlcts::gpu {

// A plan and the memory that its passes are bound to.
class BoundPlan {
 public:
  // Where the tensors begin, in slot order, and the temporary.
  struct Regions {
    std::vector<ModeMemory::Region> inputs;
    std::vector<ModeMemory::Region> outputs;
    ModeMemory::Region temporary;
  };
  using Enter = std::function<void(ID3D12GraphicsCommandList*, ModeMemory::Use)>;

  BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits);

  // Writes views and constants. The plan and the buffers must outlive the use of this. Throws
  // std::length_error where a heap has no room for so many views.
  void bind(const Plan& plan, const Regions& regions);

  // Records the first `passes` passes and the barriers between their stages. The memory must have
  // entered Use::Execute, and has again at the end: `enter` records what that takes.
  void record(ID3D12GraphicsCommandList* list, size_t passes, const Enter& enter);

 private:
  void bindPass(const Regions& regions, const Pass& pass, uint32_t table, uint64_t constantsAt);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  const Plan* plan_ = nullptr;
  Buffer constants_;
  // For registers that a pass does not use: of inputs, and of all others.
  Buffer nothingRead_;
  Buffer nothingWritten_;
  std::unique_ptr<DescriptorHeap> heap_;
};

// A plan, bound as often as its execution needs.
class PlanOperator : public ModeOperator {
 public:
  PlanOperator(Device& device, Pipelines& pipelines, const PlanLimits& limits)
      : device_(device), pipelines_(pipelines), limits_(limits) {}

  // What all calls are about from now on; must outlive them.
  void take(const Plan& plan) { plan_ = &plan; }

  uint64_t temporaryBytes() const override { return plan_->temporaryBytes; }
  D3D12_RESOURCE_STATES inputState() const override { return kShaderReadable; }
  void bind(size_t binding, const Request& request, ModeMemory& memory) override;
  void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) override;

 private:
  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  const Plan* plan_ = nullptr;
  std::vector<std::unique_ptr<BoundPlan>> bound_;  // kept from plan to plan, for their buffers
  std::vector<ModeMemory*> memories_;              // that they are bound to
};

}  // namespace dmlcts::gpu
