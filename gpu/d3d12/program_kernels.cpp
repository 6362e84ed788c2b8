#include "gpu/d3d12/program_kernels.h"

#include <algorithm>

#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kUnboundBytes = 256;

}  // namespace

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
  const auto regionOf = [&](const Place& place) {
    return BoundPlans::Region{&stage.buffer(place.buffer), place.offset};
  };
  BoundPlans::Placed placed{&plan_};
  std::ranges::transform(call.inputs, placed.inputs.begin(), regionOf);
  std::ranges::transform(call.outputs, placed.outputs.begin(), regionOf);
  BufferPool& memory = stage.memory();
  const uint64_t constants = BoundPlans::constantCapacity(BoundPlans::constantBytes({&placed, 1}));
  auto table = std::make_shared<Table>(
      Table{.inputs = call.inputs,
            .outputs = call.outputs,
            .constants = memory.take(D3D12_HEAP_TYPE_UPLOAD, constants),
            .unboundRead = memory.take(D3D12_HEAP_TYPE_DEFAULT, kUnboundBytes),
            .unboundWritten = memory.take(D3D12_HEAP_TYPE_DEFAULT, kUnboundBytes),
            .bound = BoundPlans(device_, pipelines_, limits_, false)});
  if (plan_.stateBytes > 0) {
    table->state = stage.state(plan_.stateBytes);
    placed.state = {table->state.get(), 0};
  }
  if (plan_.temporaryBytes > 0) {
    if (!call.temporary) table->ownTemporary = stage.temporary(plan_.temporaryBytes);
    table->temporary =
        call.temporary ? &stage.buffer(call.temporary->buffer) : table->ownTemporary.get();
    placed.temporary = {table->temporary, call.temporary ? call.temporary->offset : 0};
  }
  const Buffer* const read = table->unboundRead.get();
  const Buffer* const written = table->unboundWritten.get();
  table->bound.bind({&placed, 1},
                    {table->constants.get(),
                     table->constants->data(),
                     {read, read, read, written, written, written, written, written, written}});
  tables_[call.table] = std::move(table);
}

void ProgramKernels::execute(const call::Execute& call, ProgramStage& stage) {
  const uint32_t queue = call.queue;
  const std::shared_ptr<Table> table = tables_.at(call.table);
  const auto enter = [&](bool readsTemporary) {
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
    if (table->state) stage.use(queue, *table->state, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    if (!table->temporary) return;
    stage.use(queue, *table->temporary,
              readsTemporary ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  table->bound.record(stage.list(queue), enter);
  recordBarrier(stage.list(queue));
  stage.keep(queue, table);
}

}  // namespace dmlcts::gpu
