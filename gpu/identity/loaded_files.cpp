#include "gpu/identity/loaded_files.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "gpu/identity/file_hash.h"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// after windows.h
#include <psapi.h>
#endif

namespace dmlcts::gpu {
namespace {

constexpr size_t kMostFiles = 64;

std::string utf8(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

#ifdef _WIN32

std::filesystem::path fileOf(HMODULE module) {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(module, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

std::filesystem::path openedFile() { return fileOf(nullptr); }

std::vector<std::filesystem::path> loadedFiles() {
  std::vector<HMODULE> modules(4096);
  DWORD bytes = 0;
  if (!K32EnumProcessModules(GetCurrentProcess(), modules.data(),
                             static_cast<DWORD>(modules.size() * sizeof(HMODULE)), &bytes)) {
    return {};
  }
  modules.resize(std::min(modules.size(), bytes / sizeof(HMODULE)));
  std::vector<std::filesystem::path> files;
  for (HMODULE module : modules) files.push_back(fileOf(module));
  return files;
}

#else

// The link, not its target: it can be opened even after the file was replaced.
std::filesystem::path openedFile() { return "/proc/self/exe"; }

std::vector<std::filesystem::path> loadedFiles() {
  std::ifstream in("/proc/self/maps");
  return mappedFiles(std::string(std::istreambuf_iterator<char>(in), {}));
}

#endif

std::string ownName() { return utf8(ownFile().filename()); }

}  // namespace

std::filesystem::path ownFile() {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::read_symlink(openedFile(), error);
  return error ? openedFile() : file;
}

bool belongsToRuntime(const std::filesystem::path& file) {
  // The starts of names; a version follows.
  constexpr std::array<std::string_view, 13> kBeginnings{
      "libvkd3d", "libd3d12", "libdxcore", "libvulkan.so", "libvklayer", "directml.", "d3d12",
      "dxgi.",    "dxcore.",  "dxil",      "vulkan-",      "winevulkan", "vkd3d"};
  const std::string name = lower(utf8(file.filename()));
  if (std::ranges::any_of(kBeginnings, [&](auto start) { return name.starts_with(start); })) {
    return true;
  }
  // Windows' driver folders.
  std::string path = lower(utf8(file));
  std::ranges::replace(path, '\\', '/');
  return path.find("/driverstore/filerepository/") != path.npos;
}

bool belongsTo(const std::filesystem::path& driver, const std::filesystem::path& file) {
  struct Family {
    std::string_view driver;  // part of its name
    std::string_view start;   // of a companion's name
  };
  constexpr std::array<Family, 3> kFamilies{
      {{"nvidia", "libglx_nvidia"}, {"nvidia", "libnvidia-"}, {"libvulkan_lvp", "libgallium"}}};
  const std::string driverName = lower(utf8(driver.filename()));
  const std::string name = lower(utf8(file.filename()));
  return std::ranges::any_of(kFamilies, [&](const Family& family) {
    return driverName.find(family.driver) != driverName.npos && name.starts_with(family.start);
  });
}

std::vector<std::filesystem::path> mappedFiles(std::string_view maps) {
  std::vector<std::filesystem::path> files;
  while (!maps.empty()) {
    const std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    // "BEGIN-END r-xp OFFSET DEVICE INODE      PATH"
    const size_t rights = line.find(' ');
    const size_t path = line.find('/');
    if (rights == line.npos || path == line.npos || line.substr(rights, 5).find('x') == line.npos) {
      continue;
    }
    std::filesystem::path file(line.substr(path));
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

std::map<std::string, std::string> implementationFiles(
    std::span<const std::filesystem::path> further) {
  std::map<std::string, std::string> hashes;
  const auto add = [&hashes](const std::string& name, const std::filesystem::path& file) {
    if (hashes.size() == kMostFiles || hashes.contains(name)) return;
    try {
      hashes[name] = sha256OfFile(file);
    } catch (const std::runtime_error&) {
      // The file is gone or not readable.
    }
  };
  add(ownName(), openedFile());
  for (const std::filesystem::path& file : further) add(utf8(file.filename()), file);
  for (const std::filesystem::path& file : loadedFiles()) {
    const auto owns = [&file](const auto& driver) { return belongsTo(driver, file); };
    if (belongsToRuntime(file) || std::ranges::any_of(further, owns))
      add(utf8(file.filename()), file);
  }
  return hashes;
}

}  // namespace dmlcts::gpu
