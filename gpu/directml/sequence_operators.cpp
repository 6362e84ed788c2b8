#include "gpu/directml/sequence_operators.h"

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

DirectMlSequence::DirectMlSequence(const DirectMlDevice& device,
                                   std::function<Answer(const AskedOperator&)> ask)
    : device_(device), ask_(std::move(ask)), initialization_(device) {}

Answer DirectMlSequence::create(uint32_t number, const AskedOperator& asked) {
  Answer answer = ask_(asked);
  if (answer.status != Status::Created) return answer;
  CreatedOperator created = createOperator(device_, asked.descriptor);
  check(created.result, "IDMLDevice::CreateOperator");
  operators_[number] =
      std::make_shared<Operator>(Operator{asked.descriptor, std::move(created.op), nullptr});
  return answer;
}

void DirectMlSequence::compile(uint32_t number) {
  Operator& op = *operators_.at(number);
  op.compiled = gpu::compile(device_, op.created.Get());
}

void DirectMlSequence::initialize(const std::vector<uint32_t>& numbers) {
  std::vector<CompiledOperator*> compiled;
  for (uint32_t number : numbers) compiled.push_back(operators_.at(number)->compiled.get());
  initialization_.run(compiled);
}

// Binds everything but tensors to a new table, or to one that is Reset.
void DirectMlSequence::makeTable(const SequenceCall& call, SequenceStage& stage) {
  auto fresh = std::make_shared<Bound>(device_.d3d12());
  fresh->op = operators_.at(call.operators.front());
  CompiledOperator& compiled = *fresh->op->compiled;
  fresh->heap = device_.heap(compiled.properties.requiredDescriptorCount);
  if (call.kind == CallKind::Reset) fresh->table = tables_.at(call.object)->table;
  const auto serve = [&](CompiledOperator& served) {
    const dml::BindingTableDesc desc{served.dml.Get(), fresh->heap->cpu(0), fresh->heap->gpu(0),
                                     served.properties.requiredDescriptorCount};
    if (fresh->table) {
      check(fresh->table->Reset(&desc), "IDMLBindingTable::Reset");
    } else {
      check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &fresh->table),
            "IDMLDevice::CreateBindingTable");
    }
  };
  if (fresh->op->before) {
    serve(*fresh->op->before);
    const BoundBytes input(fresh->op->others, 0, kOtherBytes);
    const BoundBytes output(fresh->op->others, kOtherRange, kOtherBytes);
    fresh->table->BindInputs(1, &input.get());
    fresh->table->BindOutputs(1, &output.get());
  }
  serve(compiled);
  if (const uint64_t bytes = compiled.properties.temporaryResourceSize; bytes != 0) {
    if (!call.temporary) fresh->temporary.reserve(bytes);
    const Buffer& buffer = call.temporary ? stage.buffer(call.temporary->buffer) : fresh->temporary;
    const BoundBytes temporary(buffer.get(), call.temporary ? call.temporary->offset : 0, bytes);
    fresh->table->BindTemporaryResource(&temporary.get());
  }
  if (const uint64_t bytes = compiled.properties.persistentResourceSize; bytes != 0) {
    compiled.persistent.reserve(bytes);  // bound even before the initialization
    const BoundBytes persistent(compiled.persistent.get(), 0, bytes);
    fresh->table->BindPersistentResource(&persistent.get());
  }
  tables_[call.object] = std::move(fresh);
}

void DirectMlSequence::bind(const SequenceCall& call, SequenceStage& stage) {
  if (call.kind != CallKind::Rebind) makeTable(call, stage);
  Bound& bound = *tables_.at(call.object);
  const Operator& op = *bound.op;
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
  if (!call.from.empty()) {
    bound.from = call.from;
    bound.inputs = listOf(call.from, false);
    if (!op.late) bound.table->BindInputs(bound.inputs.size(), bound.inputs.data());
  }
  if (!call.to.empty()) {
    bound.to = call.to;
    bound.outputs = listOf(call.to, true);
    if (!op.late) bound.table->BindOutputs(bound.outputs.size(), bound.outputs.data());
  }
}

void DirectMlSequence::execute(const SequenceCall& call, SequenceStage& stage) {
  const std::shared_ptr<Bound> bound = tables_.at(call.object);
  for (const auto* places : {&bound->from, &bound->to}) {
    for (const Place& place : *places) {
      stage.use(call.queue, stage.buffer(place.buffer), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
  }
  ID3D12GraphicsCommandList* list = stage.list(call.queue);
  stage.keep(call.queue, bound);
  if (bound->op->lost || call.bytes > 0) return;
  ID3D12DescriptorHeap* const heaps[] = {bound->heap->get()};
  list->SetDescriptorHeaps(1, heaps);
  device_.recorder()->RecordDispatch(list, bound->op->compiled->dml.Get(), bound->table.Get());
  if (!bound->op->late) return;
  bound->table->BindInputs(bound->inputs.size(), bound->inputs.data());
  bound->table->BindOutputs(bound->outputs.size(), bound->outputs.data());
}

}  // namespace dmlcts::gpu
