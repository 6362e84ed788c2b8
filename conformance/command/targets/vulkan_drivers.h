#pragma once

#include <string>
#include <string_view>
#include <vector>

// Vulkan's loader and the drivers it finds: the layers between libvkd3d and a device.

namespace dmlcts {

struct VulkanDriver {
  std::string manifest;  // path of its JSON file
  std::string library;   // as in the manifest; "" if it names none
  std::string problem;   // why it cannot be loaded, or ""
};

struct VulkanSetUp {
  std::string loader;   // its version, "1.3.239"; "" if there is none
  std::string problem;  // why there is none, or ""
  // The environment variable that chooses the drivers, as NAME=VALUE; "" if none is set.
  std::string chosenBy;
  std::vector<VulkanDriver> drivers;
};

// Loads the loader, which stays loaded, and has every driver's library tried by a process of its
// own. Looks where the loader does (Vulkan-Loader, docs/LoaderDriverInterface.md, "Driver Discovery
// on Linux").
VulkanSetUp vulkanSetUp();

// `dmlcts worker` with this and a library is that process.
inline constexpr std::string_view kVulkanDriver = "vulkan-driver:";

// Loads the library, greets it as the loader does, prints what is wrong and ends the process.
[[noreturn]] void tryVulkanDriver(const std::string& library);

}  // namespace dmlcts
