#pragma once

#include <cstdint>

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

  // Fills in the transition to the state; false if the buffer is already in it.
  bool transition(D3D12_RESOURCE_STATES state, D3D12_RESOURCE_BARRIER& barrier);
  // Records that transition, if any.
  void enter(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES state);

 private:
  Device& device_;
  D3D12_HEAP_TYPE heap_;
  std::wstring name_;
  ComPtr<ID3D12Resource> resource_;
  D3D12_RESOURCE_STATES state_ = D3D12_RESOURCE_STATE_COMMON;
  uint64_t bytes_ = 0;
  uint8_t* data_ = nullptr;
};

}  // namespace dmlcts::gpu
