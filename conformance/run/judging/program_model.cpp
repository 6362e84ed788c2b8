#include "conformance/run/judging/program_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/language/operator_syntax.h"
#include "reference/counted.h"
#include "reference/evaluate.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using gpu::CallKind;
using gpu::Place;
using gpu::SequenceCall;

// Calls `call` with each element's byte offset.
template <class Call>
void forEachElement(const TensorDesc& tensor, Call call) {
  const uint32_t width = info(tensor.type).bytes;
  const auto strides = elementStrides(tensor).value();
  ElementWalk walk(tensor.sizes, strides);
  do {
    call(walk.offset() * width);
  } while (walk.next());
}

// True for NaNs and denormals: inferred rules let implementations change them.
bool isDelicate(DataType type, uint64_t bits) {
  const uint32_t width = info(type).bytes;
  const uint32_t mantissa = width == 2 ? 10 : width == 4 ? 23 : 52;
  const uint64_t fraction = bits & ((uint64_t{1} << mantissa) - 1);
  const uint64_t most = (uint64_t{1} << (8 * width - 1 - mantissa)) - 1;
  const uint64_t exponent = bits >> mantissa & most;
  return fraction != 0 && (exponent == 0 || exponent == most);
}

std::vector<TensorSlot> slotsOf(const Descriptor& descriptor, bool outputs) {
  std::vector<TensorSlot> slots = tensors(descriptor);
  std::erase_if(slots, [&](const TensorSlot& slot) { return slot.isOutput != outputs; });
  return slots;
}

}  // namespace

ProgramModel::ProgramModel(const Program& program, Strictness strictness)
    : program_(program), strictness_(strictness) {
  for (const Program::Buffer& buffer : program.buffers) {
    std::vector<Byte>& bytes = buffers_.emplace_back();
    for (uint8_t value : bufferBytes(program, buffer)) bytes.push_back({value, true, -1});
  }
}

std::string ProgramModel::make(const SequenceCall& call) {
  Operator& op = operators_[call.object];
  std::string problem;
  switch (call.kind) {
    case CallKind::Create:
      if (call.object >= program_.operators.size()) return "there is no such operator";
      if (op.stage != Stage::None) return "it is alive";
      op.stage = Stage::Created;
      break;
    case CallKind::Compile:
      if (op.stage != Stage::Created) return "it is not just created";
      op.stage = Stage::Compiled;
      break;
    case CallKind::Release:
      if (op.stage == Stage::None) return "it is not alive";
      if (op.inFlight[0] || op.inFlight[1]) return "what it does has not been waited for";
      op = {Stage::None, op.generation + 1, {}};
      break;
    case CallKind::Initialize:
      problem = initialize(call);
      break;
    case CallKind::Bind:
    case CallKind::Rebind:
    case CallKind::Reset:
      problem = bind(call);
      break;
    case CallKind::Execute:
      problem = execute(call);
      break;
    case CallKind::Copy:
      problem = copy(call);
      break;
    case CallKind::Barrier:
      queues_[call.queue].accesses.clear();
      break;
    case CallKind::Wait:
      wait(call.queue);
      break;
    case CallKind::Submit:
    case CallKind::Memory:
      break;
    case CallKind::Buffer:
    case CallKind::Put:
    case CallKind::Get:
    case CallKind::Heap:
    case CallKind::Resubmit:
      return "no text has it";
  }
  if (!problem.empty()) return problem;
  ++calls_;
  return "";
}

std::string ProgramModel::initialize(const SequenceCall& call) {
  std::set<uint32_t> once(call.operators.begin(), call.operators.end());
  if (once.size() != call.operators.size()) return "an operator appears twice";
  for (uint32_t number : call.operators) {
    if (operators_[number].stage != Stage::Compiled) {
      return fmt::format("operator {} is not just compiled", number);
    }
  }
  for (uint32_t number : call.operators) operators_[number].stage = Stage::Initialized;
  return "";
}

