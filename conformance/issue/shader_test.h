#pragma once

#include <string>

#include "conformance/issue/kernel_script.h"

namespace dmlcts {

// The script as vkd3d's shader_runner takes it: a .shader_test with, for each dispatch, the
// kernel's HLSL in one piece. Constants come through t3, since shader_runner has root constants
// alone and fewer than a kernel can need. `mutant`: "" or one of kShaderMutants. `remarks`: lines
// for its head.
std::string shaderTest(const KernelScript& script, const std::string& mutant,
                       const std::string& remarks);

// The HLSL of a kernel as that has it.
std::string shaderTestSource(gpu::Shader shader, const std::string& mutant);

}  // namespace dmlcts
