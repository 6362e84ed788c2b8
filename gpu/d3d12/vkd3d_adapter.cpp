#include "gpu/d3d12/vkd3d_adapter.h"

#include <algorithm>
#include <charconv>

#include <vulkan/vulkan.h>
// after vulkan.h and the standard library: they define macros named min and max
#include <vkd3d.h>
#include <vkd3d_shader.h>
#undef min
#undef max

namespace dmlcts::gpu::vkd3d {

namespace {

// {189819F1-1DB6-4B57-BE54-1821339B85F7}
constexpr IID kDeviceId = {
    0x189819f1, 0x1db6, 0x4b57, {0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7}};

Adapter describe(VkPhysicalDevice device) {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &driver;
  vkGetPhysicalDeviceProperties2(device, &properties);
  Adapter adapter;
  adapter.name = properties.properties.deviceName;
  adapter.vendorId = properties.properties.vendorID;
  adapter.deviceId = properties.properties.deviceID;
  adapter.driver = std::string(driver.driverName) + " " + driver.driverInfo;
  adapter.maxViewTexels = properties.properties.limits.maxTexelBufferElements;
  return adapter;
}

// The place of the adapter asked for; the number of devices when there is none.
size_t choose(const std::string& wanted, const std::vector<VkPhysicalDevice>& devices) {
  if (wanted.empty()) return 0;
  size_t index = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, index);
  if (parsed.ec == std::errc() && parsed.ptr == end) return std::min(index, devices.size());
  for (index = 0; index < devices.size(); ++index) {
    if (describe(devices[index]).name.find(wanted) != std::string::npos) break;
  }
  return index;
}

}  // namespace

Created createDevice(const std::string& adapter, int32_t (*signal)(void* event)) {
  Created created;
  vkd3d_instance_create_info instanceInfo{};
  instanceInfo.type = VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  instanceInfo.pfn_signal_event = signal;
  instanceInfo.wchar_size = sizeof(wchar_t);
  vkd3d_instance* instance = nullptr;
  created.call = "vkd3d_create_instance";
  created.result = vkd3d_create_instance(&instanceInfo, &instance);
  if (created.result < 0) return created;

  const VkInstance vulkan = vkd3d_instance_get_vk_instance(instance);
  uint32_t count = 0;
  vkEnumeratePhysicalDevices(vulkan, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  vkEnumeratePhysicalDevices(vulkan, &count, devices.data());
  devices.resize(count);
  const size_t chosen = choose(adapter, devices);
  if (chosen >= devices.size()) {
    for (VkPhysicalDevice device : devices) created.others.push_back(describe(device).name);
    created.call = "vkEnumeratePhysicalDevices";
    created.result = static_cast<int32_t>(0x887A0002);  // DXGI_ERROR_NOT_FOUND
    vkd3d_instance_decref(instance);
    return created;
  }
  created.adapter = describe(devices[chosen]);

  vkd3d_device_create_info deviceInfo{};
  deviceInfo.type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  deviceInfo.minimum_feature_level = D3D_FEATURE_LEVEL_11_0;
  deviceInfo.instance = instance;
  deviceInfo.vk_physical_device = devices[chosen];
  created.call = "vkd3d_create_device";
  created.result = vkd3d_create_device(&deviceInfo, kDeviceId, &created.device);
  vkd3d_instance_decref(instance);  // the device holds its own reference
  return created;
}

std::string version() {
  unsigned int major = 0;
  unsigned int minor = 0;
  vkd3d_shader_get_version(&major, &minor);
  return "libvkd3d " + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace dmlcts::gpu::vkd3d
