#include "gpu/shaders/sources.h"

#include <algorithm>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>

#include "gpu/shaders/embedded.h"

namespace dmlcts::gpu {
namespace {

// Appends the file, and in the place of an include what it names, unless that is there already.
void flatten(std::string_view name, std::set<std::string, std::less<>>& seen, std::string& text) {
  if (!seen.emplace(name).second) return;
  std::istringstream lines{std::string(shaderFile(name))};
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kInclude = "#include \"";
    if (line.starts_with(kInclude)) {
      const size_t end = line.find('"', kInclude.size());
      flatten(line.substr(kInclude.size(), end - kInclude.size()), seen, text);
    } else {
      text += line + "\n";
    }
  }
}

// A line of the manifest: name, file, entry point, definitions.
std::string fromManifest(const std::string& wanted) {
  std::istringstream lines{std::string(shaderFile("manifest.txt"))};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name, file, entry, text;
    if (!(words >> name >> file >> entry) || name != wanted) continue;
    for (std::string definition; words >> definition;) {
      const size_t equals = definition.find('=');
      text +=
          "#define " + definition.substr(0, equals) + " " + definition.substr(equals + 1) + "\n";
    }
    text += "#define " + entry + " main\n\n";
    std::set<std::string, std::less<>> seen;
    flatten(file, seen, text);
    return text;
  }
  return "";
}

}  // namespace

std::string_view shaderFile(std::string_view name) {
  const std::span files(kShaderFiles, kShaderFileCount);
  const auto found = std::ranges::find(files, name, &EmbeddedFile::name);
  if (found == files.end()) throw std::out_of_range("no shader file " + std::string(name));
  return found->text;
}

std::string shaderSource(std::string_view shader, std::string_view mutant) {
  const std::string name(shader);
  std::string text;
  if (!mutant.empty()) text = fromManifest(name + "@" + std::string(mutant));
  if (text.empty()) text = fromManifest(name);
  if (text.empty()) throw std::out_of_range("no shader " + name);
  return text;
}

}  // namespace dmlcts::gpu
