#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// The tensors and temporary of one request, laid out as its modes require: by default each in its
// own buffer.
class ModeMemory {
 public:
  // Bytes on each side of a tight temporary that must stay unchanged.
  static constexpr uint64_t kGuard = 256;

  // The next use of all this memory.
  enum class Use { Fill, Execute, ExecuteReadingTemporary, Read };

  struct Region {
    Buffer* buffer = nullptr;
    uint64_t at = 0;  // start of the image or temporary
    uint64_t bytes = 0;
  };

  // `inputState`: the state of inputs that are only read.
  ModeMemory(Device& device, D3D12_RESOURCE_STATES inputState);

  // Makes room for a request and discards earlier content. The GPU must not be using it. `wrong`:
  // the mutant whose fault to apply, or null.
  void arrange(const Request& request, uint64_t temporaryBytes, const ModeMutant* wrong);

  // Returns the images of inputs, then of outputs, in slot order.
  std::span<const Region> images() const { return images_; }
  const Region& input(size_t slot) const { return images_[slot]; }
  const Region& output(size_t slot) const { return images_[inputs_ + slot]; }
  size_t inputs() const { return inputs_; }
  // Returns the temporary without guards; 0 bytes if there is none.
  const Region& temporary() const { return temporary_; }

  // Records the transitions for a use.
  void enter(ID3D12GraphicsCommandList* list, Use use);

 private:
  void separate();
  void share(const Descriptor& descriptor, bool overlap);
  void placeApart(bool ignoreOffset);
  void leaveHeap();

  Device& device_;
  D3D12_RESOURCE_STATES inputState_;
  std::vector<Region> images_;
  size_t inputs_ = 0;
  Region temporary_;
  std::vector<std::unique_ptr<Buffer>> tensorBuffers_;
  Buffer temporaryBuffer_;
  Buffer shared_;
  ComPtr<ID3D12Heap> heap_;
  uint64_t heapBytes_ = 0;
};

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
