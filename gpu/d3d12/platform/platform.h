#pragma once

// Direct3D 12's types and the few differences between its providers. The only header here that
// knows the platform.

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// after windows.h
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#else

#include <wsl/stubs/basetsd.h>
// The headers' Linux stubs declare methods with Linux's convention; libvkd3d uses that of Windows
// x64.
#undef STDMETHODCALLTYPE
#undef __stdcall
#undef WINAPI
#undef STDMETHOD
#undef STDMETHOD_
#define STDMETHODCALLTYPE __attribute__((ms_abi))
#define __stdcall __attribute__((ms_abi))  // NOLINT(bugprone-reserved-identifier)
#define WINAPI __attribute__((ms_abi))
#define STDMETHOD(method) virtual HRESULT STDMETHODCALLTYPE method
#define STDMETHOD_(type, method) virtual type STDMETHODCALLTYPE method
// after the calling convention
#include <wsl/winadapter.h>
// after winadapter.h
#include <directx/d3d12.h>
#include <dxguids/dxguids.h>

#endif

#include <wrl/client.h>

#include <cstdint>
#include <string>

#include "gpu/d3d12/platform/adapter.h"

namespace dmlcts::gpu {
using Microsoft::WRL::ComPtr;
}

namespace dmlcts::gpu::platform {

// Facts that Direct3D 12 itself does not report everywhere. Empty or 0 means unknown.
struct AdapterFacts {
  Adapter adapter;
  size_t index = 0;  // the adapter's, among `count`
  size_t count = 0;
  std::string runtime;
  uint64_t maxViewTexels = 0;
  std::string driverFile;     // the library that holds the driver's functions
  bool extendedData = false;  // supports Device Removed Extended Data
};

// Creates a device on the adapter that selectAdapter() chooses. Throws as that does, D3D12Error if
// creation fails, and std::runtime_error if no debug layer is available.
ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer, AdapterFacts& facts);

// Writes the debug layer's messages since the last call to stderr, one per line.
void printDebugMessages(ID3D12Device* device);

// Returns the runtime's and driver's details of a removal; "" if there are none.
std::string removalDetails(ID3D12Device* device);

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
  // True if it was signalled within that time.
  bool wait(uint32_t milliseconds) const;

 private:
  HANDLE handle_;
};

// Methods that return a structure: on Windows x64 they take a result pointer after `this`. Only
// Microsoft's compiler derives that from the plain declaration.
D3D12_CPU_DESCRIPTOR_HANDLE cpuStart(ID3D12DescriptorHeap* heap);
D3D12_GPU_DESCRIPTOR_HANDLE gpuStart(ID3D12DescriptorHeap* heap);

}  // namespace dmlcts::gpu::platform
