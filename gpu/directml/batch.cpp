#include "gpu/directml/batch.h"

#include <algorithm>

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kImageAlignment = 256;
constexpr size_t kMostRequests = 64;
constexpr uint64_t kMostBytes = uint64_t{64} << 20;
constexpr uint32_t kSmallestHeap = 1024;

uint64_t aligned(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

BindingList bindings(const Buffer& buffer, const std::vector<uint64_t>& begins,
                     const std::vector<BufferImage>& images) {
  BindingList list;
  for (size_t i = 0; i < images.size(); ++i) {
    list.add(buffer.get(), begins[i] + images[i].offset, images[i].size);
  }
  return list;
}

}  // namespace

DirectMlBatch::DirectMlBatch(const DirectMlDevice& device)
    : device_(device),
      upload_(device.d3d12(), D3D12_HEAP_TYPE_UPLOAD, L"upload"),
      tensors_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"tensors"),
      readBack_(device.d3d12(), D3D12_HEAP_TYPE_READBACK, L"read back"),
      temporaries_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"temporaries") {}

void DirectMlBatch::clear() {
  placements_.clear();
  tensorBytes_ = 0;
  temporaryBytes_ = 0;
  descriptors_ = 0;
}

bool DirectMlBatch::full() const {
  return placements_.size() >= kMostRequests || tensorBytes_ + temporaryBytes_ >= kMostBytes;
}

void DirectMlBatch::add(const Request& request, std::shared_ptr<CompiledOperator> compiled) {
  Placement placement;
  placement.request = &request;
  // Keeps the tensors' alignment: each image must begin aligned, as its offset is.
  uint64_t alignment = kImageAlignment;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    alignment = std::max<uint64_t>(alignment, slot.desc->baseOffsetAlignment);
  }
  const auto place = [&](const std::vector<BufferImage>& images, std::vector<uint64_t>& begins) {
    for (const BufferImage& image : images) {
      begins.push_back(aligned(tensorBytes_, alignment));
      tensorBytes_ = aligned(begins.back() + image.bytes.size(), kImageAlignment);
    }
  };
  place(request.inputs, placement.inputs);
  place(request.outputs, placement.outputs);
  placement.begin = placement.inputs.front();
  placement.end = tensorBytes_;
  placement.temporary = temporaryBytes_;
  temporaryBytes_ = aligned(temporaryBytes_ + compiled->properties.temporaryResourceSize,
                            dml::kTemporaryAlignment);
  placement.descriptor = descriptors_;
  descriptors_ += compiled->properties.requiredDescriptorCount;
  placement.compiled = std::move(compiled);
  placements_.push_back(std::move(placement));
}

void DirectMlBatch::prepare() {
  upload_.reserve(tensorBytes_);
  tensors_.reserve(tensorBytes_);
  readBack_.reserve(tensorBytes_);
  if (temporaryBytes_ != 0) temporaries_.reserve(temporaryBytes_);
  if (!heap_ || heap_->capacity() < descriptors_) {
    heap_ = std::make_unique<DescriptorHeap>(device_.d3d12(), std::max(descriptors_, kSmallestHeap),
                                             true, L"bindings");
  }
  for (Placement& placement : placements_) {
    const Request& request = *placement.request;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      std::ranges::copy(request.inputs[i].bytes, upload_.data() + placement.inputs[i]);
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
      std::ranges::copy(request.outputs[i].bytes, upload_.data() + placement.outputs[i]);
    }
    bind(placement);
  }
}

void DirectMlBatch::bind(Placement& placement) {
  const CompiledOperator& compiled = *placement.compiled;
  const dml::BindingTableDesc desc{compiled.dml.Get(), heap_->cpu(placement.descriptor),
                                   heap_->gpu(placement.descriptor),
                                   compiled.properties.requiredDescriptorCount};
  check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &placement.table),
        "IDMLDevice::CreateBindingTable");
  const uint64_t temporaryBytes = compiled.properties.temporaryResourceSize;
  if (temporaryBytes != 0) {
    const BoundBytes temporary(temporaries_.get(), placement.temporary, temporaryBytes);
    placement.table->BindTemporaryResource(&temporary.get());
  }
  const uint64_t persistentBytes = compiled.properties.persistentResourceSize;
  if (persistentBytes != 0) {
    const BoundBytes persistent(compiled.persistent.get(), 0, persistentBytes);
    placement.table->BindPersistentResource(&persistent.get());
  }
  const BindingList inputs = bindings(tensors_, placement.inputs, placement.request->inputs);
  placement.table->BindInputs(inputs.size(), inputs.data());
  const BindingList outputs = bindings(tensors_, placement.outputs, placement.request->outputs);
  placement.table->BindOutputs(outputs.size(), outputs.data());
}

void DirectMlBatch::transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES state) {
  D3D12_RESOURCE_BARRIER barrier;
  if (tensors_.transition(state, barrier)) list->ResourceBarrier(1, &barrier);
}

void DirectMlBatch::recordUpload(ID3D12GraphicsCommandList* list) {
  transition(list, D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(tensors_.get(), 0, upload_.get(), 0, tensorBytes_);
  D3D12_RESOURCE_BARRIER barrier;
  if (temporaryBytes_ != 0 &&
      temporaries_.transition(D3D12_RESOURCE_STATE_UNORDERED_ACCESS, barrier)) {
    list->ResourceBarrier(1, &barrier);
  }
}

void DirectMlBatch::recordHeap(ID3D12GraphicsCommandList* list) {
  ID3D12DescriptorHeap* const heaps[] = {heap_->get()};
  list->SetDescriptorHeaps(1, heaps);
}

void DirectMlBatch::recordDispatch(ID3D12GraphicsCommandList* list, size_t index) {
  transition(list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  const Placement& placement = placements_[index];
  device_.recorder()->RecordDispatch(list, placement.compiled->dml.Get(), placement.table.Get());
}

void DirectMlBatch::recordReadBack(ID3D12GraphicsCommandList* list) {
  transition(list, D3D12_RESOURCE_STATE_COPY_SOURCE);
  list->CopyBufferRegion(readBack_.get(), 0, tensors_.get(), 0, tensorBytes_);
}

std::vector<std::vector<uint8_t>> DirectMlBatch::images(
    const std::vector<uint64_t>& begins, const std::vector<BufferImage>& sizes) const {
  std::vector<std::vector<uint8_t>> result;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const uint8_t* begin = readBack_.data() + begins[i];
    result.emplace_back(begin, begin + sizes[i].bytes.size());
  }
  return result;
}

std::vector<std::vector<uint8_t>> DirectMlBatch::inputs(size_t index) const {
  return images(placements_[index].inputs, placements_[index].request->inputs);
}

std::vector<std::vector<uint8_t>> DirectMlBatch::outputs(size_t index) const {
  return images(placements_[index].outputs, placements_[index].request->outputs);
}

}  // namespace dmlcts::gpu
