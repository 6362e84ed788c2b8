#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/d3d12/modes/memory.h"

namespace dmlcts::gpu {

// One operator of an implementation for ModeExecutor: bound to memory one or more times, and
// recorded by binding number.
class ModeOperator {
 public:
  virtual ~ModeOperator() = default;

  // Returns the bytes of temporary memory per execution.
  virtual uint64_t temporaryBytes() const = 0;
  // The state that inputs need during execution; equal for all operators of an implementation.
  virtual D3D12_RESOURCE_STATES inputState() const = 0;

  // Bindings count from 0 without gaps. The memory must outlive the binding's use.
  virtual void bind(size_t binding, const Request& request, ModeMemory& memory) = 0;

  // Records an execution and a barrier behind it. The binding's memory must be in Use::Execute, and
  // is again at the end. `lost`: omit the last dispatch.
  virtual void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) = 0;
};

}  // namespace dmlcts::gpu
