#include "conformance/issue/kernel_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "gpu/operators/operators.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

using gpu::Memory;
using gpu::Register;

// Where a memory is seen: its kind and slot.
using Seen = std::pair<Memory::Kind, uint32_t>;

class Writer {
 public:
  Writer(const PreparedCase& prepared, const gpu::PlanLimits& limits)
      : request_(prepared.requests.front()),
        prepared_(prepared),
        plan_(gpu::planOf(request_.descriptor, limits)) {}

  KernelScript write() && {
    if (plan_.readsTemporaries) {
      throw std::invalid_argument("a kernel reads as input what another wrote");
    }
    for (gpu::Pass pass : plan_.passes) {
      withoutTexelsOfRows(pass);
      for (const gpu::Binding& binding : pass.bindings) {
        see(binding);
        const uint64_t unit = gpu::isTyped(binding.where) ? 16 : 1;
        pass.constants[binding.baseAt] = static_cast<uint32_t>(binding.offset / unit);
      }
      script_.passes.push_back({pass.shader, pass.groupsX, pass.groupsY, pass.constants});
    }
    for (const auto& [where, seen] : memoryAt_) {
      script_.buffers.push_back({where, before(seen)});
    }
    for (const auto& [where, seen] : memoryAt_) expect(where, seen);
    return std::move(script_);
  }

 private:
  // These kernels write whole texels of rows through one register and what is left through another,
  // to the same memory. The kernel without texels takes the same constants.
  void withoutTexelsOfRows(gpu::Pass& pass) {
    if (pass.shader != gpu::Shader::Rows1Texels && pass.shader != gpu::Shader::Rows2Texels) return;
    const bool one = pass.shader == gpu::Shader::Rows1Texels;
    script_.note = fmt::format(
        "{} writes one memory through two registers, which scripts cannot; here it is {}, which "
        "writes it dword by dword",
        name(pass.shader), one ? "rows_1" : "rows_2");
    pass.shader = one ? gpu::Shader::Rows1 : gpu::Shader::Rows2;
    std::erase_if(pass.bindings,
                  [](const gpu::Binding& binding) { return binding.where == Register::OutTexels; });
  }

  void see(const gpu::Binding& binding) {
    const Seen memory{binding.memory.kind, binding.memory.slot};
    const auto [at, fresh] = memoryAt_.emplace(binding.where, memory);
    if (!fresh && at->second != memory) {
      throw std::invalid_argument("a register shows one memory, then another");
    }
    if (binding.memory.kind != Memory::Kind::Output) return;
    const auto [other, first] = outputAt_.emplace(binding.memory.slot, binding.where);
    if (!first && other->second != binding.where) {
      throw std::invalid_argument("an output is written through two registers");
    }
  }

  std::vector<uint8_t> before(const Seen& memory) const {
    std::vector<uint8_t> bytes;
    const auto tensor = [&](const gpu::BufferImage& image) {
      const auto begin = image.bytes.begin() + static_cast<ptrdiff_t>(image.offset);
      bytes.assign(begin, begin + static_cast<ptrdiff_t>(image.size));
    };
    switch (memory.first) {
      case Memory::Kind::Input:
        tensor(request_.inputs[memory.second]);
        break;
      case Memory::Kind::Output:
        tensor(request_.outputs[memory.second]);
        break;
      case Memory::Kind::Temporary:
        bytes.resize(plan_.temporaryBytes);
        break;
    }
    if (bytes.size() > kMostScriptBytes) {
      throw std::invalid_argument(fmt::format("a buffer has {} bytes", bytes.size()));
    }
    bytes.resize((bytes.size() + 15) / 16 * 16);
    return bytes;
  }

  // Dwords that hold something defined. What else they hold stays as it was.
  void expect(Register where, const Seen& memory) {
    if (memory.first != Memory::Kind::Output) return;
    const ReferenceOutput& expected = prepared_.expected[memory.second];
    std::vector<uint8_t> bytes = before(memory);
    std::vector<bool> defined(bytes.size() / 4);
    for (uint64_t at = 0; at < expected.status.size(); ++at) {
      if (expected.status[at] != ByteStatus::Defined) continue;
      bytes[at] = expected.bytes[at];
      defined[at / 4] = true;
    }
    for (uint64_t at = 0; at < defined.size(); ++at) {
      if (!defined[at]) continue;
      script_.expected.push_back({where, at, static_cast<uint32_t>(loadBits(bytes, at * 4, 4))});
    }
    if (script_.expected.size() > kMostScriptDwords) {
      throw std::invalid_argument(
          fmt::format("more than {} dwords would have to be compared", kMostScriptDwords));
    }
  }

  const gpu::Request& request_;
  const PreparedCase& prepared_;
  gpu::Plan plan_;
  std::map<Register, Seen> memoryAt_;
  std::map<uint32_t, Register> outputAt_;
  KernelScript script_;
};

}  // namespace

std::string registerName(Register where) {
  const bool output = isOutput(where);
  const auto first = output ? Register::OutTexels : Register::DataTexels;
  return fmt::format("{}{}", output ? 'u' : 't', static_cast<int>(where) - static_cast<int>(first));
}

KernelScript kernelScript(const PreparedCase& prepared, const gpu::PlanLimits& limits) {
  if (!prepared.requests.front().execute) throw std::invalid_argument("it executes nothing");
  return Writer(prepared, limits).write();
}

}  // namespace dmlcts
