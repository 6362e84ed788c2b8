#include "gpu/d3d12/modes/memory.h"

#include <algorithm>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kBindingAlignment = 16;
constexpr uint64_t kPlacement = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;  // 64 KiB

uint64_t roundUp(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

ModeMemory::ModeMemory(Device& device, D3D12_RESOURCE_STATES inputState)
    : device_(device),
      inputState_(inputState),
      temporaryBuffer_(device, D3D12_HEAP_TYPE_DEFAULT, L"temporary"),
      shared_(device, D3D12_HEAP_TYPE_DEFAULT, L"all tensors") {}

void ModeMemory::arrange(const Request& request, uint64_t temporaryBytes, const ModeMutant* wrong) {
  images_.clear();
  inputs_ = request.inputs.size();
  for (const auto* images : {&request.inputs, &request.outputs}) {
    for (const BufferImage& image : *images) images_.push_back({nullptr, 0, image.bytes.size()});
  }
  while (tensorBuffers_.size() < images_.size()) {
    tensorBuffers_.push_back(
        std::make_unique<Buffer>(device_, D3D12_HEAP_TYPE_DEFAULT, L"a tensor"));
  }
  temporary_ = {&temporaryBuffer_, request.modes.has(Mode::TightTemporary) ? kGuard : 0,
                temporaryBytes};
  const uint64_t withGuards = temporaryBytes + 2 * temporary_.at;
  if (request.modes.has(Mode::Placed)) {
    placeApart(does(wrong, Mode::Placed));
    return;
  }
  leaveHeap();
  temporaryBuffer_.reserve(withGuards);
  if (request.modes.has(Mode::SharedBuffer)) {
    share(request.descriptor, does(wrong, Mode::SharedBuffer));
    return;
  }
  separate();
}

void ModeMemory::separate() {
  for (size_t i = 0; i < images_.size(); ++i) {
    images_[i].buffer = tensorBuffers_[i].get();
    tensorBuffers_[i]->reserve(images_[i].bytes);
  }
}

void ModeMemory::share(const Descriptor& descriptor, bool overlap) {
  const std::vector<TensorSlot> slots = tensors(descriptor);
  uint64_t end = 0;
  for (size_t i = 0; i < images_.size(); ++i) {
    // Keeps the tensor's alignment: the image must begin aligned, as its offset is.
    end = roundUp(end, std::max<uint64_t>(kBindingAlignment, slots[i].desc->baseOffsetAlignment));
    if (overlap && i == inputs_) end -= kBindingAlignment;
    images_[i].buffer = &shared_;
    images_[i].at = end;
    end += images_[i].bytes;
  }
  shared_.reserve(end);
}

// Releases placed buffers, which other modes cannot reuse.
void ModeMemory::leaveHeap() {
  if (!heap_) return;
  for (const auto& buffer : tensorBuffers_) buffer->release();
  temporaryBuffer_.release();
  heap_ = nullptr;
  heapBytes_ = 0;
}

void ModeMemory::placeApart(bool ignoreOffset) {
  // Places buffers at odd multiples of the placement alignment, so that none has a larger
  // alignment.
  uint64_t end = 0;
  const auto next = [&](uint64_t bytes) {
    const uint64_t at =
        (end / kPlacement % 2 == 0 ? end / kPlacement + 1 : end / kPlacement) * kPlacement;
    end = at + roundUp(std::max<uint64_t>(bytes, 1), kPlacement);
    return at;
  };
  std::vector<uint64_t> places;
  for (const Region& image : images_) places.push_back(next(image.bytes));
  const uint64_t temporaryAt = next(temporary_.bytes + 2 * temporary_.at);
  if (ignoreOffset) places.back() = places.front();
  if (heapBytes_ < end) {
    leaveHeap();
    D3D12_HEAP_DESC desc{};
    desc.SizeInBytes = std::max(end, uint64_t{1} << 20);
    desc.Properties.Type = D3D12_HEAP_TYPE_DEFAULT;
    desc.Flags = D3D12_HEAP_FLAG_ALLOW_ONLY_BUFFERS;
    check(device_.get()->CreateHeap(&desc, uuidof<ID3D12Heap>(), &heap_),
          "ID3D12Device::CreateHeap");
    heap_->SetName(L"tensors and temporary");
    heapBytes_ = desc.SizeInBytes;
  }
  for (size_t i = 0; i < images_.size(); ++i) {
    images_[i].buffer = tensorBuffers_[i].get();
    tensorBuffers_[i]->place(heap_.Get(), places[i], images_[i].bytes);
  }
  temporaryBuffer_.place(heap_.Get(), temporaryAt, temporary_.bytes + 2 * temporary_.at);
}

void ModeMemory::enter(ID3D12GraphicsCommandList* list, Use use) {
  const auto stateOf = [&](bool isInput) {
    switch (use) {
      case Use::Fill:
        return D3D12_RESOURCE_STATE_COPY_DEST;
      case Use::Read:
        return D3D12_RESOURCE_STATE_COPY_SOURCE;
      default:
        return isInput ? inputState_ : D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
    }
  };
  std::vector<D3D12_RESOURCE_BARRIER> barriers;
  const auto change = [&](Buffer& buffer, D3D12_RESOURCE_STATES state) {
    D3D12_RESOURCE_BARRIER barrier{};
    if (buffer.get() && buffer.transition(state, barrier)) barriers.push_back(barrier);
  };
  for (size_t i = 0; i < images_.size(); ++i) {
    // In a buffer shared by all tensors, no state allows both uses. Picks the one for
    // writes, which matters to drivers.
    const bool readOnly = i < inputs_ && images_[i].buffer != &shared_;
    change(*images_[i].buffer, stateOf(readOnly));
  }
  change(temporaryBuffer_, stateOf(use == Use::ExecuteReadingTemporary));
  if (!barriers.empty()) {
    list->ResourceBarrier(static_cast<UINT>(barriers.size()), barriers.data());
  }
}

}  // namespace dmlcts::gpu
