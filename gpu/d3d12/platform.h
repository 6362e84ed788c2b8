#pragma once

// Direct3D 12's types and the few things that differ between its providers. The only header here
// that knows the platform; everything else is the same on Windows and on Linux.

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// after windows.h
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#else

// libvkd3d's methods are called as on Windows x64, which the headers' Linux stubs do not expect.
#include <wsl/stubs/basetsd.h>
#undef STDMETHODCALLTYPE
#undef __stdcall
#undef WINAPI
#undef STDMETHOD
#undef STDMETHOD_
#define STDMETHODCALLTYPE __attribute__((ms_abi))
#define __stdcall __attribute__((ms_abi))
#define WINAPI __attribute__((ms_abi))
#define STDMETHOD(method) virtual HRESULT STDMETHODCALLTYPE method
#define STDMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
// after the calling convention
#include <wsl/winadapter.h>
// after winadapter.h
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#endif

#include <cstdint>
#include <string>

#include "gpu/d3d12/com_ptr.h"

namespace dmlcts::gpu::platform {

// What Direct3D 12 itself cannot say on every platform. Empty or 0 means unknown.
struct AdapterFacts {
  std::string name;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::string driver;
  std::string runtime;
  uint64_t maxViewTexels = 0;
};

// A device on the adapter with that index, or whose name holds that text; the first for "". Throws
// std::runtime_error, which lists the adapters, when there is no such adapter, and D3D12Error when
// the device cannot be created.
ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer, AdapterFacts& facts);

HRESULT serializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC& desc, ID3DBlob** blob,
                               ID3DBlob** messages);

// An auto-reset event for fences.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  HANDLE handle() const { return handle_; }
  // Whether it was signalled within that time.
  bool wait(uint32_t milliseconds) const;

 private:
  HANDLE handle_;
};

// Methods that return a structure: Microsoft's convention passes a pointer to the result after
// `this`, which only Microsoft's own compiler does with the plain declaration.
D3D12_CPU_DESCRIPTOR_HANDLE cpuStart(ID3D12DescriptorHeap* heap);
D3D12_GPU_DESCRIPTOR_HANDLE gpuStart(ID3D12DescriptorHeap* heap);

}  // namespace dmlcts::gpu::platform
