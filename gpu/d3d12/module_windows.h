#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <filesystem>
#include <string>

// What Windows says of a loaded DLL.

namespace dmlcts::gpu {

std::filesystem::path fileOf(HMODULE module);

// "1.15.4": the numbers of the file's version resource, without a last one of 0; "" without one.
std::string versionOf(HMODULE module);

// "10.0" under Wine, else "".
std::string wineVersion();

// A function of a DLL, as that type.
template <class Function>
Function function(HMODULE module, const char* name) {
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(module, name)));
}

}  // namespace dmlcts::gpu
