#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/issue/kernel_script.h"

namespace dmlcts {

struct AmberShader {
  std::string name;  // "gather_4"
  std::string spirv;
};

struct AmberScript {
  std::string text;
  std::vector<AmberShader> shaders;  // each once, in order
  std::string compiler;              // what made SPIR-V of the kernels
};

// gpu::spirvOf() of a kernel by its name and, or "", by its mutant's. Throws std::runtime_error
// where there is no such thing.
using SpirvSource =
    std::function<std::string(const std::string& shader, const std::string& mutant)>;

// The script for Amber, which reads the SPIR-V of each kernel from NAME.spv beside it. `mutant` and
// `remarks` as shaderTest() takes them. Throws what `spirvOf` throws.
AmberScript amberScript(const KernelScript& script, const std::string& mutant,
                        const std::string& remarks, const SpirvSource& spirvOf);

}  // namespace dmlcts
