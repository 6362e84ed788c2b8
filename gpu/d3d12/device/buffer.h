#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/d3d12/device/device.h"

namespace dmlcts::gpu {

// The state of buffers that shaders read, through read-only views or as constants.
extern const D3D12_RESOURCE_STATES kShaderReadable;

// Makes everything recorded later wait for the earlier dispatches.
void recordBarrier(ID3D12GraphicsCommandList* list);

// A buffer that grows to the requested size and keeps it, so that few cases allocate memory. Tracks
// its resource state, for a single user that records in order.
class Buffer {
 public:
  // `heap` decides the use: DEFAULT on the GPU; UPLOAD and READBACK are mapped for the host.
  Buffer(Device& device, D3D12_HEAP_TYPE heap, std::wstring name);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Grows to at least that many bytes, and then loses its content. The GPU must not be using it.
  // True if the resource is new.
  bool reserve(uint64_t bytes);

  // Places a new resource each time, at that offset of a heap of buffers, which must outlive it.
  void place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes);

  // Frees all memory. The GPU must not be using it.
  void release();

  ID3D12Resource* get() const { return resource_.Get(); }
  uint64_t bytes() const { return bytes_; }
  uint8_t* data() const { return data_; }  // of UPLOAD and READBACK buffers
  D3D12_HEAP_TYPE heap() const { return heap_; }

  // Fills in the transition to the state; false if the buffer is already in it.
  bool transition(D3D12_RESOURCE_STATES state, D3D12_RESOURCE_BARRIER& barrier);
  // Records that transition, if any.
  void enter(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES state);
  // True if the buffer is in the state in which it was created.
  bool isInFirstState() const;
  bool isPlaced() const { return isPlaced_; }

 private:
  Device& device_;
  D3D12_HEAP_TYPE heap_;
  std::wstring name_;
  ComPtr<ID3D12Resource> resource_;
  D3D12_RESOURCE_STATES state_ = D3D12_RESOURCE_STATE_COMMON;
  uint64_t bytes_ = 0;
  uint8_t* data_ = nullptr;
  bool isPlaced_ = false;
};

// Keeps the buffers of programs for those that follow. An allocation takes a GPU's driver half a
// millisecond, in which other processes cannot allocate.
class BufferPool {
 public:
  static constexpr uint64_t kMostKept = uint64_t{32} << 20;   // bytes of a buffer that is kept
  static constexpr uint64_t kMostFree = uint64_t{128} << 20;  // bytes of all

  explicit BufferPool(Device& device) : device_(device) {}

  // Gives a buffer back, which the GPU must not be using.
  struct Return {
    BufferPool* pool;
    void operator()(Buffer* buffer) const { pool->give(std::unique_ptr<Buffer>(buffer)); }
  };
  using Taken = std::unique_ptr<Buffer, Return>;

  // Returns a buffer of at least that many bytes, with what its last user left there. The pool must
  // outlive it.
  Taken take(D3D12_HEAP_TYPE heap, uint64_t bytes);

  // Returns a new buffer, at that offset of a heap of buffers, which must outlive it.
  Taken place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes);

 private:
  Taken create(D3D12_HEAP_TYPE heap);
  void give(std::unique_ptr<Buffer> buffer);

  Device& device_;
  std::vector<std::unique_ptr<Buffer>> free_;  // the oldest first
  uint64_t freeBytes_ = 0;
};

}  // namespace dmlcts::gpu
