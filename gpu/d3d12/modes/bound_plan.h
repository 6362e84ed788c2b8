#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/d3d12/modes/memory.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/views.h"

namespace dmlcts::gpu {

// A plan bound to memory.
class BoundPlan {
 public:
  // The start of each tensor, in slot order, and of the temporary.
  struct Regions {
    std::vector<ModeMemory::Region> inputs;
    std::vector<ModeMemory::Region> outputs;
    ModeMemory::Region temporary;
  };
  using Enter = std::function<void(ID3D12GraphicsCommandList*, ModeMemory::Use)>;

  BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits);

  // Writes views and constants. The plan and the buffers must outlive this object's use. Throws
  // std::length_error if a heap has no room for that many views.
  void bind(const Plan& plan, const Regions& regions);

  // Clears the state. Records the first `passes` passes and the barriers between stages. The memory
  // must be in Use::Execute, and is again at the end; `enter` records the transitions.
  void record(ID3D12GraphicsCommandList* list, size_t passes, const Enter& enter);

 private:
  void bindPass(const Regions& regions, const Pass& pass, uint32_t table, uint64_t constantsAt);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  const Plan* plan_ = nullptr;
  Buffer constants_;
  // Stand-ins for registers that a pass does not use: for inputs, and for all others.
  Buffer nothingRead_;
  Buffer nothingWritten_;
  Buffer state_;
  uint64_t zerosAt_ = 0;  // in constants_
  std::unique_ptr<DescriptorHeap> heap_;
};

// A plan with as many bindings as its execution needs.
class PlanOperator : public ModeOperator {
 public:
  PlanOperator(Device& device, Pipelines& pipelines, const PlanLimits& limits)
      : device_(device), pipelines_(pipelines), limits_(limits) {}

  // Sets the plan of all later calls, which must outlive them.
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
  std::vector<std::unique_ptr<BoundPlan>> bound_;  // reused for their buffers
  std::vector<ModeMemory*> memories_;              // memory of each binding
};

}  // namespace dmlcts::gpu
