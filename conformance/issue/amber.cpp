#include "conformance/issue/amber.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "gpu/shaders/spirv.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr size_t kNumbersPerLine = 16;

std::string numbers(const std::vector<uint32_t>& dwords) {
  std::string text;
  for (size_t i = 0; i < dwords.size(); ++i) {
    text += fmt::format("{}{}", dwords[i],
                        (i + 1) % kNumbersPerLine == 0 || i + 1 == dwords.size() ? '\n' : ' ');
  }
  return text;
}

// Vulkan features that the capabilities of a shader ask for.
void addFeatures(const std::string& spirv, std::vector<std::string>& features) {
  constexpr uint32_t kOpCapability = 17;
  const std::pair<uint32_t, const char*> known[]{
      {11, "shaderInt64"},
      {55, "shaderStorageImageReadWithoutFormat"},
      {56, "shaderStorageImageWriteWithoutFormat"},
      {61, "SubgroupSupportedOperations.basic"},
      {63, "SubgroupSupportedOperations.arithmetic"},
      {64, "SubgroupSupportedOperations.ballot"},
  };
  const std::span bytes(reinterpret_cast<const uint8_t*>(spirv.data()), spirv.size());
  std::vector<uint32_t> words;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    words.push_back(static_cast<uint32_t>(loadBits(bytes, at, 4)));
  }
  for (size_t at = 5; at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16) {
    if ((words[at] & 0xFFFF) != kOpCapability || at + 1 >= words.size()) continue;
    for (const auto& [capability, feature] : known) {
      if (words[at + 1] != capability || std::ranges::count(features, feature) > 0) continue;
      features.emplace_back(feature);
    }
  }
}

std::string bufferText(const KernelScript::Buffer& buffer) {
  std::vector<uint32_t> dwords;
  for (size_t at = 0; at < buffer.bytes.size(); at += 4) {
    dwords.push_back(static_cast<uint32_t>(loadBits(buffer.bytes, at, 4)));
  }
  return fmt::format("BUFFER {} DATA_TYPE {} DATA\n{}END\n\n", registerName(buffer.where),
                     gpu::isTyped(buffer.where) ? "R32G32B32A32_UINT" : "R32_UINT",
                     numbers(dwords));
}

// Runs of neighbouring dwords, each one line.
std::string expectations(const std::vector<KernelScript::Dword>& expected) {
  std::string text;
  for (size_t first = 0; first < expected.size();) {
    std::string values;
    size_t i = first;
    while (i < expected.size() && i - first < kNumbersPerLine &&
           expected[i].where == expected[first].where &&
           expected[i].at == expected[first].at + (i - first)) {
      values += fmt::format(" {}", expected[i++].value);
    }
    text += fmt::format("EXPECT {} IDX {} EQ{}\n", registerName(expected[first].where),
                        expected[first].at * 4, values);
    first = i;
  }
  return text;
}

}  // namespace

AmberScript amberScript(const KernelScript& script, const std::string& mutant,
                        const std::string& remarks, const SpirvSource& spirvOf) {
  AmberScript amber;
  std::vector<std::string> features;
  for (const KernelScript::Pass& pass : script.passes) {
    const std::string shader(name(pass.shader));
    if (std::ranges::find(amber.shaders, shader, &AmberShader::name) != amber.shaders.end()) {
      continue;
    }
    const std::string made = spirvOf(shader, mutant);
    const size_t line = std::min(made.find('\n'), made.size() - 1);
    amber.compiler = made.substr(0, line);
    amber.shaders.push_back({shader, made.substr(line + 1)});
    addFeatures(amber.shaders.back().spirv, features);
  }
  std::string& text = amber.text;
  text = "#!amber\n";
  std::istringstream lines(remarks);
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  text += "\n";
  for (const std::string& feature : features) text += "DEVICE_FEATURE " + feature + "\n";
  if (!features.empty()) text += "\n";
  for (const AmberShader& shader : amber.shaders) {
    text += fmt::format("SHADER compute {0} SPIRV-BIN FILE {0}.spv\n\n", shader.name);
  }
  for (const KernelScript::Buffer& buffer : script.buffers) text += bufferText(buffer);
  text += "BUFFER root DATA_TYPE uint32 DATA\n0\nEND\n\n";
  std::string runs;
  for (size_t i = 0; i < script.passes.size(); ++i) {
    const KernelScript::Pass& pass = script.passes[i];
    text += fmt::format("BUFFER constants{} DATA_TYPE vec4<uint32> STD140 DATA\n{}END\n\n", i + 1,
                        numbers(pass.constants));
    text += fmt::format("PIPELINE compute pass{}\n  ATTACH {}\n", i + 1, name(pass.shader));
    text += "  BIND BUFFER root AS push_constant\n";
    text += fmt::format("  BIND BUFFER constants{} AS uniform DESCRIPTOR_SET 0 BINDING {}\n", i + 1,
                        gpu::kSpirvConstants);
    for (const KernelScript::Buffer& buffer : script.buffers) {
      text +=
          fmt::format("  BIND BUFFER {} AS {}_texel_buffer DESCRIPTOR_SET 0 BINDING {}\n",
                      registerName(buffer.where), isOutput(buffer.where) ? "storage" : "uniform",
                      gpu::kSpirvFirstRegister + static_cast<uint32_t>(buffer.where));
    }
    text += "END\n\n";
    runs += fmt::format("RUN pass{} {} {} 1\n", i + 1, pass.groupsX, pass.groupsY);
  }
  text += runs + "\n" + expectations(script.expected);
  return amber;
}

}  // namespace dmlcts
