#include "gpu/d3d12/device/buffer.h"

#include <directx/d3dx12.h>

#include <algorithm>
#include <bit>

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kSmallest = uint64_t{1} << 20;
constexpr uint64_t kGranule = uint64_t{1} << 16;
// Below this size a buffer at least doubles, so that growing cases rarely reallocate.
constexpr uint64_t kDoublingEnds = uint64_t{64} << 20;

D3D12_RESOURCE_DESC describe(uint64_t bytes, D3D12_HEAP_TYPE heap) {
  return CD3DX12_RESOURCE_DESC::Buffer(bytes, heap == D3D12_HEAP_TYPE_DEFAULT
                                                  ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                                  : D3D12_RESOURCE_FLAG_NONE);
}

D3D12_RESOURCE_STATES initialState(D3D12_HEAP_TYPE heap) {
  switch (heap) {
    case D3D12_HEAP_TYPE_UPLOAD:
      return D3D12_RESOURCE_STATE_GENERIC_READ;
    case D3D12_HEAP_TYPE_READBACK:
      return D3D12_RESOURCE_STATE_COPY_DEST;
    default:
      return D3D12_RESOURCE_STATE_COMMON;
  }
}

}  // namespace

// const, not constexpr: Windows' headers make the operator an ordinary function.
const D3D12_RESOURCE_STATES kShaderReadable =  // NOLINTNEXTLINE(readability-redundant-casting)
    static_cast<D3D12_RESOURCE_STATES>(D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE |
                                       D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER);

void recordBarrier(ID3D12GraphicsCommandList* list) {
  const auto barrier = CD3DX12_RESOURCE_BARRIER::UAV(nullptr);
  list->ResourceBarrier(1, &barrier);
}

Buffer::Buffer(Device& device, D3D12_HEAP_TYPE heap, std::wstring name)
    : device_(device), heap_(heap), name_(std::move(name)) {}

Buffer::~Buffer() { release(); }

void Buffer::release() {
  if (data_) resource_->Unmap(0, nullptr);
  data_ = nullptr;
  bytes_ = 0;
  resource_ = nullptr;
}

bool Buffer::reserve(uint64_t bytes) {
  if (bytes <= bytes_) return false;
  uint64_t size = std::max(bytes, kSmallest);
  if (2 * bytes_ <= kDoublingEnds) size = std::max(size, 2 * bytes_);
  size = (size + kGranule - 1) / kGranule * kGranule;

  release();  // frees the old buffer first: both may not fit

  const CD3DX12_HEAP_PROPERTIES heap(heap_);
  const D3D12_RESOURCE_DESC desc = describe(size, heap_);
  state_ = initialState(heap_);
  check(device_.get()->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc, state_, nullptr,
                                               uuidof<ID3D12Resource>(), &resource_),
        "ID3D12Device::CreateCommittedResource");
  resource_->SetName(name_.c_str());
  if (heap_ != D3D12_HEAP_TYPE_DEFAULT) {
    void* data = nullptr;
    check(resource_->Map(0, nullptr, &data), "ID3D12Resource::Map");
    data_ = static_cast<uint8_t*>(data);
  }
  bytes_ = size;
  return true;
}

void Buffer::place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes) {
  release();
  const uint64_t size = (std::max<uint64_t>(bytes, 1) + kGranule - 1) / kGranule * kGranule;
  const D3D12_RESOURCE_DESC desc = describe(size, heap_);
  state_ = initialState(heap_);
  check(device_.get()->CreatePlacedResource(heap, offset, &desc, state_, nullptr,
                                            uuidof<ID3D12Resource>(), &resource_),
        "ID3D12Device::CreatePlacedResource");
  resource_->SetName(name_.c_str());
  bytes_ = size;
  isPlaced_ = true;
}

bool Buffer::transition(D3D12_RESOURCE_STATES state, D3D12_RESOURCE_BARRIER& barrier) {
  if (state == state_) return false;
  barrier = CD3DX12_RESOURCE_BARRIER::Transition(resource_.Get(), state_, state);
  state_ = state;
  return true;
}

void Buffer::enter(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES state) {
  D3D12_RESOURCE_BARRIER barrier;
  if (transition(state, barrier)) list->ResourceBarrier(1, &barrier);
}

bool Buffer::isInFirstState() const { return state_ == initialState(heap_); }

BufferPool::Taken BufferPool::take(D3D12_HEAP_TYPE heap, uint64_t bytes) {
  auto best = free_.end();
  for (auto at = free_.begin(); at != free_.end(); ++at) {
    const bool fits = (*at)->heap() == heap && (*at)->bytes() >= bytes;
    if (fits && (best == free_.end() || (*at)->bytes() <= (*best)->bytes())) best = at;
  }
  if (best == free_.end()) {
    Taken buffer = create(heap);
    // Takes one of few sizes, so that it serves the next program too.
    buffer->reserve(bytes <= kMostKept ? std::bit_ceil(std::max<uint64_t>(bytes, 1)) : bytes);
    return buffer;
  }
  Taken buffer(best->release(), Return{this});
  free_.erase(best);
  freeBytes_ -= buffer->bytes();
  return buffer;
}

BufferPool::Taken BufferPool::place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes) {
  Taken buffer = create(D3D12_HEAP_TYPE_DEFAULT);
  buffer->place(heap, offset, bytes);
  return buffer;
}

BufferPool::Taken BufferPool::create(D3D12_HEAP_TYPE heap) {
  return {new Buffer(device_, heap, L"a buffer of a program"), Return{this}};
}

// Frees a buffer whose last list was not executed: nobody knows its state.
void BufferPool::give(std::unique_ptr<Buffer> buffer) {
  const bool kept = buffer->bytes() > 0 && buffer->bytes() <= kMostKept && !buffer->isPlaced() &&
                    buffer->isInFirstState();
  if (!kept) return;
  freeBytes_ += buffer->bytes();
  free_.push_back(std::move(buffer));
  while (freeBytes_ > kMostFree) {
    freeBytes_ -= free_.front()->bytes();
    free_.erase(free_.begin());
  }
}

}  // namespace dmlcts::gpu
