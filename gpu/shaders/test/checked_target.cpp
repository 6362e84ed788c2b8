#include "gpu/shaders/test/checked_target.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/operators/operators.h"
#include "gpu/shaders/bytecode.h"

namespace dmlcts::gpu::test {

const Program& CheckedTarget::programFor(Shader shader) {
  if (const auto known = programs_.find(shader); known != programs_.end()) return known->second;
  return programs_[shader] = programOf(bytecodeOf(ShaderModel::Sm5_1, name(shader)));
}

std::vector<Answer> CheckedTarget::run(std::span<const Request> requests) {
  instructions_.clear();
  std::vector<Answer> answers;
  for (const Request& request : requests) answers.push_back(runOne(request));
  return answers;
}

Answer CheckedTarget::runOne(const Request& request) {
  Answer answer;
  answer.id = request.id;
  std::vector<BufferImage> inputs = request.inputs;
  std::vector<BufferImage> outputs = request.outputs;
  const Plan plan = planOf(request.descriptor, limits_);
  std::vector<uint8_t> temporaries(plan.temporaryBytes, 0xA5);
  std::vector<CheckedMemory> inputMemories;
  std::vector<CheckedMemory> outputMemories;
  for (BufferImage& image : inputs) inputMemories.emplace_back(image.bytes, true);
  for (BufferImage& image : outputs) outputMemories.emplace_back(image.bytes, true);
  CheckedMemory temporaryMemory(temporaries, false);
  std::vector<uint8_t> state(plan.stateBytes);
  CheckedMemory stateMemory(state, true);
  uint32_t stage = 0;
  uint64_t firstThread = 1;
  for (const Pass& pass : plan.passes) {
    if (pass.stage != stage) {
      for (CheckedMemory& memory : outputMemories) memory.beginStage();
      temporaryMemory.beginStage();
      stage = pass.stage;
    }
    std::vector<uint32_t> constants = pass.constants;
    std::array<CheckedView, kRegisters> views{};
    for (const Binding& binding : pass.bindings) {
      CheckedView& view = views[static_cast<size_t>(binding.where)];
      uint64_t tensorAt = 0;
      switch (binding.memory.kind) {
        case Memory::Kind::Input:
          view.memory = &inputMemories.at(binding.memory.slot);
          tensorAt = inputs[binding.memory.slot].offset;
          break;
        case Memory::Kind::Output:
          view.memory = &outputMemories.at(binding.memory.slot);
          tensorAt = outputs[binding.memory.slot].offset;
          break;
        case Memory::Kind::Temporary:
          view.memory = &temporaryMemory;
          break;
        case Memory::Kind::State:
          view.memory = &stateMemory;
      }
      // Views begin somewhat before their content; raw ones at a dword.
      const uint64_t lead = binding.offset % 4;
      const uint32_t base =
          isTyped(binding.where) ? 3 : 48 + static_cast<uint32_t>(binding.offset % 16);
      constants.at(binding.baseAt) = base;
      view.offset = tensorAt + binding.offset - lead;
      view.bytes = binding.bytes + lead;
      view.base = base - static_cast<uint32_t>(lead);
    }
    const Program& program = programFor(pass.shader);
    try {
      instructions_[pass.shader] +=
          execute(program, {pass.groupsX, pass.groupsY, constants, views, firstThread, schedule_});
    } catch (const Misbehaviour& misbehaviour) {
      answer.status = Status::Failed;
      answer.message = fmt::format("{}: {}", name(pass.shader), misbehaviour.what());
      return answer;
    }
    firstThread += uint64_t{pass.groupsX} * pass.groupsY * program.threads;
  }
  if (std::ranges::any_of(state, [](uint8_t byte) { return byte != 0; })) {
    answer.status = Status::Failed;
    answer.message = "the plan leaves a state other than 0";
    return answer;
  }
  answer.status = Status::Executed;
  for (BufferImage& image : inputs) answer.inputs.push_back(std::move(image.bytes));
  for (BufferImage& image : outputs) answer.outputs.push_back(std::move(image.bytes));
  return answer;
}

}  // namespace dmlcts::gpu::test
