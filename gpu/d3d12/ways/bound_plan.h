#pragma once

#include <memory>
#include <vector>

#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/views.h"
#include "gpu/d3d12/ways/operator.h"

namespace dmlcts::gpu {

// A plan and the memory that its passes are bound to.
class BoundPlan {
 public:
  BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits);

  // Writes views and constants. All must outlive the use of this. Throws std::length_error where a
  // heap has no room for so many views.
  void bind(const Request& request, const Plan& plan, WayMemory& memory);

  // Records the first `passes` passes and the barriers between their stages. The memory must have
  // entered Use::Execute, and has again at the end.
  void record(ID3D12GraphicsCommandList* list, size_t passes);

 private:
  void bindPass(const Request& request, const Pass& pass, uint32_t table, uint64_t constantsAt);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  const Plan* plan_ = nullptr;
  WayMemory* memory_ = nullptr;
  Buffer constants_;
  Buffer nothing_;  // for registers that a pass does not use
  std::unique_ptr<DescriptorHeap> heap_;
};

// A plan, bound as often as its execution needs.
class PlanOperator : public WayOperator {
 public:
  PlanOperator(Device& device, Pipelines& pipelines, const PlanLimits& limits)
      : device_(device), pipelines_(pipelines), limits_(limits) {}

  // What all calls are about from now on; must outlive them.
  void take(const Plan& plan) { plan_ = &plan; }

  uint64_t temporaryBytes() const override { return plan_->temporaryBytes; }
  D3D12_RESOURCE_STATES inputState() const override { return kShaderReadable; }
  void bind(size_t binding, const Request& request, WayMemory& memory) override;
  void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) override;

 private:
  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  const Plan* plan_ = nullptr;
  std::vector<std::unique_ptr<BoundPlan>> bound_;  // kept from plan to plan, for their buffers
};

}  // namespace dmlcts::gpu
