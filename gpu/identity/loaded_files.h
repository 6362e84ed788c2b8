#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Which files an implementation's answers come from, for Identity::files.

namespace dmlcts::gpu {

// Whether a file of this path, once loaded, has a part in what a target answers: Direct3D 12's
// runtime, DirectML, the Vulkan loader and its layers, a driver of Windows. By its name, so a file
// that nobody here knows is missed. Vulkan's drivers are not among them: the loader loads them all.
bool isOfRuntime(const std::filesystem::path& file);

// Whether a loaded file is one of the others that a Vulkan driver consists of.
bool belongsTo(const std::filesystem::path& driver, const std::filesystem::path& file);

// This program's.
std::filesystem::path ownFile();

// The files that a process has mapped for execution, by the text of its /proc/PID/maps; each once,
// in order of their addresses.
std::vector<std::filesystem::path> mappedFiles(std::string_view maps);

// The SHA-256 of this program's own file, of those that isOfRuntime() among what it has
// loaded by now, and of `further` ones; by file name. What cannot be read is left out. At most 64.
std::map<std::string, std::string> implementationFiles(
    std::span<const std::filesystem::path> further = {});

}  // namespace dmlcts::gpu
