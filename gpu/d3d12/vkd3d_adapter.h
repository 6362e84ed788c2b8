#pragma once

#include <cstdint>
#include <string>
#include <vector>

// libvkd3d's own entry points. Its headers declare Direct3D's types a second time, so they must not
// meet platform.h: objects pass here as void*.

namespace dmlcts::gpu::vkd3d {

struct Adapter {
  std::string name;
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  std::string driver;
  uint64_t maxViewTexels = 0;
};

struct Created {
  int32_t result = 0;      // HRESULT of the call below
  const char* call = "";   // the last call made
  void* device = nullptr;  // ID3D12Device, one reference
  Adapter adapter;
  std::vector<std::string> others;  // every adapter's name, when none was as asked
};

// A device on the first Vulkan device, or the one with that index, or whose name holds that text.
// `signal` sets the events that are given to its fences and returns an HRESULT.
Created createDevice(const std::string& adapter, int32_t (*signal)(void* event));

// "libvkd3d 1.2".
std::string version();

}  // namespace dmlcts::gpu::vkd3d