// Returns why tensors cannot be bound there, or "".
std::string ProgramModel::outside(uint32_t op, const std::vector<Place>& places,
                                  bool outputs) const {
  const auto slots = slotsOf(program_.operators[op].descriptor, outputs);
  if (places.size() != slots.size()) {
    return fmt::format("{} for {}", counted(places.size(), "place"),
                       counted(slots.size(), outputs ? "output" : "input"));
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorDesc& desc = *slots[i].desc;
    if (places[i].buffer >= buffers_.size()) return "there is no such buffer";
    if (places[i].offset % std::max(kMinimumBufferTensorAlignment, desc.baseOffsetAlignment) != 0) {
      return fmt::format("{} is not aligned", slots[i].name);
    }
    const uint64_t size = buffers_[places[i].buffer].size();
    if (places[i].offset > size || desc.totalBytes > size - places[i].offset) {
      return fmt::format("{} reaches beyond the buffer", slots[i].name);
    }
  }
  return "";
}

std::string ProgramModel::bind(const SequenceCall& call) {
  Table& table = tables_[call.object];
  const bool rebinds = call.kind == CallKind::Rebind;
  if (table.made != (call.kind != CallKind::Bind)) {
    return table.made ? "there is such a table" : "there is no such table";
  }
  const uint32_t op = rebinds ? table.op : call.operators.front();
  const Operator& of = operators_[op];
  if (of.stage < Stage::Compiled) return "the operator is not compiled";
  if (rebinds) {
    if (table.generation != of.generation) return "the operator was released";
    if (table.inFlight[0] || table.inFlight[1]) return "an execution has not been waited for";
    if (call.from.empty() && call.to.empty()) return "nothing is bound";
  }
  if (!rebinds || !call.from.empty()) {
    if (std::string problem = outside(op, call.from, false); !problem.empty()) return problem;
  }
  if (!rebinds || !call.to.empty()) {
    if (std::string problem = outside(op, call.to, true); !problem.empty()) return problem;
  }
  const std::vector<Place> from = rebinds && call.from.empty() ? table.from : call.from;
  const std::vector<Place> to = rebinds && call.to.empty() ? table.to : call.to;
  table = {true, op, of.generation, from, to, {}};
  return "";
}

std::string ProgramModel::clash(uint32_t queue, const std::vector<Access>& accesses) const {
  for (const Access& access : accesses) {
    if (queues_[1 - queue].buffers[access.buffer]) {
      return fmt::format("buffer {} is in use on queue {}", access.buffer, 1 - queue);
    }
    for (const Access& before : queues_[queue].accesses) {
      if ((access.writes || before.writes) && access.meets(before)) {
        return fmt::format("buffer {} needs a barrier before", access.buffer);
      }
    }
  }
  return "";
}

std::string ProgramModel::execute(const SequenceCall& call) {
  Table& table = tables_[call.object];
  if (!table.made) return "there is no such table";
  Operator& op = operators_[table.op];
  if (table.generation != op.generation) return "the operator was released";
  if (op.stage != Stage::Initialized) return "the operator is not initialized";
  std::vector<Access> accesses;
  for (bool outputs : {false, true}) {
    const auto slots = slotsOf(program_.operators[table.op].descriptor, outputs);
    const std::vector<Place>& places = outputs ? table.to : table.from;
    for (size_t i = 0; i < slots.size(); ++i) {
      const Access access{places[i].buffer, places[i].offset,
                          places[i].offset + slots[i].desc->totalBytes, outputs};
      for (const Access& other : accesses) {
        if (outputs && access.meets(other)) {
          return fmt::format("{} overlaps another tensor", slots[i].name);
        }
      }
      accesses.push_back(access);
    }
  }
  if (std::string problem = clash(call.queue, accesses); !problem.empty()) return problem;
  if (std::string problem = evaluateInto(table); !problem.empty()) return problem;
  for (const Access& access : accesses) {
    queues_[call.queue].accesses.push_back(access);
    queues_[call.queue].buffers[access.buffer] = true;
  }
  table.inFlight[call.queue] = op.inFlight[call.queue] = true;
  return "";
}

