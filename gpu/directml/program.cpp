#include "gpu/directml/program.h"

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

DirectMlProgram::DirectMlProgram(const DirectMlDevice& device,
                                 std::function<Answer(const call::Create&)> ask)
    : device_(device), ask_(std::move(ask)), initialization_(device) {}

Answer DirectMlProgram::create(const call::Create& call) {
  Answer answer = ask_(call);
  if (answer.status != Status::Created) return answer;
  CreatedOperator created = createOperator(device_, call.descriptor);
  check(created.result, "IDMLDevice::CreateOperator");
  operator_ = std::make_shared<Operator>(Operator{call.descriptor, created.op, nullptr});
  operator_->compiled = compile(device_, created.op.Get());
  CompiledOperator* const compiled[] = {operator_->compiled.get()};
  initialization_.run(compiled);
  return answer;
}

// Returns a table to which everything but tensors is bound.
std::shared_ptr<DirectMlProgram::Bound> DirectMlProgram::makeTable(const call::Bind& call,
                                                                   ProgramStage& stage) const {
  auto bound = std::make_shared<Bound>();
  CompiledOperator& compiled = *operator_->compiled;
  bound->heap = device_.d3d12().heap(compiled.properties.requiredDescriptorCount);
  const auto serve = [&](CompiledOperator& served) {
    const dml::BindingTableDesc desc{served.dml.Get(), bound->heap->cpu(0), bound->heap->gpu(0),
                                     served.properties.requiredDescriptorCount};
    if (bound->table) {
      check(bound->table->Reset(&desc), "IDMLBindingTable::Reset");
    } else {
      check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &bound->table),
            "IDMLDevice::CreateBindingTable");
    }
  };
  if (operator_->before) {
    serve(*operator_->before);
    const BoundBytes input(operator_->others, 0, kOtherBytes);
    const BoundBytes output(operator_->others, kOtherRange, kOtherBytes);
    bound->table->BindInputs(1, &input.get());
    bound->table->BindOutputs(1, &output.get());
  }
  serve(compiled);
  if (const uint64_t bytes = compiled.properties.temporaryResourceSize; bytes != 0) {
    if (!call.temporary) bound->temporary = stage.temporary(bytes);
    const Buffer& buffer =
        call.temporary ? stage.buffer(call.temporary->buffer) : *bound->temporary;
    const BoundBytes temporary(buffer.get(), call.temporary ? call.temporary->offset : 0, bytes);
    bound->table->BindTemporaryResource(&temporary.get());
  }
  if (const uint64_t bytes = compiled.properties.persistentResourceSize; bytes != 0) {
    const BoundBytes persistent(compiled.persistent.get(), 0, bytes);
    bound->table->BindPersistentResource(&persistent.get());
  }
  return bound;
}

void DirectMlProgram::bind(const call::Bind& call, ProgramStage& stage) {
  std::shared_ptr<Bound> bound = makeTable(call, stage);
  const Operator& op = *operator_;
  const auto listOf = [&](const std::vector<Place>& places, bool outputs) {
    BindingList list;
    for (const TensorSlot& slot : tensors(op.descriptor)) {
      if (slot.isOutput != outputs) continue;
      if (!outputs && op.elsewhere == list.size()) {
        list.add(op.elsewhereBuffer, 0, op.elsewhereBytes);
        continue;
      }
      const Place& place = places.at(list.size());
      list.add(stage.buffer(place.buffer).get(), place.offset,
               place.bytes != 0 ? place.bytes : slot.desc->totalBytes);
    }
    if (outputs && op.further) list.add(op.others, 0, kOtherBytes);
    return list;
  };
  for (const auto* places : {&call.inputs, &call.outputs}) {
    for (const Place& place : *places) bound->buffers.push_back(place.buffer);
  }
  bound->inputs = listOf(call.inputs, false);
  bound->outputs = listOf(call.outputs, true);
  if (!op.late) bindTensors(*bound);
  tables_[call.table] = std::move(bound);
}

void DirectMlProgram::bindTensors(const Bound& bound) {
  bound.table->BindInputs(bound.inputs.size(), bound.inputs.data());
  bound.table->BindOutputs(bound.outputs.size(), bound.outputs.data());
}

void DirectMlProgram::execute(const call::Execute& call, ProgramStage& stage, const StageTimes*) {
  const std::shared_ptr<Bound> bound = tables_.at(call.table);
  for (const uint32_t buffer : bound->buffers) {
    stage.use(call.queue, stage.buffer(buffer), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  }
  ID3D12GraphicsCommandList* list = stage.list(call.queue);
  stage.keep(call.queue, bound);
  stage.keep(call.queue, operator_);
  if (operator_->lost) return;
  ID3D12DescriptorHeap* const heaps[] = {bound->heap->get()};
  list->SetDescriptorHeaps(1, heaps);
  device_.recorder()->RecordDispatch(list, operator_->compiled->dml.Get(), bound->table.Get());
  if (operator_->late) bindTensors(*bound);
}

}  // namespace dmlcts::gpu
