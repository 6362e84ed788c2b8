#include "gpu/d3d12/platform/vkd3d_adapter.h"

#include <dlfcn.h>
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

struct Instance {
  vkd3d_instance* vkd3d = nullptr;
  int32_t result = 0;
  std::vector<VkPhysicalDevice> devices;

  explicit Instance(int32_t (*signal)(void* event)) {
    vkd3d_instance_create_info info{};
    info.type = VKD3D_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pfn_signal_event = signal;
    info.wchar_size = sizeof(wchar_t);
    result = vkd3d_create_instance(&info, &vkd3d);
    if (result < 0) return;
    const VkInstance vulkan = vkd3d_instance_get_vk_instance(vkd3d);
    uint32_t count = 0;
    vkEnumeratePhysicalDevices(vulkan, &count, nullptr);
    devices.resize(count);
    vkEnumeratePhysicalDevices(vulkan, &count, devices.data());
    devices.resize(count);
  }
  ~Instance() {
    if (vkd3d) vkd3d_instance_decref(vkd3d);  // a device holds its own reference
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
};

std::string uuid(const uint8_t (&bytes)[VK_UUID_SIZE]) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < VK_UUID_SIZE; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

Adapter adapterOf(VkPhysicalDevice device, uint64_t* maxViewTexels = nullptr) {
  VkPhysicalDeviceIDProperties id{};
  id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  driver.pNext = &id;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &driver;
  vkGetPhysicalDeviceProperties2(device, &properties);
  Adapter adapter;
  adapter.name = properties.properties.deviceName;
  adapter.id = uuid(id.deviceUUID);
  adapter.vendorId = properties.properties.vendorID;
  adapter.deviceId = properties.properties.deviceID;
  adapter.driver = std::string(driver.driverName) + " " + driver.driverInfo;
  if (maxViewTexels) *maxViewTexels = properties.properties.limits.maxTexelBufferElements;
  return adapter;
}

// Returns the library that holds the driver's functions, or that of a layer above it.
std::string driverFileOf(void* device) {
  const VkDevice vulkan = vkd3d_get_vk_device(static_cast<ID3D12Device*>(device));
  const auto function = vkGetDeviceProcAddr(vulkan, "vkQueueSubmit");
  Dl_info found{};
  if (!dladdr(reinterpret_cast<void*>(function), &found) || !found.dli_fname) return {};
  return found.dli_fname;
}

Listed list(const Instance& instance) {
  Listed listed{instance.result, "vkd3d_create_instance", {}};
  for (VkPhysicalDevice device : instance.devices) listed.adapters.push_back(adapterOf(device));
  return listed;
}

}  // namespace

Listed adapters() {
  return list(Instance([](void*) -> int32_t { return 0; }));
}

Created createDevice(const std::string& adapter, int32_t (*signal)(void* event)) {
  const Instance instance(signal);
  const Listed listed = list(instance);
  Created created;
  created.call = listed.call;
  created.result = listed.result;
  if (created.result < 0) return created;
  created.count = listed.adapters.size();
  created.index = selectAdapter(adapter, listed.adapters);
  const VkPhysicalDevice chosen = instance.devices[created.index];
  created.adapter = adapterOf(chosen, &created.maxViewTexels);

  vkd3d_device_create_info info{};
  info.type = VKD3D_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.minimum_feature_level = D3D_FEATURE_LEVEL_11_0;
  info.instance = instance.vkd3d;
  info.vk_physical_device = chosen;
  created.call = "vkd3d_create_device";
  created.result = vkd3d_create_device(&info, kDeviceId, &created.device);
  if (created.result >= 0) created.driverFile = driverFileOf(created.device);
  return created;
}

std::string vulkanError(void* device) {
  const VkResult result = vkDeviceWaitIdle(vkd3d_get_vk_device(static_cast<ID3D12Device*>(device)));
  switch (result) {
    case VK_SUCCESS:
      return {};
    case VK_ERROR_DEVICE_LOST:
      return "vkDeviceWaitIdle: VK_ERROR_DEVICE_LOST";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "vkDeviceWaitIdle: VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "vkDeviceWaitIdle: VK_ERROR_OUT_OF_DEVICE_MEMORY";
    default:
      return "vkDeviceWaitIdle: VkResult " + std::to_string(result);
  }
}

std::string version() {
  unsigned int major = 0;
  unsigned int minor = 0;
  vkd3d_shader_get_version(&major, &minor);
  return "libvkd3d " + std::to_string(major) + "." + std::to_string(minor);
}

}  // namespace dmlcts::gpu::vkd3d
