#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dmlcts::gpu {

// A graphics card or a software adapter. Empty or 0 means unknown.
struct Adapter {
  std::string name;
  std::string
      id;  // unique to the adapter: its LUID in hex on Windows, its Vulkan device UUID elsewhere
  uint32_t vendorId = 0;  // PCI
  uint32_t deviceId = 0;  // PCI
  std::string driver;     // name and version
};

// "1: NVIDIA H200, 0x000000000000c3f1, vendor 0x10de, device 0x2335, driver …"
std::string describe(size_t index, const Adapter& adapter);

// Describes all adapters, one per line.
std::string describe(std::span<const Adapter> adapters);

// Returns the index of the adapter that `wanted` names: by index, id, or name or part of it,
// ignoring case. "" selects the first. Throws std::runtime_error, which lists the adapters, if none
// or several match.
size_t selectAdapter(const std::string& wanted, std::span<const Adapter> adapters);

// Returns every adapter of this system, the default one first. Implemented per platform. Throws
// D3D12Error.
std::vector<Adapter> adapters();

}  // namespace dmlcts::gpu
