#include "gpu/d3d12/platform/module_windows.h"

#include <fmt/format.h>

#include <vector>

namespace dmlcts::gpu {

std::filesystem::path fileOf(HMODULE module) {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(module, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

std::string versionOf(HMODULE module) {
  const std::filesystem::path file = fileOf(module);
  DWORD ignored = 0;
  const DWORD size = GetFileVersionInfoSizeW(file.c_str(), &ignored);
  std::vector<uint8_t> resource(size);
  void* found = nullptr;
  UINT length = 0;
  if (size == 0 || !GetFileVersionInfoW(file.c_str(), 0, size, resource.data()) ||
      !VerQueryValueW(resource.data(), L"\\", &found, &length)) {
    return {};
  }
  const auto& info = *static_cast<const VS_FIXEDFILEINFO*>(found);
  std::string text = fmt::format("{}.{}.{}", HIWORD(info.dwFileVersionMS),
                                 LOWORD(info.dwFileVersionMS), HIWORD(info.dwFileVersionLS));
  if (LOWORD(info.dwFileVersionLS) != 0) text += fmt::format(".{}", LOWORD(info.dwFileVersionLS));
  return text;
}

std::string wineVersion() {
  using WineVersion = const char*(__cdecl*)();
  const auto version = function<WineVersion>(GetModuleHandleW(L"ntdll.dll"), "wine_get_version");
  return version ? version() : "";
}

}  // namespace dmlcts::gpu
