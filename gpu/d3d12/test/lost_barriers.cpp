// Preloaded into a worker, keeps one kind of barrier from Vulkan. DMLCTS_LOSE names it: `uav` loses
// the barriers of all memory, `transition` those of buffers.

#include <dlfcn.h>
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <string_view>
// after vulkan.h and the standard library: it defines macros named min and max
#include <vkd3d.h>

namespace {

PFN_vkCmdPipelineBarrier barrier = nullptr;

VKAPI_ATTR void VKAPI_CALL recordOthers(VkCommandBuffer list, VkPipelineStageFlags from,
                                        VkPipelineStageFlags to, VkDependencyFlags flags,
                                        uint32_t ofMemory, const VkMemoryBarrier* memory,
                                        uint32_t ofBuffers, const VkBufferMemoryBarrier* buffers,
                                        uint32_t ofImages, const VkImageMemoryBarrier* images) {
  static const std::string_view lost = std::getenv("DMLCTS_LOSE");
  if ((lost == "uav" ? ofMemory : ofBuffers) > 0) return;
  barrier(list, from, to, flags, ofMemory, memory, ofBuffers, buffers, ofImages, images);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ofDevice(VkDevice device, const char* name) {
  const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
  if (name != std::string_view("vkCmdPipelineBarrier")) return found;
  barrier = reinterpret_cast<PFN_vkCmdPipelineBarrier>(found);
  return reinterpret_cast<PFN_vkVoidFunction>(recordOthers);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL ofInstance(VkInstance instance, const char* name) {
  if (name == std::string_view("vkGetDeviceProcAddr"))
    return reinterpret_cast<PFN_vkVoidFunction>(ofDevice);
  return vkGetInstanceProcAddr(instance, name);
}

}  // namespace

extern "C" HRESULT vkd3d_create_instance(const vkd3d_instance_create_info* info,
                                         vkd3d_instance** instance) {
  vkd3d_instance_create_info own = *info;
  own.pfn_vkGetInstanceProcAddr = ofInstance;
  const auto next =
      reinterpret_cast<decltype(&vkd3d_create_instance)>(dlsym(RTLD_NEXT, "vkd3d_create_instance"));
  return next(&own, instance);
}
