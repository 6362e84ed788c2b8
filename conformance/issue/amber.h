#pragma once

#include <string>
#include <vector>

#include "conformance/issue/kernel_script.h"

namespace dmlcts {

struct AmberShader {
  std::string name;  // "gather_4"
  std::vector<uint32_t> words;
};

struct AmberScript {
  std::string text;
  std::vector<AmberShader> shaders;  // each once, in order
  std::string compiler;              // what made SPIR-V of the kernels
};

// The script for Amber, which reads the SPIR-V of each kernel from NAME.spv beside it. `mutant` and
// `remarks` as shaderTest() takes them. Throws what spirvOf() throws.
AmberScript amberScript(const KernelScript& script, const std::string& mutant,
                        const std::string& remarks);

}  // namespace dmlcts
