#pragma once

#include <filesystem>

#include "gpu/shaders/variants.h"

namespace dmlcts::gpu {

// Returns the folder of a variant's bytecode, as built by gpu/shaders/variants:
// build/kernel-variants/NAME in a folder above this program. Throws std::invalid_argument, with the
// command to type, if it is missing or built from sources other than this program's.
std::filesystem::path folderOf(const KernelVariant& variant);

}  // namespace dmlcts::gpu
