#include <stdexcept>

#include "gpu/shaders/spirv.h"

namespace dmlcts::gpu {

std::string spirvOf(std::span<const uint8_t>, ShaderModel) {
  throw std::runtime_error(
      "SPIR-V is made by libvkd3d-shader, which this worker was built without");
}

}  // namespace dmlcts::gpu
