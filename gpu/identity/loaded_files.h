#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Finds the files that produce an implementation's answers, for Identity::files.

namespace dmlcts::gpu {

// True if a loaded file at this path affects a target's answers: Direct3D 12's runtime, DirectML,
// the Vulkan loader and its layers, a Windows driver. Misses unknown names. Excludes Vulkan
// drivers, since the loader loads all of them.
bool belongsToRuntime(const std::filesystem::path& file);

// True if a loaded file is another part of the same Vulkan driver.
bool belongsTo(const std::filesystem::path& driver, const std::filesystem::path& file);

// Returns this program's file.
std::filesystem::path ownFile();

// Returns the files that a process has mapped for execution, from the text of its /proc/PID/maps.
// Each appears once, in address order.
std::vector<std::filesystem::path> mappedFiles(std::string_view maps);

// Returns SHA-256 by file name: of this program, of loaded files that belongsToRuntime() accepts,
// and of `further` ones. Skips unreadable files. At most 64.
std::map<std::string, std::string> implementationFiles(
    std::span<const std::filesystem::path> further = {});

}  // namespace dmlcts::gpu
