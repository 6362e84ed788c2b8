#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/pipelines.h"

namespace dmlcts::gpu {

// A plan bound to memory.
class BoundPlan {
 public:
  struct Region {
    Buffer* buffer = nullptr;
    uint64_t at = 0;  // start of the tensor or temporary
  };
  // In slot order.
  struct Regions {
    std::vector<Region> inputs;
    std::vector<Region> outputs;
    Region temporary;
  };
  // Records the transitions before a stage of passes.
  using Enter = std::function<void(bool readsTemporary)>;

  BoundPlan(Device& device, Pipelines& pipelines, const PlanLimits& limits, BufferPool& memory);

  // Writes views and constants. The plan and the buffers must outlive this object's use. Throws
  // std::length_error if a heap has no room for that many views.
  void bind(const Plan& plan, const Regions& regions);

  // Clears the state. Records the passes and the barriers between stages. The temporary must be
  // writable, and is again at the end; `enter` records the transitions.
  void record(ID3D12GraphicsCommandList* list, const Enter& enter);

 private:
  void bindPass(const Regions& regions, const Pass& pass, uint32_t table, uint64_t constantsAt);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  const Plan* plan_ = nullptr;
  BufferPool& memory_;
  BufferPool::Taken constants_;
  // Stand-ins for registers that a pass does not use: for inputs, and for all others.
  BufferPool::Taken nothingRead_;
  BufferPool::Taken nothingWritten_;
  BufferPool::Taken state_;  // null if there is none
  uint64_t zerosAt_ = 0;     // in constants_
  std::unique_ptr<DescriptorHeap> heap_;
};

}  // namespace dmlcts::gpu
