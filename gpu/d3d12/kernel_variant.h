#pragma once

#include <filesystem>

#include "gpu/shaders/variants.h"

namespace dmlcts::gpu {

// The bytecode of a variant, as gpu/shaders/variants makes it: build/kernel-variants/NAME in a
// folder above this program. Throws std::invalid_argument, saying what to type, where it is not
// made, or of other sources than this program's kernels.
std::filesystem::path folderOf(const KernelVariant& variant);

}  // namespace dmlcts::gpu
