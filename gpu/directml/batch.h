#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/directml/compiled.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Requests that are dispatched in one submission. Their images, guards included, share one buffer;
// each tensor is bound inside its image. Inputs are bound as unordered access views like outputs,
// so they are read back too.
class DirectMlBatch {
 public:
  explicit DirectMlBatch(const DirectMlDevice& device);

  // Removes all requests. The submission must have ended.
  void clear();

  // True if the batch should not grow.
  bool full() const;
  bool empty() const { return placements_.empty(); }
  size_t size() const { return placements_.size(); }

  // Adds a request, which must outlive the batch's use of it.
  void add(const Request& request, std::shared_ptr<CompiledOperator> compiled);

  // Allocates memory, writes the images for upload, and binds.
  void prepare();

  // Record in this order; the read-back covers all requests.
  void recordUpload(ID3D12GraphicsCommandList* list);
  void recordDispatch(ID3D12GraphicsCommandList* list, size_t index);
  void recordReadBack(ID3D12GraphicsCommandList* list);
  // Call it before a list's first dispatch.
  void recordHeap(ID3D12GraphicsCommandList* list);

  const Request& request(size_t index) const { return *placements_[index].request; }
  // Return whole buffers, after the read-back.
  std::vector<std::vector<uint8_t>> inputs(size_t index) const;
  std::vector<std::vector<uint8_t>> outputs(size_t index) const;

 private:
  struct Placement {
    const Request* request;
    std::shared_ptr<CompiledOperator> compiled;
    std::vector<uint64_t> inputs;  // start of each image in tensors_
    std::vector<uint64_t> outputs;
    uint64_t begin = 0;  // of all images
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
