#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <filesystem>
#include <string>

// Properties of a loaded DLL.

namespace dmlcts::gpu {

std::filesystem::path fileOf(HMODULE module);

// Returns the file's version, such as "1.15.4", without a trailing 0; "" without a version
// resource.
std::string versionOf(HMODULE module);

// Returns "10.0" under Wine, else "".
std::string wineVersion();

// Returns a function of a DLL, cast to that type.
template <class Function>
Function function(HMODULE module, const char* name) {
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(module, name)));
}

}  // namespace dmlcts::gpu
