// vkd3d_shader.h takes size_t for granted.
#include <cstddef>

#include <vkd3d_shader.h>

#include <stdexcept>
#include <vector>

#include "gpu/shaders/spirv.h"

namespace dmlcts::gpu {
namespace {

// Of libvkd3d-shader 1.3 to 1.12 and above, whose names older headers lack: the source type
// VKD3D_SHADER_SOURCE_DXBC_DXIL, and with what it takes wave operations, the environment
// VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_1 and the flag
// VKD3D_SHADER_COMPILE_OPTION_FEATURE_WAVE_OPS of the option VKD3D_SHADER_COMPILE_OPTION_FEATURE.
constexpr auto kDxil = static_cast<vkd3d_shader_source_type>(4);
constexpr auto kVulkan1_1 = static_cast<vkd3d_shader_spirv_environment>(3);
constexpr vkd3d_shader_compile_option kWaves{static_cast<vkd3d_shader_compile_option_name>(10), 4};

vkd3d_shader_resource_binding bindingOf(vkd3d_shader_descriptor_type type, uint32_t index,
                                        uint32_t binding) {
  vkd3d_shader_resource_binding made{};
  made.type = type;
  made.register_index = index;
  made.shader_visibility = VKD3D_SHADER_VISIBILITY_COMPUTE;
  made.flags = VKD3D_SHADER_BINDING_FLAG_BUFFER;
  made.binding = {0, binding, 1};
  return made;
}

}  // namespace

std::string spirvOf(std::span<const uint8_t> bytecode, ShaderModel model) {
  std::vector<vkd3d_shader_resource_binding> bindings;
  bindings.push_back(bindingOf(VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, 1, kSpirvConstants));
  uint32_t next = kSpirvFirstRegister;
  for (uint32_t i = 0; i < 3; ++i) {
    bindings.push_back(bindingOf(VKD3D_SHADER_DESCRIPTOR_TYPE_SRV, i, next++));
  }
  for (uint32_t i = 0; i < 5; ++i) {
    bindings.push_back(bindingOf(VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, i, next++));
  }
  vkd3d_shader_push_constant_buffer root{};
  root.shader_visibility = VKD3D_SHADER_VISIBILITY_COMPUTE;
  root.size = 4;

  vkd3d_shader_interface_info interface{};
  interface.type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO;
  interface.bindings = bindings.data();
  interface.binding_count = static_cast<unsigned>(bindings.size());
  interface.push_constant_buffers = &root;
  interface.push_constant_buffer_count = 1;

  vkd3d_shader_compile_info info{};
  info.type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO;
  info.next = &interface;
  vkd3d_shader_spirv_target_info target{};
  if (model == ShaderModel::Sm6_0) {
    target.type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO;
    target.environment = kVulkan1_1;
    interface.next = &target;
    info.options = &kWaves;
    info.option_count = 1;
  }
  info.source = {bytecode.data(), bytecode.size()};
  info.source_type = model == ShaderModel::Sm5_1 ? VKD3D_SHADER_SOURCE_DXBC_TPF : kDxil;
  info.target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY;

  vkd3d_shader_code code{};
  char* messages = nullptr;
  const int result = vkd3d_shader_compile(&info, &code, &messages);
  const std::string said = messages ? messages : "";
  vkd3d_shader_free_messages(messages);
  if (result < 0) {
    throw std::runtime_error("libvkd3d-shader does not take a kernel: " + said);
  }
  const std::string words(static_cast<const char*>(code.code), code.size);
  vkd3d_shader_free_shader_code(&code);
  unsigned major = 0, minor = 0;
  vkd3d_shader_get_version(&major, &minor);
  return "libvkd3d-shader " + std::to_string(major) + "." + std::to_string(minor) +
         ", shader model " + std::string(name(model)) + "\n" + words;
}

}  // namespace dmlcts::gpu
