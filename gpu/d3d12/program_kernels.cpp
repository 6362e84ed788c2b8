#include "gpu/d3d12/program_kernels.h"

#include <algorithm>

namespace dmlcts::gpu {

namespace {

void addOnce(std::vector<Buffer*>& buffers, Buffer& buffer) {
  if (std::ranges::find(buffers, &buffer) == buffers.end()) buffers.push_back(&buffer);
}

}  // namespace

ProgramKernels::ProgramKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits,
                               bool alwaysWindows, Planner planner)
    : device_(device),
      pipelines_(pipelines),
      limits_(limits),
      alwaysWindows_(alwaysWindows),
      planner_(std::move(planner)) {}

void ProgramKernels::add(Plan plan, const Descriptor& descriptor) {
  Operator& added = operators_.emplace_back(Operator{std::move(plan)});
  for (const TensorSlot& slot : tensors(descriptor)) {
    ++(slot.isOutput ? added.outputs : added.inputs);
  }
}

Answer ProgramKernels::create(const call::Create& call) {
  PlannedOperator planned = planner_(call);
  if (planned.plan) add(*std::move(planned.plan), call.descriptor);
  return std::move(planned.answer);
}

uint64_t ProgramKernels::temporaryBytes() const {
  uint64_t bytes = 0;
  for (const Operator& each : operators_) bytes += each.plan.temporaryBytes;
  return bytes;
}

void ProgramKernels::bind(const call::Bind& call, ProgramStage& stage) {
  std::vector<BoundPlans::Placed> plans;
  plans.reserve(operators_.size());
  uint64_t temporaryBytes = 0;
  uint64_t stateBytes = 0;
  auto input = call.inputs.begin();
  auto output = call.outputs.begin();
  const auto next = [&](auto& place) {
    BoundPlans::Region region{&stage.buffer(place->buffer), place->offset};
    ++place;
    return region;
  };
  for (const Operator& each : operators_) {
    BoundPlans::Placed& placed = plans.emplace_back(BoundPlans::Placed{&each.plan});
    for (size_t i = 0; i < each.inputs; ++i) placed.inputs[i] = next(input);
    for (size_t i = 0; i < each.outputs; ++i) placed.outputs[i] = next(output);
    placed.temporary.at = temporaryBytes;
    placed.state.at = stateBytes;
    temporaryBytes += each.plan.temporaryBytes;
    stateBytes += each.plan.stateBytes;
  }

  const uint64_t constantBytes = BoundPlans::constantBytes(plans);
  auto table = std::make_shared<Table>(Table{
      .staged = stage.memory().take(D3D12_HEAP_TYPE_UPLOAD, constantBytes),
      .constants =
          stage.memory().take(D3D12_HEAP_TYPE_DEFAULT, BoundPlans::constantCapacity(constantBytes)),
      .bound = BoundPlans(device_, pipelines_, limits_, alwaysWindows_)});
  for (const Place& place : call.outputs) addOnce(table->written, stage.buffer(place.buffer));
  for (const Place& place : call.inputs) {
    // In a buffer shared by inputs and outputs, no state allows both uses. Picks the one for
    // writes, which matters to drivers.
    Buffer& buffer = stage.buffer(place.buffer);
    const bool written = std::ranges::find(table->written, &buffer) != table->written.end();
    if (!written) addOnce(table->read, buffer);
  }
  if (stateBytes > 0) table->state = stage.state(stateBytes);
  if (temporaryBytes > 0) {
    if (!call.temporary) table->ownTemporary = stage.temporary(temporaryBytes);
    table->temporary =
        call.temporary ? &stage.buffer(call.temporary->buffer) : table->ownTemporary.get();
  }
  for (BoundPlans::Placed& placed : plans) {
    placed.temporary.buffer = table->temporary;
    if (call.temporary) placed.temporary.at += call.temporary->offset;
    placed.state.buffer = table->state.get();
  }

  const Buffer* const read = plans.front().inputs[0].buffer;
  const Buffer* const written = plans.front().outputs[0].buffer;
  const Buffer* const temporary = table->temporary ? table->temporary : written;
  const Buffer* const state = table->state ? table->state.get() : written;
  table->bound.bind(plans,
                    {table->constants.get(),
                     table->staged->data(),
                     {read, read, read, written, written, written, temporary, temporary, state}});
  stage.fill(*table->constants, constantBytes, *table->staged);
  tables_[call.table] = std::move(table);
}

void ProgramKernels::execute(const call::Execute& call, ProgramStage& stage,
                             const StageTimes* times) {
  const uint32_t queue = call.queue;
  const std::shared_ptr<Table> table = tables_.at(call.table);
  const auto enter = [&](bool readsTemporaries) {
    const auto use = [&](Buffer* buffer, D3D12_RESOURCE_STATES state) {
      if (buffer) stage.use(queue, *buffer, state);
    };
    use(table->constants.get(), kShaderReadable);
    for (Buffer* buffer : table->read) use(buffer, kShaderReadable);
    for (Buffer* buffer : table->written) use(buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    use(table->state.get(), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    // Temporaries that are read as inputs need another state. A stage that reads them contains only
    // their readers; a request with such a stage is alone in its batch.
    use(table->temporary,
        readsTemporaries ? kShaderReadable : D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  table->bound.record(stage.list(queue), enter, times);
  stage.keep(queue, table);
}

std::vector<std::string_view> ProgramKernels::stages() const {
  std::vector<std::string_view> names;
  uint32_t stage = 0;
  for (const Pass& pass : operators_.front().plan.passes) {  // ordered by stage
    if (names.empty() || pass.stage != stage) names.push_back(name(pass.shader));
    stage = pass.stage;
  }
  return names;
}

}  // namespace dmlcts::gpu
