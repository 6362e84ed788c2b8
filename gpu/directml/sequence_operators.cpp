#include "gpu/directml/sequence_operators.h"

#include <algorithm>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

std::unique_ptr<DescriptorHeap> heapFor(Device& device, const dml::BindingProperties& properties) {
  return std::make_unique<DescriptorHeap>(device, std::max(properties.requiredDescriptorCount, 1u),
                                          true, L"bindings of a sequence");
}

}  // namespace

DirectMlSequence::DirectMlSequence(const DirectMlDevice& device,
                                   std::function<Answer(const AskedOperator&)> ask)
    : device_(device), ask_(std::move(ask)), initialization_(device) {}

Answer DirectMlSequence::create(uint32_t number, const AskedOperator& asked) {
  Answer answer = ask_(asked);
  if (answer.status != Status::Created) return answer;
  auto op = std::make_shared<Operator>(device_.d3d12(), asked.descriptor);
  CreatedOperator created = createOperator(device_, asked.descriptor);
  check(created.result, "IDMLDevice::CreateOperator");
  op->created = std::move(created.op);
  operators_[number] = std::move(op);
  return answer;
}

void DirectMlSequence::compile(uint32_t number) {
  Operator& op = *operators_.at(number);
  check(device_.get()->CompileOperator(op.created.Get(), dml::kExecutionFlagNone,
                                       dml::kCompiledOperatorId, &op.compiled.dml),
        "IDMLDevice::CompileOperator");
  op.compiled.dml->GetBindingProperties(&op.compiled.properties);
}

void DirectMlSequence::initialize(const std::vector<uint32_t>& numbers) {
  std::vector<CompiledOperator*> compiled;
  for (uint32_t number : numbers) compiled.push_back(&operators_.at(number)->compiled);
  initialization_.run(compiled);
}

void DirectMlSequence::bindPlaces(Bound& bound, SequenceStage& stage, bool outputs) const {
  const std::vector<Place>& places = outputs ? bound.to : bound.from;
  BindingList bindings;
  size_t next = 0;
  for (const TensorSlot& slot : tensors(bound.op->descriptor)) {
    if (slot.isOutput != outputs) continue;
    const Place& place = places.at(next++);
    bindings.add(stage.buffer(place.buffer).get(), place.offset, slot.desc->totalBytes);
  }
  if (outputs) {
    bound.table->BindOutputs(bindings.size(), bindings.data());
  } else {
    bound.table->BindInputs(bindings.size(), bindings.data());
  }
}

void DirectMlSequence::bind(const SequenceCall& call, SequenceStage& stage) {
  if (call.kind != CallKind::Rebind) {
    auto fresh = std::make_shared<Bound>(device_.d3d12());
    fresh->op = operators_.at(call.operators.front());
    CompiledOperator& compiled = fresh->op->compiled;
    fresh->heap = heapFor(device_.d3d12(), compiled.properties);
    const dml::BindingTableDesc desc{compiled.dml.Get(), fresh->heap->cpu(0), fresh->heap->gpu(0),
                                     compiled.properties.requiredDescriptorCount};
    if (call.kind == CallKind::Reset) {
      fresh->table = tables_.at(call.object)->table;
      check(fresh->table->Reset(&desc), "IDMLBindingTable::Reset");
    } else {
      check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &fresh->table),
            "IDMLDevice::CreateBindingTable");
    }
    if (const uint64_t bytes = compiled.properties.temporaryResourceSize; bytes != 0) {
      fresh->temporary.reserve(bytes);
      const BoundBytes temporary(fresh->temporary.get(), 0, bytes);
      fresh->table->BindTemporaryResource(&temporary.get());
    }
    if (const uint64_t bytes = compiled.properties.persistentResourceSize; bytes != 0) {
      compiled.persistent.reserve(bytes);  // bound even before the initialization
      const BoundBytes persistent(compiled.persistent.get(), 0, bytes);
      fresh->table->BindPersistentResource(&persistent.get());
    }
    tables_[call.object] = std::move(fresh);
  }
  Bound& bound = *tables_.at(call.object);
  if (!call.from.empty()) {
    bound.from = call.from;
    bindPlaces(bound, stage, false);
  }
  if (!call.to.empty()) {
    bound.to = call.to;
    bindPlaces(bound, stage, true);
  }
}

void DirectMlSequence::execute(uint32_t number, uint32_t queue, SequenceStage& stage) {
  const std::shared_ptr<Bound> bound = tables_.at(number);
  for (const auto* places : {&bound->from, &bound->to}) {
    for (const Place& place : *places) {
      stage.use(queue, stage.buffer(place.buffer), D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
  }
  ID3D12GraphicsCommandList* list = stage.list(queue);
  ID3D12DescriptorHeap* const heaps[] = {bound->heap->get()};
  list->SetDescriptorHeaps(1, heaps);
  device_.recorder()->RecordDispatch(list, bound->op->compiled.dml.Get(), bound->table.Get());
  stage.keep(queue, bound);
}

}  // namespace dmlcts::gpu
