#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/d3d12/views.h"
#include "gpu/directml/compiled.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Requests that are dispatched in one submission. Their images lie side by side in one buffer,
// guards included, each tensor bound where its image says; inputs are bound like outputs, as
// unordered access views, so they are read back too.
class DirectMlBatch {
 public:
  explicit DirectMlBatch(const DirectMlDevice& device);

  // Forgets all requests. The submission must have ended.
  void clear();

  // Whether the batch should not grow any more.
  bool full() const;
  bool empty() const { return placements_.empty(); }
  size_t size() const { return placements_.size(); }

  // Adds a request that must outlive the batch's use of it.
  void add(const Request& request, std::shared_ptr<CompiledOperator> compiled);

  // Makes room, writes the images where the GPU will fetch them from, and binds.
  void prepare();

  // Record, in this order; dispatches and read-back also for one request only.
  void recordUpload(ID3D12GraphicsCommandList* list);
  void recordDispatch(ID3D12GraphicsCommandList* list, size_t index);
  void recordReadBack(ID3D12GraphicsCommandList* list);
  void recordReadBack(ID3D12GraphicsCommandList* list, size_t index);
  // Whatever follows waits for the dispatches before.
  static void recordBarrier(ID3D12GraphicsCommandList* list);
  // Before the first dispatch of a list.
  void recordHeap(ID3D12GraphicsCommandList* list);

  const Request& request(size_t index) const { return *placements_[index].request; }
  // Once read back: whole buffers.
  std::vector<std::vector<uint8_t>> inputs(size_t index) const;
  std::vector<std::vector<uint8_t>> outputs(size_t index) const;
  // The same without a copy, all one after another.
  std::span<const uint8_t> bytes(size_t index) const;

 private:
  struct Placement {
    const Request* request;
    std::shared_ptr<CompiledOperator> compiled;
    std::vector<uint64_t> inputs;  // where each image begins in tensors_
    std::vector<uint64_t> outputs;
    uint64_t begin = 0;  // of all of them
    uint64_t end = 0;
    uint64_t temporary = 0;  // in temporaries_
    uint32_t descriptor = 0;
    ComPtr<dml::BindingTable> table;
  };

  void bind(Placement& placement);
  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES state);
  std::vector<std::vector<uint8_t>> images(const std::vector<uint64_t>& begins,
                                           const std::vector<BufferImage>& sizes) const;

  const DirectMlDevice& device_;
  std::vector<Placement> placements_;
  uint64_t tensorBytes_ = 0;
  uint64_t temporaryBytes_ = 0;
  uint32_t descriptors_ = 0;
  Buffer upload_;
  Buffer tensors_;
  Buffer readBack_;
  Buffer temporaries_;
  std::unique_ptr<DescriptorHeap> heap_;
};

}  // namespace dmlcts::gpu
