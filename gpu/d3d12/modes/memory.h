#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// The tensors of one request and its temporary, lying where its modes want them: each in a buffer
// of its own unless they say otherwise.
class ModeMemory {
 public:
  // Bytes on each side of a tight temporary that nothing may write.
  static constexpr uint64_t kGuard = 256;

  // What all of it is about to be used for.
  enum class Use { Fill, Execute, ExecuteReadingTemporary, Read };

  struct Region {
    Buffer* buffer = nullptr;
    uint64_t at = 0;  // where an image, or the temporary, begins in it
    uint64_t bytes = 0;
  };

  // `inputState`: what inputs are in where they are only read.
  ModeMemory(Device& device, D3D12_RESOURCE_STATES inputState);

  // Makes room for a request; what lay there is lost. The GPU must not be using it. `wrong`: as
  // that mutant does.
  void arrange(const Request& request, uint64_t temporaryBytes, const ModeMutant* wrong);

  // The same, the ordinary mode, for images of so many bytes, the first `inputs` of them inputs.
  void arrange(std::span<const uint64_t> imageBytes, size_t inputs, uint64_t temporaryBytes);

  // Images of inputs, then of outputs, in slot order.
  std::span<const Region> images() const { return images_; }
  const Region& input(size_t slot) const { return images_[slot]; }
  const Region& output(size_t slot) const { return images_[inputs_ + slot]; }
  size_t inputs() const { return inputs_; }
  // Without guards, even where it has some; 0 bytes for none.
  const Region& temporary() const { return temporary_; }

  // Records the transitions that a use needs.
  void enter(ID3D12GraphicsCommandList* list, Use use);

 private:
  void list(std::span<const uint64_t> imageBytes, size_t inputs);
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

}  // namespace dmlcts::gpu
