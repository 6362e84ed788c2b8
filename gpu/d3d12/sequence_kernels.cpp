#include "gpu/d3d12/sequence_kernels.h"

#include <algorithm>

#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

SequenceKernels::SequenceKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                                 std::function<Answer(const AskedOperator&)> ask)
    : device_(device), pipelines_(pipelines), limits_(limits), ask_(std::move(ask)) {}

Answer SequenceKernels::create(uint32_t number, const AskedOperator& asked) {
  operators_[number] = std::make_shared<Operator>(Operator{asked.descriptor, {}});
  return ask_(asked);
}

void SequenceKernels::compile(uint32_t number) {
  Operator& op = *operators_.at(number);
  op.plan = planOf(op.descriptor, limits_);
  for (const Pass& pass : op.plan->passes) pipelines_.get(pass.shader);
}

void SequenceKernels::bind(const SequenceCall& call, SequenceStage& stage) {
  if (call.kind != CallKind::Rebind) {
    tables_[call.object] = std::make_shared<Table>(device_, pipelines_, limits_,
                                                   operators_.at(call.operators.front()));
  }
  Table& table = *tables_.at(call.object);
  if (!call.from.empty()) table.from = call.from;
  if (!call.to.empty()) table.to = call.to;
  const Plan& plan = table.op->plan.value();
  table.temporary.reserve(plan.temporaryBytes);
  const auto regionsOf = [&](const std::vector<Place>& places) {
    std::vector<ModeMemory::Region> regions;
    for (const Place& place : places) {
      regions.push_back({&stage.buffer(place.buffer), place.offset, 0});
    }
    return regions;
  };
  table.bound.bind(
      plan,
      {regionsOf(table.from), regionsOf(table.to), {&table.temporary, 0, plan.temporaryBytes}});
}

void SequenceKernels::execute(uint32_t number, uint32_t queue, SequenceStage& stage) {
  const std::shared_ptr<Table> table = tables_.at(number);
  const auto enterAll = [&](ID3D12GraphicsCommandList*, ModeMemory::Use phase) {
    // In a buffer shared by inputs and outputs, no state allows both uses. Picks the one for
    // writes, which matters to drivers.
    for (const Place& place : table->from) {
      const bool written =
          std::ranges::find(table->to, place.buffer, &Place::buffer) != table->to.end();
      if (!written) stage.use(queue, stage.buffer(place.buffer), kShaderReadable);
    }
    for (const Place& place : table->to) {
      stage.use(queue, stage.buffer(place.buffer), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
    if (!table->temporary.get()) return;
    stage.use(queue, table->temporary,
              phase == ModeMemory::Use::ExecuteReadingTemporary
                  ? kShaderReadable
                  : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  enterAll(stage.list(queue), ModeMemory::Use::Execute);
  table->bound.record(stage.list(queue), table->op->plan->passes.size(), enterAll);
  stage.keep(queue, table);
}

}  // namespace dmlcts::gpu
