#pragma once

#include <memory>

#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/views.h"
#include "gpu/d3d12/ways/memory.h"

namespace dmlcts::gpu {

// A plan and the memory that its passes are bound to.
class BoundPlan {
 public:
  BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits);

  // Writes views and constants. `offsets`: of the tensors in their images, in the memory's order.
  // All but these must outlive the use of this. Throws std::length_error where a heap has no room
  // for so many views.
  void bind(std::span<const uint64_t> offsets, const Plan& plan, WayMemory& memory);

  // Records the first `passes` passes and the barriers between their stages. The memory must have
  // entered Use::Execute, and has again at the end.
  void record(ID3D12GraphicsCommandList* list, size_t passes);

 private:
  void bindPass(std::span<const uint64_t> offsets, const Pass& pass, uint32_t table,
                uint64_t constantsAt);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  const Plan* plan_ = nullptr;
  WayMemory* memory_ = nullptr;
  Buffer constants_;
  Buffer nothing_;  // for registers that a pass does not use
  std::unique_ptr<DescriptorHeap> heap_;
};

}  // namespace dmlcts::gpu
