#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "conformance/command/targets/targets.h"
#include "conformance/command/targets/vulkan_drivers.h"
#include "conformance/run/environment.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::vector<fs::path> parts(const std::string& list) {
  std::vector<fs::path> paths;
  for (size_t at = 0; at < list.size();) {
    const size_t end = std::min(list.find(':', at), list.size());
    if (end > at) paths.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return paths;
}

// Adds a file itself, or all manifests of a folder.
void addManifests(const fs::path& place, std::vector<fs::path>& manifests) {
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) {
    manifests.push_back(place);
    return;
  }
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(place, ignored)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  manifests.insert(manifests.end(), found.begin(), found.end());
}

std::vector<fs::path> systemManifests() {
  const std::string home = variable("HOME");
  std::vector<fs::path> folders{variable("XDG_CONFIG_HOME", (home + "/.config").c_str())};
  const auto add = [&](const std::string& list) {
    for (const fs::path& each : parts(list)) folders.push_back(each);
  };
  add(variable("XDG_CONFIG_DIRS", "/etc/xdg"));
  add("/usr/local/etc:/etc");
  add(variable("XDG_DATA_HOME", (home + "/.local/share").c_str()));
  add(variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
  std::vector<fs::path> manifests;
  for (const fs::path& folder : folders) {
    const fs::path drivers = folder / "vulkan/icd.d";
    std::error_code ignored;
    if (fs::is_directory(drivers, ignored)) addManifests(drivers, manifests);
  }
  return manifests;
}

// Returns the libraries that ld.so's account of a process says are missing.
std::string missingLibraries(const std::string& account) {
  constexpr std::string_view kFind = "find library=";
  constexpr std::string_view kFound = "calling init: ";
  std::vector<std::string> missing;
  std::istringstream lines(account);
  for (std::string line; std::getline(lines, line);) {
    if (const size_t at = line.find(kFind); at != line.npos) {
      const size_t begin = at + kFind.size();
      missing.push_back(line.substr(begin, line.find(' ', begin) - begin));
    } else if (line.find(kFound) != line.npos) {
      std::erase_if(missing, [&](const std::string& each) { return line.ends_with("/" + each); });
    }
  }
  std::string names;
  for (const std::string& each : missing) names += (names.empty() ? "" : ", ") + each;
  return names;
}

// "" where the library can be used. A driver may crash, or end its process.
std::string problemOf(const std::string& library) {
  const Printed tried =
      printedBy({{executablePath().string(), "worker", std::string(kVulkanDriver) + library},
                 {{"LD_DEBUG", "libs"}}});
  if (tried.ending.clean && tried.out.empty()) return "";
  std::string problem =
      tried.ending.clean ? tried.out : "does not survive being loaded: " + tried.ending.how;
  const std::string missing = missingLibraries(tried.err);
  if (!missing.empty() && problem.find(missing) == problem.npos) {
    problem += "; it looks for " + missing + ", which is not here";
  }
  return problem;
}

VulkanDriver look(const fs::path& manifest) {
  VulkanDriver driver{manifest.string(), "", ""};
  if (driver.problem = whyNotInput(manifest); !driver.problem.empty()) return driver;
  nlohmann::json json;
  try {
    json = parseJson(readInput(manifest), "");
  } catch (const InputError& error) {
    driver.problem = error.what();
    return driver;
  }
  const auto path = nlohmann::json::json_pointer("/ICD/library_path");
  if (!json.contains(path) || !json[path].is_string()) {
    driver.problem = "names no ICD.library_path";
    return driver;
  }
  driver.library = json[path];
  // A bare name is searched like any library; a relative path starts at the manifest.
  const bool isPath = driver.library.find('/') != std::string::npos;
  const std::string library =
      isPath ? (manifest.parent_path() / driver.library).string() : driver.library;
  driver.problem = problemOf(library);
  return driver;
}

}  // namespace

void tryVulkanDriver(const std::string& name) {
  std::FILE* const out = ::fdopen(::dup(STDOUT_FILENO), "w");
  ::dup2(STDERR_FILENO, STDOUT_FILENO);  // the driver may print
  const auto say = [out](const std::string& problem) {
    std::fputs(problem.c_str(), out);
    std::fflush(out);
    std::_Exit(0);  // at once: what ld.so says last is of the driver
  };
  void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!library) say(dlerror());
  using Negotiate = int32_t(uint32_t*);
  auto* negotiate =
      reinterpret_cast<Negotiate*>(dlsym(library, "vk_icdNegotiateLoaderICDInterfaceVersion"));
  uint32_t version = 5;
  if (negotiate) {
    if (const int32_t result = negotiate(&version); result != 0) {
      say(name + " is loaded, and refuses to be used: VkResult " + std::to_string(result));
    }
  } else if (!dlsym(library, "vk_icdGetInstanceProcAddr")) {
    say(name + " is no Vulkan driver: it lacks vk_icdGetInstanceProcAddr");
  }
  std::_Exit(0);
}

VulkanSetUp vulkanSetUp() {
  VulkanSetUp setUp;
  if (void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL)) {
    using EnumerateVersion = int32_t(uint32_t*);
    auto* enumerate =
        reinterpret_cast<EnumerateVersion*>(dlsym(loader, "vkEnumerateInstanceVersion"));
    uint32_t version = uint32_t{1} << 22;  // 1.0, for loaders without that function
    if (enumerate) enumerate(&version);
    setUp.loader = std::to_string(version >> 22 & 0x7F) + "." +
                   std::to_string(version >> 12 & 0x3FF) + "." + std::to_string(version & 0xFFF);
  } else {
    setUp.problem = dlerror();
  }
  std::vector<fs::path> manifests;
  for (const char* name : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    const char* value = std::getenv(name);
    if (!value) continue;
    // An empty variable still counts: the loader then finds no driver.
    setUp.chosenBy = std::string(name) + "=" + value;
    for (const fs::path& each : parts(value)) addManifests(each, manifests);
    break;
  }
  if (setUp.chosenBy.empty()) manifests = systemManifests();
  for (const fs::path& manifest : manifests) setUp.drivers.push_back(look(manifest));
  return setUp;
}

}  // namespace dmlcts
