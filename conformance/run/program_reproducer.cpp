#include "conformance/run/program_reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "conformance/run/program_model.h"
#include "conformance/run/program_reproducer_text.h"
#include "conformance/run/reproducer_parts.h"
#include "conformance/run/reproducer_text.h"

namespace dmlcts {
namespace {

using gpu::CallKind;
using gpu::Place;
using gpu::SequenceCall;

constexpr uint64_t kMostLiteralBytes = 1 << 16;  // of all buffers

std::string bytesText(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{:#04x}", i == 0 ? "" : ", ", bytes[i]);
  }
  return wrapped(text, "     ");
}

// Returns an operator's tensors, named as in descriptorText().
std::string tensorsText(size_t number, const Descriptor& descriptor, bool outputs) {
  std::string text;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.isOutput != outputs) continue;
    text += fmt::format("{}&op{}::k{}Buffer", text.empty() ? "" : ", ", number, slot.dmlName);
  }
  return "{" + text + "}";
}

std::string placesText(const std::vector<Place>& places) {
  std::string text;
  for (const Place& place : places) {
    text += fmt::format("{}{{{}, {}}}", text.empty() ? "" : ", ", place.buffer, place.offset);
  }
  return "{" + text + "}";
}

std::string statement(const SequenceCall& call, const Program& program) {
  switch (call.kind) {
    case CallKind::Create: {
      const Descriptor& descriptor = program.operators[call.object].descriptor;
      return fmt::format("create({0}, op{0}::kOperator, {1}, {2})", call.object,
                         tensorsText(call.object, descriptor, false),
                         tensorsText(call.object, descriptor, true));
    }
    case CallKind::Compile:
    case CallKind::Release:
      return fmt::format("{}({})", name(call.kind), call.object);
    case CallKind::Initialize:
      return fmt::format("initialize({{{}}})", fmt::join(call.operators, ", "));
    case CallKind::Bind:
    case CallKind::Reset:
      return fmt::format("{}({}, {}, {}, {})", name(call.kind), call.object, call.operators.front(),
                         placesText(call.from), placesText(call.to));
    case CallKind::Rebind:
      return fmt::format("rebind({}, {}, {})", call.object, placesText(call.from),
                         placesText(call.to));
    case CallKind::Execute:
      return fmt::format("execute({}, {})", call.object, call.queue);
    case CallKind::Copy:
      return fmt::format("copy({{{}, {}}}, {{{}, {}}}, {}, {})", call.from.front().buffer,
                         call.from.front().offset, call.to.front().buffer, call.to.front().offset,
                         call.bytes, call.queue);
    case CallKind::Barrier:
    case CallKind::Submit:
    case CallKind::Wait:
      return fmt::format("{}({})", name(call.kind), call.queue);
    case CallKind::Memory:
      return fmt::format("memory({})", call.bytes);
  }
  return "";
}

// Calls `each(at, bytes)` for every longest run of bytes for which `is` is true.
template <class Is, class Each>
void forEachRun(const std::vector<ProgramModel::Byte>& bytes, Is is, Each each) {
  for (size_t at = 0; at < bytes.size();) {
    size_t end = at;
    while (end < bytes.size() && is(bytes[end])) ++end;
    if (end > at) each(at, end - at);
    at = end + 1;
  }
}

// Returns the buffers' initial contents, the bytes that calls leave, and the undefined ranges.
std::string contentsText(const Program& program, const ProgramModel& model) {
  std::string first = "const std::vector<std::vector<uint8_t>> kFirst{\n";
  std::string left = "const std::vector<Bytes> kLeft{  // by calls\n";
  std::string open = "const std::vector<Range> kUndefined{\n";
  for (size_t buffer = 0; buffer < program.buffers.size(); ++buffer) {
    const auto& held = model.buffers()[buffer];
    first += fmt::format("    {{\n{}    }},\n",
                         bytesText(bufferBytes(program, program.buffers[buffer])));
    forEachRun(
        held, [](const auto& byte) { return byte.defined && byte.writer >= 0; },
        [&](size_t at, size_t count) {
          std::vector<uint8_t> bytes;
          for (size_t i = at; i < at + count; ++i) bytes.push_back(held[i].value);
          left += fmt::format("    {{{}, {}, {{\n{}    }}}},\n", buffer, at, bytesText(bytes));
        });
    forEachRun(
        held, [](const auto& byte) { return !byte.defined; },
        [&](size_t at, size_t count) {
          open += fmt::format("    {{{}, {}, {}}},\n", buffer, at, count);
        });
  }
  return first + "};\n" + left + "};\n" + open + "};\n";
}

}  // namespace

std::string reproducer(const Program& program) {
  if (const std::string problem = whyInvalid(program); !problem.empty()) {
    throw std::invalid_argument(problem);
  }
  uint64_t bytes = 0;
  for (const Program::Buffer& buffer : program.buffers) bytes += buffer.bytes;
  if (bytes > kMostLiteralBytes) {
    throw std::invalid_argument(fmt::format(
        "its buffers have {} bytes, and a program of literals takes {}", bytes, kMostLiteralBytes));
  }
  ProgramModel model(program, Strictness::Documents);
  Level level = Level::L2_1;
  for (const Case& each : program.operators) level = std::max(level, each.level);
  std::string calls;
  for (const SequenceCall& call : program.calls) {
    model.make(call);
    calls += wrapped("application." + statement(call, program) + ";", "  ");
  }

  std::string text;
  for (const std::string& line : programLines(program)) text += wrapped(line, "// ");
  text += "//\n" + useText("Makes these calls and compares what the buffers hold then");
  text += kIncludes;
  text += kExecutingIncludes;
  for (size_t i = 0; i < program.operators.size(); ++i) {
    text += fmt::format("\nnamespace op{} {{\n{}}}\n", i,
                        descriptorText(program.operators[i].descriptor));
  }
  text += kSequenceTypes;
  text += contentsText(program, model);
  text += kDevice;
  text += kHelpers;
  text += kApplication;
  text += fmt::format(kMakeDevice, levelConstant(level));
  text += "  Application application(device, dml);\n" + calls;
  text += kCompareBuffers;
  return text;
}

}  // namespace dmlcts
