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
  std::string id;         // no two adapters share it: Windows' LUID in hex, Vulkan's device UUID
  uint32_t vendorId = 0;  // PCI
  uint32_t deviceId = 0;  // PCI
  std::string driver;     // name and version
};

// "1: NVIDIA H200, 0x000000000000c3f1, vendor 0x10de, device 0x2335, driver …"
std::string describe(size_t index, const Adapter& adapter);

// The same of all of them, a line each.
std::string describe(std::span<const Adapter> adapters);

// The place of the adapter that `wanted` names: by its index, its id, its name or part of its name,
// in whatever case; the first one for "". Throws std::runtime_error, which lists the adapters, when
// there is none such, or when a name fits several.
size_t selectAdapter(const std::string& wanted, std::span<const Adapter> adapters);

// Every adapter of this system, the default one first. One implementation per platform. Throws
// D3D12Error.
std::vector<Adapter> adapters();

}  // namespace dmlcts::gpu
