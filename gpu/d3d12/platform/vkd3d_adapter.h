#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/d3d12/platform/adapter.h"

// libvkd3d's own entry points. Its headers redeclare Direct3D's types, so they must not be mixed
// with platform.h: objects pass as void*.

namespace dmlcts::gpu::vkd3d {

struct Listed {
  int32_t result = 0;     // HRESULT of the call below
  const char* call = "";  // the last call made
  std::vector<Adapter> adapters;
};

// Lists every Vulkan device.
Listed adapters();

struct Created {
  int32_t result = 0;      // as above
  const char* call = "";   // as above
  void* device = nullptr;  // ID3D12Device, one reference
  Adapter adapter;
  size_t index = 0;  // the adapter's, among `count`
  size_t count = 0;
  uint64_t maxViewTexels = 0;
  std::string driverFile;  // library with the Vulkan driver's functions; "" if unknown
};

// Creates a device on the Vulkan device that selectAdapter() chooses; throws as that does. `signal`
// sets the events given to its fences and returns an HRESULT.
Created createDevice(const std::string& adapter, int32_t (*signal)(void* event));

// Returns Vulkan's error for a device of createDevice(): "vkDeviceWaitIdle: VK_ERROR_DEVICE_LOST";
// "" if there is none.
std::string vulkanError(void* device);

// Returns "libvkd3d 1.2".
std::string version();

}  // namespace dmlcts::gpu::vkd3d
