#include "gpu/d3d12/sequence_kernels.h"

#include <algorithm>
#include <iterator>

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
  const auto regionOf = [&](const Place& place) {
    return BoundPlan::Region{&stage.buffer(place.buffer), place.offset};
  };
  BoundPlan::Regions regions;
  std::ranges::transform(table.from, std::back_inserter(regions.inputs), regionOf);
  std::ranges::transform(table.to, std::back_inserter(regions.outputs), regionOf);
  if (call.temporary) {
    regions.temporary = regionOf(*call.temporary);
  } else {
    table.ownTemporary.reserve(plan.temporaryBytes);
    regions.temporary = {&table.ownTemporary, 0};
  }
  table.temporary = plan.temporaryBytes > 0 ? regions.temporary.buffer : nullptr;
  table.bound.bind(plan, regions);
}

void SequenceKernels::execute(const SequenceCall& call, SequenceStage& stage) {
  const uint32_t queue = call.queue;
  const std::shared_ptr<Table> table = tables_.at(call.object);
  const auto enterAll = [&](bool readsTemporary) {
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
    if (!table->temporary) return;
    stage.use(queue, *table->temporary,
              readsTemporary ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  enterAll(false);
  table->bound.record(stage.list(queue), table->op->plan->passes.size() - call.bytes, enterAll);
  stage.keep(queue, table);
}

}  // namespace dmlcts::gpu
