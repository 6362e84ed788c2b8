#include "gpu/d3d12/program_kernels.h"

#include <algorithm>
#include <iterator>

#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

ProgramKernels::ProgramKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                               std::function<Answer(const call::Create&)> ask)
    : device_(device), pipelines_(pipelines), limits_(limits), ask_(std::move(ask)) {}

Answer ProgramKernels::create(const call::Create& call) {
  Answer answer = ask_(call);
  if (answer.status != Status::Created) return answer;
  plan_ = planOf(call.descriptor, limits_);
  for (const Pass& pass : plan_.passes) pipelines_.get(pass.shader);
  return answer;
}

void ProgramKernels::bind(const call::Bind& call, ProgramStage& stage) {
  auto table = std::make_shared<Table>(device_, pipelines_, limits_, stage.memory());
  table->inputs = call.inputs;
  table->outputs = call.outputs;
  const auto regionOf = [&](const Place& place) {
    return BoundPlan::Region{&stage.buffer(place.buffer), place.offset};
  };
  BoundPlan::Regions regions;
  std::ranges::transform(call.inputs, std::back_inserter(regions.inputs), regionOf);
  std::ranges::transform(call.outputs, std::back_inserter(regions.outputs), regionOf);
  if (call.temporary) {
    regions.temporary = regionOf(*call.temporary);
  } else if (plan_.temporaryBytes > 0) {
    table->ownTemporary = stage.temporary(plan_.temporaryBytes);
    regions.temporary = {table->ownTemporary.get(), 0};
  }
  table->temporary = plan_.temporaryBytes > 0 ? regions.temporary.buffer : nullptr;
  table->bound.bind(plan_, regions);
  tables_[call.table] = std::move(table);
}

void ProgramKernels::execute(const call::Execute& call, ProgramStage& stage) {
  const uint32_t queue = call.queue;
  const std::shared_ptr<Table> table = tables_.at(call.table);
  const auto enterAll = [&](bool readsTemporary) {
    // In a buffer shared by inputs and outputs, no state allows both uses. Picks the one for
    // writes, which matters to drivers.
    for (const Place& place : table->inputs) {
      const bool written =
          std::ranges::find(table->outputs, place.buffer, &Place::buffer) != table->outputs.end();
      if (!written) stage.use(queue, stage.buffer(place.buffer), kShaderReadable);
    }
    for (const Place& place : table->outputs) {
      stage.use(queue, stage.buffer(place.buffer), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
    if (!table->temporary) return;
    stage.use(queue, *table->temporary,
              readsTemporary ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  enterAll(false);
  table->bound.record(stage.list(queue), enterAll);
  stage.keep(queue, table);
}

}  // namespace dmlcts::gpu
