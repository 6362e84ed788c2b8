#pragma once

#include <string>
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

// Loads the loader and every driver's library, which stay loaded. Searches as the loader does
// (Vulkan-Loader, docs/LoaderDriverInterface.md, "Driver Discovery on Linux").
VulkanSetUp vulkanSetUp();

}  // namespace dmlcts
