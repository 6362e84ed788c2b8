#include "fuzz/sequence_generator.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "conformance/cases/language/hash.h"
#include "conformance/run/judging/program_model.h"
#include "fuzz/generators.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using gpu::CallKind;
using gpu::Place;
using gpu::SequenceCall;
using Stage = ProgramModel::Stage;

constexpr uint64_t kMostOfProgram = 512;  // elements of a tensor; larger ones are tested by cases
constexpr uint32_t kMostOffsetAlignment = 4096;
constexpr uint64_t kMostRefusals = 200;  // in a row
constexpr uint64_t kMebibyte = 1 << 20;

// Relative frequency of each kind of call, by CallKind.
constexpr std::array<uint32_t, gpu::kCallNames.size()> kWeights{8,  10, 10, 1, 10, 8, 8,
                                                                50, 14, 4,  4, 3,  1};

bool isSuitable(const Case& testCase, Level highest) {
  if (testCase.expect != Expect::Execute || testCase.level > highest ||
      testCase.index.kind == IndexKind::Wild) {
    return false;
  }
  return std::ranges::all_of(tensors(testCase.descriptor), [](const TensorSlot& slot) {
    return slot.desc->flags == 0 && slot.desc->baseOffsetAlignment <= kMostOffsetAlignment &&
           slot.desc->totalBytes <= 16 * kMostOfProgram &&
           elementCount(slot.desc->sizes).value() <= kMostOfProgram;
  });
}

class Drawer {
 public:
  Drawer(Choices& choices, Level highest) : choices_(choices) {
    drawOperators(highest);
    drawMemory();
  }

  DrawnProgram draw() {
    ProgramModel model(program(), Strictness::Documents);
    const size_t length = choices_.oneIn(8) ? choices_.between(40, 160) : choices_.between(6, 40);
    const bool oneQueue = choices_.oneIn(2);
    uint64_t refusals = 0;
    const auto add = [&](const SequenceCall& call) {
      std::string problem = model.make(call);
      if (problem.empty()) program().calls.push_back(call);
      refusals = problem.empty() ? 0 : refusals + 1;
      return problem;
    };
    while (program().calls.size() < length && refusals < kMostRefusals) {
      SequenceCall call = drawCall(model);
      if (oneQueue) call.queue = 0;
      if (!add(call).ends_with("needs a barrier before")) continue;
      add({.kind = CallKind::Barrier, .queue = call.queue});
      add(call);
    }
    drawn_.executions = model.effective();
    return std::move(drawn_);
  }

 private:
  // Possible places of an operator's tensors, by slot.
  using Places = std::vector<std::vector<Place>>;

  Program& program() { return drawn_.program; }

  void drawOperators(Level highest) {
    const uint32_t count =
        choices_.oneIn(6) ? choices_.between(5, gpu::kMostOperators) : choices_.between(1, 4);
    for (uint64_t size = 0; program().operators.size() < count; ++size) {
      Case testCase = drawCase(choices_, size % kSizes);
      if (!isSuitable(testCase, highest)) continue;
      testCase.offsets = {};
      testCase.family = {};
      program().operators.push_back(testCase);
      // A duplicate shares everything that is cached by descriptor.
      if (choices_.oneIn(3) && program().operators.size() < count) {
        program().operators.push_back(testCase);
      }
    }
  }

  // Draws a place for a tensor after the previous contents of some buffer.
  Place drawPlace(const TensorDesc& desc) {
    const uint64_t alignment = std::max(kMinimumBufferTensorAlignment, desc.baseOffsetAlignment);
    const auto number = static_cast<uint32_t>(choices_.below(program().buffers.size()));
    Program::Buffer* buffer = &program().buffers[number];
    const uint64_t gap = choices_.oneIn(3) ? 16 * choices_.below(32) : 0;
    const uint64_t at = (buffer->bytes + gap + alignment - 1) / alignment * alignment;
    buffer->bytes = at + (desc.totalBytes + 15) / 16 * 16;
    return {number, at};
  }

  void drawMemory() {
    program().buffers.resize(choices_.between(2, 8));
    for (Program::Buffer& buffer : program().buffers) buffer.seed = 1 + choices_.below(1000);
    std::vector<std::pair<Place, uint64_t>> outputs;  // places and their sizes
    for (uint32_t op = 0; op < program().operators.size(); ++op) {
      const Case& testCase = program().operators[op];
      const auto slots = tensors(testCase.descriptor);
      Places& places = places_.emplace_back(slots.size());
      for (uint32_t slot = 0; slot < slots.size(); ++slot) {
        const TensorDesc& desc = *slots[slot].desc;
        for (uint64_t times = 1 + choices_.below(3); times > 0; --times) {
          const bool fits = !outputs.empty() && choices_.oneIn(4);
          // Reuses a place that another operator writes.
          if (fits) {
            const auto& [place, bytes] = choices_.of(outputs);
            if (bytes >= desc.totalBytes &&
                place.offset % std::max(kMinimumBufferTensorAlignment, desc.baseOffsetAlignment) ==
                    0) {
              places[slot].push_back(place);
              continue;
            }
          }
          const Place place = drawPlace(desc);
          places[slot].push_back(place);
          if (slots[slot].isOutput) {
            outputs.emplace_back(place, desc.totalBytes);
          } else {
            program().buffers[place.buffer].contents.push_back(
                {place.offset, op, slot, choices_.below(1000)});
          }
        }
      }
    }
    for (Program::Buffer& buffer : program().buffers) {
      buffer.bytes += choices_.oneIn(2) ? 16 : 16 * choices_.below(64);
      if (buffer.bytes == 0) buffer.bytes = 16;
    }
  }