std::vector<ProgramModel::Byte> ProgramModel::tensor(const Place& place, uint64_t bytes) const {
  const auto first = buffers_[place.buffer].begin() + static_cast<ptrdiff_t>(place.offset);
  return {first, first + static_cast<ptrdiff_t>(bytes)};
}

std::string ProgramModel::evaluateInto(const Table& table) {
  const Case& testCase = program_.operators[table.op];
  const auto inputs = slotsOf(testCase.descriptor, false);
  const auto indices = indicesSlot(testCase.descriptor);
  // Evaluates with undefined bytes as zeros, then as ones. Result bytes that differ are undefined.
  std::array<std::vector<std::vector<uint8_t>>, 2> bytes;
  bool same = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorDesc& desc = *inputs[i].desc;
    std::vector<Byte> held = tensor(table.from[i], desc.totalBytes);
    const uint32_t width = info(desc.type).bytes;
    bool open = false;
    forEachElement(desc, [&](uint64_t at) {
      uint64_t bits = 0;
      for (uint32_t k = 0; k < width; ++k) bits |= uint64_t{held[at + k].value} << 8 * k;
      const bool delicate = strictness_ == Strictness::Documents && info(desc.type).isFloat &&
                            isDelicate(desc.type, bits);
      for (uint32_t k = 0; k < width; ++k) {
        if (delicate) held[at + k].defined = false;
        open = open || !held[at + k].defined;
      }
    });
    if (open && indices == i) return "an index is not defined";
    same = same && !open;
    for (size_t version = 0; version < 2; ++version) {
      std::vector<uint8_t>& out = bytes[version].emplace_back();
      for (const Byte& byte : held) {
        out.push_back(byte.defined ? byte.value : static_cast<uint8_t>(version ? 0xFF : 0));
      }
    }
  }
  if (indices && !indicesInRange(testCase, bytes[0])) return "an index is out of range";
  const auto results = evaluate(testCase.descriptor, bytes[0]);
  const auto others = same ? results : evaluate(testCase.descriptor, bytes[1]);
  bool any = false;
  for (size_t i = 0; i < results.size(); ++i) {
    const Place& place = table.to[i];
    for (uint64_t at = 0; at < results[i].bytes.size(); ++at) {
      Byte& byte = buffers_[place.buffer][place.offset + at];
      const ByteStatus status = results[i].status[at];
      if (status == ByteStatus::Untouched) {
        if (strictness_ == Strictness::Documents) byte.defined = false;
        continue;
      }
      const bool defined = status == ByteStatus::Defined && (same || indices) &&
                           others[i].status[at] == ByteStatus::Defined &&
                           results[i].bytes[at] == others[i].bytes[at];
      byte = {results[i].bytes[at], defined, calls_};
      any = any || defined;
    }
  }
  effective_ += any ? 1 : 0;
  return "";
}

std::string ProgramModel::copy(const SequenceCall& call) {
  const Place& from = call.from.front();
  const Place& to = call.to.front();
  for (const Place* place : {&from, &to}) {
    if (place->buffer >= buffers_.size()) return "there is no such buffer";
    const uint64_t size = buffers_[place->buffer].size();
    if (place->offset > size || call.bytes > size - place->offset) return "reaches beyond a buffer";
  }
  if (call.bytes == 0) return "nothing is copied";
  if (from.buffer == to.buffer) return "a buffer cannot be copied to itself";
  // Its transitions are the barriers that it needs.
  Queue& queue = queues_[call.queue];
  for (uint32_t buffer : {from.buffer, to.buffer}) {
    if (std::string problem = clash(call.queue, {{buffer, 0, 0, false}}); !problem.empty()) {
      return problem;
    }
  }
  for (uint32_t buffer : {from.buffer, to.buffer}) {
    std::erase_if(queue.accesses, [&](const Access& each) { return each.buffer == buffer; });
    queue.buffers[buffer] = true;
  }
  for (uint64_t at = 0; at < call.bytes; ++at) {
    const Byte& source = buffers_[from.buffer][from.offset + at];
    buffers_[to.buffer][to.offset + at] = {source.value, source.defined, calls_};
  }
  return "";
}

