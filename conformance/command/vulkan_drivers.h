#pragma once

#include <string>
#include <vector>

// What stands between libvkd3d and a device: Vulkan's loader and the drivers that it would find.

namespace dmlcts {

struct VulkanDriver {
  std::string manifest;  // path of its JSON file
  std::string library;   // as the manifest names it; "" where it names none
  std::string problem;   // why it cannot be loaded, or ""
};

struct VulkanSetUp {
  std::string loader;   // its version, "1.3.239"; "" where there is none
  std::string problem;  // why there is none, or ""
  // The variable that chooses the drivers, with its value; "" where it is left to the loader.
  std::string chosenBy;
  std::vector<VulkanDriver> drivers;
};

// Loads the loader and every driver's library, which stay loaded. Looks where the loader does
// (Vulkan-Loader, docs/LoaderDriverInterface.md, "Driver Discovery on Linux").
VulkanSetUp vulkanSetUp();

}  // namespace dmlcts
