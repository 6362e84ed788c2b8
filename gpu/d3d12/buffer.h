#pragma once

#include <cstdint>
#include <string>

#include "gpu/d3d12/device.h"

namespace dmlcts::gpu {

// What shaders read through views for reading, and as constants.
extern const D3D12_RESOURCE_STATES kShaderReadable;

// Whatever follows in the list waits for the dispatches before.
void recordBarrier(ID3D12GraphicsCommandList* list);

// A buffer that grows to the size asked for and is then kept, so that memory is allocated once
// rather than for each case.
// Knows the state it is in, for one user who records in order.
class Buffer {
 public:
  // `heap` decides what it is for: DEFAULT on the GPU, UPLOAD and READBACK mapped for the host.
  Buffer(Device& device, D3D12_HEAP_TYPE heap, std::wstring name);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Makes room for that many bytes; what it held is lost when it grows. The GPU must not be using
  // it. True if the resource is a new one.
  bool reserve(uint64_t bytes);

  // The same, but a new resource each time, at that offset of a heap of buffers, which must outlive
  // it.
  void place(ID3D12Heap* heap, uint64_t offset, uint64_t bytes);

  // Gives all memory back. The GPU must not be using it.
  void release();

  ID3D12Resource* get() const { return resource_.Get(); }
  uint64_t bytes() const { return bytes_; }
  uint8_t* data() const { return data_; }  // of UPLOAD and READBACK buffers

  // Fills in the transition to that state; false when it is there already.
  bool transition(D3D12_RESOURCE_STATES state, D3D12_RESOURCE_BARRIER& barrier);

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
