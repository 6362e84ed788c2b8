#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/d3d12/modes/memory.h"

namespace dmlcts::gpu {

// One operator of an implementation, as ModeExecutor sees it: bound to memory once or several
// times, and recorded by the number of a binding.
class ModeOperator {
 public:
  virtual ~ModeOperator() = default;

  // Bytes of temporary memory that an execution needs.
  virtual uint64_t temporaryBytes() const = 0;
  // In which its inputs must be when it executes; the same for all operators of an implementation.
  virtual D3D12_RESOURCE_STATES inputState() const = 0;

  // Numbers begin at 0, without gaps. The memory must outlive the binding's use.
  virtual void bind(size_t binding, const Request& request, ModeMemory& memory) = 0;

  // Records an execution and a barrier behind it. The memory of the binding must have entered
  // Use::Execute, and has again at the end. `lost`: all but the last dispatch.
  virtual void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) = 0;
};

}  // namespace dmlcts::gpu