void ProgramModel::wait(uint32_t queue) {
  queues_[queue] = {};
  for (Table& table : tables_) table.inFlight[queue] = false;
  for (Operator& op : operators_) {
    op.inFlight[queue] = false;
  }
}

std::string whyInvalid(const Program& program) {
  // Under the specification edition that finds less defined, so that no call depends on what is
  // not.
  ProgramModel model(program, Strictness::Documents);
  for (size_t i = 0; i < program.calls.size(); ++i) {
    const std::string problem = model.make(program.calls[i]);
    if (problem.empty()) continue;
    return fmt::format("call {}, {}: {}", i + 1, callText(program.calls[i]), problem);
  }
  return "";
}

namespace {

// A failure to create an operator whose case alone would be no more than Arguable is no more.
Judgement rejected(const Program& program, const gpu::Answer& answer, Strictness strictness,
                   Judgement failure) {
  if (answer.id >= program.calls.size()) return failure;
  const gpu::SequenceCall& call = program.calls[answer.id];
  if (call.kind != gpu::CallKind::Create) return failure;
  const Case& created = program.operators.at(call.object);
  Judgement alone = judgeRejected(created, answer, strictness);
  if (alone.verdict != Verdict::Arguable) return failure;
  failure.verdict = alone.verdict;
  failure.violated = std::move(alone.violated);
  return failure;
}

}  // namespace

Judgement judge(const Program& program, gpu::Answer answer, Strictness strictness) {
  answer.id -= std::min<uint64_t>(answer.id, 2 * program.buffers.size());  // of sequenceOf()
  const auto numbered = [&](size_t call) {
    return call < program.calls.size()
               ? fmt::format("call {}, {}", call + 1, callText(program.calls[call]))
               : std::string("the end");
  };
  const auto failure = [&](std::string message, std::string_view kind, uint64_t count,
                           std::vector<Difference> differences = {}) {
    return Judgement{
        Verdict::Fail, std::move(message), std::move(differences), {{std::string(kind), count}}};
  };
  switch (answer.status) {
    case gpu::Status::NotSupported:
      return {Verdict::NotSupported, answer.message, {}};
    case gpu::Status::Rejected:
      return rejected(program, answer, strictness,
                      failure("rejected: " + numbered(answer.id), kind::kRejected, 1,
                              {{.note = answer.message}}));
    case gpu::Status::Failed:
      return failure(fmt::format("a call failed with 0x{:08X}: {}",
                                 static_cast<uint32_t>(answer.hresult), numbered(answer.id)),
                     kind::kCallFailed, 1, {{.note = answer.message}});
    case gpu::Status::Executed:
      break;
    default:
      return failure("an answer of another kind than programs have", kind::kMalformedAnswer, 1);
  }
  ProgramModel model(program, strictness);
  for (const SequenceCall& call : program.calls) {
    const std::string problem = model.make(call);
    if (!problem.empty()) return {Verdict::InternalError, "not a valid program: " + problem, {}};
  }
  uint64_t wrong = 0;
  std::vector<Difference> differences;
  for (size_t buffer = 0; buffer < model.buffers().size(); ++buffer) {
    const auto& bytes = model.buffers()[buffer];
    for (size_t at = 0; at < bytes.size(); ++at) {
      const ProgramModel::Byte& byte = bytes[at];
      const uint8_t held = answer.outputs[buffer][at];
      if (!byte.defined || held == byte.value) continue;
      ++wrong;
      if (differences.size() == kMostDifferences) continue;
      differences.push_back(
          {.note =
               fmt::format("buffer {} at byte {}: expected 0x{:02x}, actual 0x{:02x}; {}", buffer,
                           at, byte.value, held,
                           byte.writer < 0 ? "no call wrote it"
                                           : "by " + numbered(static_cast<size_t>(byte.writer)))});
    }
  }
  if (wrong == 0) {
    if (model.effective() == 0) return {Verdict::Vacuous, "no execution computes anything", {}};
    return {Verdict::Pass, "", {}};
  }
  return failure(fmt::format("{} wrong bytes", wrong), kind::kWrongElements, wrong,
                 std::move(differences));
}

}  // namespace dmlcts
