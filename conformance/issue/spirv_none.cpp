#include <stdexcept>

#include "conformance/issue/spirv.h"

namespace dmlcts {

Spirv spirvOf(std::span<const uint8_t>) {
  throw std::runtime_error("SPIR-V is made by libvkd3d-shader, which this build has not");
}

}  // namespace dmlcts