  uint32_t anyOperator() {
    return static_cast<uint32_t>(choices_.below(program().operators.size()));
  }
  // Returns an operator at that stage, or any operator if there is none.
  uint32_t operatorAt(const ProgramModel& model, Stage stage) {
    std::vector<uint32_t> found;
    for (uint32_t op = 0; op < program().operators.size(); ++op) {
      if (model.stage(op) == stage) found.push_back(op);
    }
    return found.empty() ? anyOperator() : choices_.of(found);
  }
  uint32_t tableOf(const ProgramModel& model, bool made) {
    std::vector<uint32_t> found;
    for (uint32_t table = 0; table < gpu::kMostOperators; ++table) {
      if (model.hasTable(table) == made) found.push_back(table);
    }
    if (found.empty()) return 0;
    return made ? choices_.of(found) : found.front();
  }

  void drawBinding(SequenceCall& call, uint32_t op, bool inputs, bool outputs) {
    const auto slots = tensors(program().operators[op].descriptor);
    for (size_t slot = 0; slot < slots.size(); ++slot) {
      const Place place = choices_.of(places_[op][slot]);
      if (slots[slot].isOutput && outputs) call.to.push_back(place);
      if (!slots[slot].isOutput && inputs) call.from.push_back(place);
    }
  }

  // Copies between two places of one tensor, or an output to the same offset of another buffer.
  void drawCopy(SequenceCall& call) {
    const uint32_t op = anyOperator();
    const auto slots = tensors(program().operators[op].descriptor);
    const size_t slot = choices_.below(slots.size());
    call.from = {choices_.of(places_[op][slot])};
    call.to = {choices_.of(places_[op][slot])};
    call.bytes = slots[slot].desc->totalBytes;
    if (!slots[slot].isOutput || choices_.oneIn(2)) return;
    call.to.front().buffer = static_cast<uint32_t>(choices_.below(program().buffers.size()));
  }

  CallKind drawKind(const ProgramModel& model) {
    const auto any = [&](Stage stage) {
      for (uint32_t op = 0; op < program().operators.size(); ++op) {
        if (model.stage(op) == stage) return true;
      }
      return false;
    };
    // Until something can be executed, mostly works towards that.
    if (!model.hasTable(0) && !choices_.oneIn(5)) {
      if (any(Stage::Initialized)) return CallKind::Bind;
      if (any(Stage::Compiled)) return CallKind::Initialize;
      return any(Stage::Created) ? CallKind::Compile : CallKind::Create;
    }
    uint64_t pick = choices_.below(std::accumulate(kWeights.begin(), kWeights.end(), 0u));
    size_t kind = 0;
    while (pick >= kWeights[kind]) pick -= kWeights[kind++];
    return static_cast<CallKind>(kind);
  }

  SequenceCall drawCall(const ProgramModel& model) {
    SequenceCall call;
    call.kind = drawKind(model);
    call.queue = choices_.oneIn(3) ? 1 : 0;
    switch (call.kind) {
      case CallKind::Create:
        call.object = operatorAt(model, Stage::None);
        break;
      case CallKind::Compile:
        call.object = operatorAt(model, Stage::Created);
        break;
      case CallKind::Release:
        call.object = anyOperator();
        break;
      case CallKind::Initialize:
        for (uint32_t op = 0; op < program().operators.size(); ++op) {
          if (model.stage(op) == Stage::Compiled && (call.operators.empty() || choices_.oneIn(2))) {
            call.operators.push_back(op);
          }
        }
        if (call.operators.empty()) call.operators = {anyOperator()};
        break;
      case CallKind::Bind:
      case CallKind::Reset:
        call.object = tableOf(model, call.kind == CallKind::Reset);
        call.operators = {operatorAt(model, Stage::Initialized)};
        drawBinding(call, call.operators.front(), true, true);
        break;
      case CallKind::Rebind: {
        call.object = tableOf(model, true);
        const uint64_t which = choices_.below(3);
        drawBinding(call, model.operatorOf(call.object), which != 0, which != 1);
        break;
      }
      case CallKind::Execute:
        call.object = tableOf(model, true);
        break;
      case CallKind::Copy:
        drawCopy(call);
        break;
      case CallKind::Memory:
        call.bytes = choices_.of<uint64_t>({0, 1, 16, 64, 256}) * kMebibyte;
        break;
      default:
        break;
    }
    const bool recorded = call.kind == CallKind::Execute || call.kind == CallKind::Copy ||
                          call.kind == CallKind::Barrier || call.kind == CallKind::Submit ||
                          call.kind == CallKind::Wait;
    if (!recorded) call.queue = 0;
    return call;
  }

  Choices& choices_;
  DrawnProgram drawn_;
  std::vector<Places> places_;  // by operator
};

}  // namespace

DrawnProgram drawProgram(Choices& choices, Level highest) {
  return Drawer(choices, highest).draw();
}

DrawnProgram fuzzProgram(uint64_t seed, uint64_t index, Level highest) {
  Draws choices(hashBits(seed, 0x5e9, index));
  return drawProgram(choices, highest);
}

}  // namespace dmlcts
