#pragma once

#include <string>
#include <string_view>

// The HLSL that the shaders of manifest.txt are compiled from.

namespace dmlcts::gpu {

// A file of this folder, as it was when this was built: a shader, a header, constants.h or
// manifest.txt. Throws std::out_of_range for any other.
std::string_view shaderFile(std::string_view name);

// A shader in one file, with its definitions before it, each include in its place, and its entry
// point named "main". With a mutant's name, that deliberately wrong variant where the shader has
// one. Throws std::out_of_range for an unknown shader.
std::string shaderSource(std::string_view shader, std::string_view mutant = {});

}  // namespace dmlcts::gpu
