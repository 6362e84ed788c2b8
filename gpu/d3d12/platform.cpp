#include "gpu/d3d12/platform.h"

#include <cstddef>

namespace dmlcts::gpu::platform {

#ifdef DMLCTS_WSL

// No Windows convention here, so the plain declaration is right.
D3D12_CPU_DESCRIPTOR_HANDLE cpuStart(ID3D12DescriptorHeap* heap) {
  return heap->GetCPUDescriptorHandleForHeapStart();
}

D3D12_GPU_DESCRIPTOR_HANDLE gpuStart(ID3D12DescriptorHeap* heap) {
  return heap->GetGPUDescriptorHandleForHeapStart();
}

#else

namespace {

// Calls slot `slot` of the object's method table with the result pointer spelled out.
template <class Result>
Result callForStruct(ID3D12DescriptorHeap* heap, size_t slot) {
  using Method = Result*(STDMETHODCALLTYPE*)(ID3D12DescriptorHeap*, Result*);
  void** table = *reinterpret_cast<void***>(heap);
  Result result{};
  reinterpret_cast<Method>(table[slot])(heap, &result);
  return result;
}

// ID3D12DescriptorHeap's methods after IUnknown's 3, ID3D12Object's 4 and ID3D12DeviceChild's 1.
constexpr size_t kCpuStartSlot = 9;
constexpr size_t kGpuStartSlot = 10;

}  // namespace

D3D12_CPU_DESCRIPTOR_HANDLE cpuStart(ID3D12DescriptorHeap* heap) {
  return callForStruct<D3D12_CPU_DESCRIPTOR_HANDLE>(heap, kCpuStartSlot);
}

D3D12_GPU_DESCRIPTOR_HANDLE gpuStart(ID3D12DescriptorHeap* heap) {
  return callForStruct<D3D12_GPU_DESCRIPTOR_HANDLE>(heap, kGpuStartSlot);
}

#endif

}  // namespace dmlcts::gpu::platform
