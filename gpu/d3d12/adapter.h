#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dmlcts::gpu {

// A graphics card, or software in its place. Empty or 0 means unknown.
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

// The same for each adapter, one per line.
std::string describe(std::span<const Adapter> adapters);

// The place of the adapter that `wanted` names: by its index, its id, its name or part of its name,
// ignoring case; the first one for "". Throws std::runtime_error, which lists the adapters, when
// there is none, or when several match.
size_t selectAdapter(const std::string& wanted, std::span<const Adapter> adapters);

// Every adapter of this system, the default one first. One implementation per platform. Throws
// D3D12Error.
std::vector<Adapter> adapters();

}  // namespace dmlcts::gpu
