#include "gpu/d3d12/platform/platform.h"

#include <cstddef>

namespace dmlcts::gpu::platform {

namespace {

// Calls a method of the object's table with an explicit result pointer.
template <class Result>
Result callForStruct(ID3D12DescriptorHeap* heap, size_t slot) {
  using Method = Result*(STDMETHODCALLTYPE*)(ID3D12DescriptorHeap*, Result*);
  void** table = *reinterpret_cast<void***>(heap);
  Result result{};
  reinterpret_cast<Method>(table[slot])(heap, &result);
  return result;
}

// Slots of ID3D12DescriptorHeap, after 3 of IUnknown, 4 of ID3D12Object, 1 of ID3D12DeviceChild.
constexpr size_t kCpuStartSlot = 9;
constexpr size_t kGpuStartSlot = 10;

}  // namespace

D3D12_CPU_DESCRIPTOR_HANDLE cpuStart(ID3D12DescriptorHeap* heap) {
  return callForStruct<D3D12_CPU_DESCRIPTOR_HANDLE>(heap, kCpuStartSlot);
}

D3D12_GPU_DESCRIPTOR_HANDLE gpuStart(ID3D12DescriptorHeap* heap) {
  return callForStruct<D3D12_GPU_DESCRIPTOR_HANDLE>(heap, kGpuStartSlot);
}

}  // namespace dmlcts::gpu::platform
