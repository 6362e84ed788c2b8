#include "conformance/issue/shader_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "gpu/shaders/sources.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

constexpr std::string_view kConstantsRegister = "t3";

// shader_runner reads lines of at most 255 bytes.
constexpr size_t kNumbersPerLine = 16;

void replaceOnce(std::string& text, std::string_view begin, std::string_view end,
                 std::string_view by) {
  const size_t from = text.find(begin);
  const size_t to = from == std::string::npos ? from : text.find(end, from + begin.size());
  if (to == std::string::npos) {
    throw std::logic_error("the shaders lack \"" + std::string(begin) + "\"");
  }
  text.replace(from, to + end.size() - from, by);
}

std::string numbers(const std::vector<uint32_t>& dwords) {
  std::string text;
  for (size_t i = 0; i < dwords.size(); ++i) {
    const bool ends = (i + 1) % kNumbersPerLine == 0 || i + 1 == dwords.size();
    text += fmt::format("{}{}", dwords[i], ends ? '\n' : ' ');
  }
  return text;
}

std::vector<uint32_t> dwordsOf(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> dwords;
  for (size_t at = 0; at < bytes.size(); at += 4) {
    dwords.push_back(static_cast<uint32_t>(loadBits(bytes, at, 4)));
  }
  return dwords;
}

std::string rawBuffer(std::string_view kind, std::string_view number,
                      const std::vector<uint32_t>& dwords) {
  return fmt::format("[{} {}]\nformat r32-typeless\nsize (raw_buffer, {})\n\n{}\n", kind, number,
                     dwords.size(), numbers(dwords));
}

std::string bufferText(const KernelScript::Buffer& buffer) {
  const std::string_view kind = isOutput(buffer.where) ? "uav" : "srv";
  const std::string number = registerName(buffer.where).substr(1);
  const std::vector<uint32_t> dwords = dwordsOf(buffer.bytes);
  if (!gpu::isTyped(buffer.where)) return rawBuffer(kind, number, dwords);
  return fmt::format("[{} {}]\nformat r32g32b32a32-uint\nsize (buffer, {})\n\n{}\n", kind, number,
                     dwords.size() / 4, numbers(dwords));
}

// Typed buffers are probed by texels, of which every dword is expected; raw ones by dwords.
std::string probes(const KernelScript& script) {
  std::string text;
  for (size_t i = 0; i < script.expected.size();) {
    const auto& [where, at, value] = script.expected[i];
    const std::string uav = registerName(where).substr(1);
    if (!gpu::isTyped(where)) {
      text += fmt::format("probe uav {} ({}) u32({})\n", uav, at, value);
      ++i;
      continue;
    }
    const bool whole = at % 4 == 0 && i + 4 <= script.expected.size() &&
                       script.expected[i + 3].where == where && script.expected[i + 3].at == at + 3;
    if (!whole) throw std::invalid_argument("a texel is expected in part");
    const auto of = [&](size_t n) { return script.expected[i + n].value; };
    text += fmt::format("probe uav {} ({}) u32({}, {}, {}, {})\n", uav, at / 4, of(0), of(1), of(2),
                        of(3));
    i += 4;
  }
  return text;
}

}  // namespace

std::string shaderTestSource(gpu::Shader shader, const std::string& mutant) {
  std::string text = gpu::shaderSource(name(shader), mutant);
  replaceOnce(text, "cbuffer Root", "};\n", "");
  replaceOnce(text, "cbuffer Constants", "};\n",
              fmt::format("ByteAddressBuffer constants : register({});\n", kConstantsRegister));
  replaceOnce(text, "constants[constantsAt + (dword >> 2)]", "[dword & 3]",
              "constants.Load(dword * 4)");
  replaceOnce(text, "constants[constantsAt + (table >> 2)", " + axis]",
              "constants.Load4((table + axis * 4) * 4)");
  std::istringstream lines(text);
  std::string indented;
  for (std::string line; std::getline(lines, line);) {
    // Lines that begin so are not the shader's to shader_runner.
    if (line.starts_with("[") || line.starts_with("%")) indented += "    ";
    indented += line + "\n";
  }
  return indented;
}

std::string shaderTest(const KernelScript& script, const std::string& mutant,
                       const std::string& remarks) {
  std::istringstream lines(remarks);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    for (size_t at = 0; at == 0 || at < line.size(); at += 200) {
      text += fmt::format("% {}\n", line.substr(at, 200));
    }
  }
  text += "\n[require]\nshader model >= 5.0\n\n";
  for (const KernelScript::Buffer& buffer : script.buffers) text += bufferText(buffer);
  for (size_t i = 0; i < script.passes.size(); ++i) {
    const KernelScript::Pass& pass = script.passes[i];
    text +=
        fmt::format("% {}, dispatch {} of {}\n", name(pass.shader), i + 1, script.passes.size());
    text += rawBuffer("srv", kConstantsRegister.substr(1), pass.constants);
    text += "[compute shader]\n" + shaderTestSource(pass.shader, mutant);
    text += fmt::format("\n[test]\ndispatch {} {} 1\n", pass.groupsX, pass.groupsY);
    text += i + 1 == script.passes.size() ? probes(script) : "\n";
  }
  return text;
}

}  // namespace dmlcts
