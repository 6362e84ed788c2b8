#pragma once

#include <cstdint>

#include "gpu/d3d12/device/device.h"
#include "gpu/operators/plan.h"

namespace dmlcts::gpu {

// A descriptor heap, allocated from its start.
class DescriptorHeap {
 public:
  DescriptorHeap(Device& device, uint32_t capacity, bool shaderVisible, const wchar_t* name);

  ID3D12DescriptorHeap* get() const { return heap_.Get(); }
  uint32_t capacity() const { return capacity_; }
  D3D12_CPU_DESCRIPTOR_HANDLE cpu(uint32_t index) const;
  D3D12_GPU_DESCRIPTOR_HANDLE gpu(uint32_t index) const;

 private:
  ComPtr<ID3D12DescriptorHeap> heap_;
  uint32_t capacity_;
  uint32_t increment_;
  D3D12_CPU_DESCRIPTOR_HANDLE cpuStart_;
  D3D12_GPU_DESCRIPTOR_HANDLE gpuStart_{};
};

// Writes a view of bytes [offset, offset + bytes) of a buffer, in the register's format. Both are
// multiples of 16. Throws std::length_error if the runtime cannot begin a view that far inside a
// buffer.
void writeView(Device& device, D3D12_CPU_DESCRIPTOR_HANDLE at, Register where,
               ID3D12Resource* buffer, uint64_t offset, uint64_t bytes);

// Writes a view of 64 KiB of constants. `offset` is a multiple of 256.
void writeConstantsView(Device& device, D3D12_CPU_DESCRIPTOR_HANDLE at, ID3D12Resource* buffer,
                        uint64_t offset);

inline constexpr uint32_t kConstantsViewBytes = 65536;

}  // namespace dmlcts::gpu
