#include "gpu/directml/ways.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr size_t kOthers = 3;          // that one initializer takes besides
constexpr uint64_t kOtherBytes = 4;    // of their tensors
constexpr uint64_t kOtherRange = 256;  // from one of their tensors to the next
constexpr uint32_t kFewest = 16;       // descriptors of a heap

}  // namespace

DirectMlWayOperator::DirectMlWayOperator(const DirectMlDevice& device, uint32_t executionFlags,
                                         const WayMutant* mutant)
    : device_(device),
      executionFlags_(executionFlags),
      mutant_(mutant),
      ownedBuffer_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"bound at initialization"),
      upload_(device.d3d12(), D3D12_HEAP_TYPE_UPLOAD, L"bound at initialization, upload"),
      otherBuffer_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"tensors of another operator"),
      reused_(device) {}

HRESULT DirectMlWayOperator::take(const Request& request) {
  owned_.reset();
  if (request.via.has(Way::OwnedByDml)) {
    owned_ = {request.inputs.size() - 1, request.inputs.back().size};
  }
  const CreatedOperator created = createOperator(
      device_, request.descriptor, owned_ ? std::optional(owned_->input) : std::nullopt);
  if (FAILED(created.result)) return created.result;
  compiled_ = request.via.has(Way::Graph) ? compileGraph(request, created.op.Get())
                                          : compile(device_, created.op.Get(), executionFlags_);
  initialise(request);
  lost_ = isWrong(request, Way::Graph) || isWrong(request, Way::Reset) ||
          isWrong(request, Way::BatchInit);
  return created.result;
}

// Tensors of the graph are those of its one node, in the same order.
std::shared_ptr<CompiledOperator> DirectMlWayOperator::compileGraph(const Request& request,
                                                                    dml::Operator* op) {
  ComPtr<dml::Device1> device;
  check(device_.get()->QueryInterface(dml::kDevice1Id, &device),
        "IDMLDevice::QueryInterface for IDMLDevice1");
  const dml::OperatorNodeDesc node{op, nullptr};
  const dml::NodeDesc nodeDesc{dml::kNodeTypeOperator, &node};
  std::deque<dml::InputEdgeDesc> inputs;  // stay where they are
  std::vector<dml::EdgeDesc> inputEdges;
  for (UINT i = 0; i < request.inputs.size(); ++i) {
    inputs.push_back({i, 0, i, nullptr});
    inputEdges.push_back({dml::kEdgeTypeInput, &inputs.back()});
  }
  std::deque<dml::OutputEdgeDesc> outputs;
  std::vector<dml::EdgeDesc> outputEdges;
  for (UINT i = 0; i < request.outputs.size(); ++i) {
    outputs.push_back({0, i, i, nullptr});
    outputEdges.push_back({dml::kEdgeTypeOutput, &outputs.back()});
  }
  dml::GraphDesc graph{};
  graph.inputCount = graph.inputEdgeCount = static_cast<UINT>(inputs.size());
  graph.outputCount = graph.outputEdgeCount = static_cast<UINT>(outputs.size());
  graph.nodeCount = 1;
  graph.nodes = &nodeDesc;
  graph.inputEdges = inputEdges.data();
  graph.outputEdges = outputEdges.data();
  auto compiled = std::make_shared<CompiledOperator>(device_.d3d12());
  check(device->CompileGraph(&graph, executionFlags_, dml::kCompiledOperatorId, &compiled->dml),
        "IDMLDevice1::CompileGraph");
  compiled->dml->GetBindingProperties(&compiled->properties);
  return compiled;
}

void DirectMlWayOperator::initialise(const Request& request) {
  std::vector<dml::BufferBinding> inputs;
  if (owned_) {
    stageOwned(request.inputs[owned_->input]);
    copyToOwned(isWrong(request, Way::OwnedByDml) ? owned_->bytes : 0);
    inputs.resize(request.inputs.size(), {nullptr, 0, 0});
    inputs[owned_->input] = {ownedBuffer_.get(), 0, owned_->bytes};
  }
  std::vector<CompiledOperator*> operators;
  if (request.via.has(Way::BatchInit)) {
    for (size_t i = 0; i < kOthers; ++i) operators.push_back(&other(i));
  }
  operators.push_back(compiled_.get());
  if (request.via.has(Way::Reset)) {
    CompiledOperator* const before[] = {&other(0)};
    reused_.run(before);
    reused_.run(operators, inputs);
  } else {
    Initialization(device_).run(operators, inputs);
  }
  // DirectML has a copy of its own.
  if (owned_) copyToOwned(owned_->bytes);
}

// ELEMENT_WISE_IDENTITY of one element.
CompiledOperator& DirectMlWayOperator::other(size_t index) {
  while (others_.size() <= index) {
    static constexpr UINT kOne = 1;
    const dml::BufferTensorDesc element{
        static_cast<uint32_t>(DataType::Float32), 0, 1, &kOne, nullptr, kOtherBytes, 0};
    const dml::TensorDesc tensor{dml::kTensorTypeBuffer, &element};
    const dml::ElementWiseIdentityDesc identity{&tensor, &tensor, nullptr};
    const dml::OperatorDesc desc{dml::kOperatorElementWiseIdentity, &identity};
    ComPtr<dml::Operator> op;
    check(device_.get()->CreateOperator(&desc, dml::kOperatorId, &op),
          "IDMLDevice::CreateOperator of ELEMENT_WISE_IDENTITY");
    others_.push_back(compile(device_, op.Get(), executionFlags_));
  }
  return *others_[index];
}

void DirectMlWayOperator::stageOwned(const BufferImage& image) {
  upload_.reserve(2 * owned_->bytes);
  std::memcpy(upload_.data(), image.bytes.data() + image.offset, owned_->bytes);
  std::memset(upload_.data() + owned_->bytes, 0, owned_->bytes);
  ownedBuffer_.reserve(owned_->bytes);
}

void DirectMlWayOperator::copyToOwned(uint64_t from) {
  Recorder recorder(device_.d3d12(), L"bound at initialization");
  ID3D12GraphicsCommandList* list = recorder.begin();
  const auto enter = [&](D3D12_RESOURCE_STATES state) {
    D3D12_RESOURCE_BARRIER barrier;
    if (ownedBuffer_.transition(state, barrier)) list->ResourceBarrier(1, &barrier);
  };
  enter(D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(ownedBuffer_.get(), 0, upload_.get(), from, owned_->bytes);
  enter(D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  device_.d3d12().wait(recorder.submit());
}

void DirectMlWayOperator::bind(size_t binding, const Request& request, WayMemory& memory) {
  if (bound_.size() <= binding) bound_.resize(binding + 1);
  Bound& bound = bound_[binding];
  bound.table = nullptr;
  const uint32_t descriptors = std::max(compiled_->properties.requiredDescriptorCount, kFewest);
  if (!bound.heap || bound.heap->capacity() < descriptors) {
    bound.heap = std::make_unique<DescriptorHeap>(device_.d3d12(), descriptors, true, L"bindings");
  }
  if (request.via.has(Way::Reset)) {
    takeTable(bound, other(0));
    otherBuffer_.reserve(2 * kOtherRange);
    const BoundBytes input(otherBuffer_.get(), 0, kOtherBytes);
    const BoundBytes output(otherBuffer_.get(), kOtherRange, kOtherBytes);
    bound.table->BindInputs(1, &input.get());
    bound.table->BindOutputs(1, &output.get());
  }
  takeTable(bound, *compiled_);
  const WayMemory::Region& region = memory.temporary();
  const BoundBytes temporary(region.buffer->get(), region.at, region.bytes);
  if (region.bytes != 0) bound.table->BindTemporaryResource(&temporary.get());
  const uint64_t persistentBytes = compiled_->properties.persistentResourceSize;
  const BoundBytes persistent(compiled_->persistent.get(), 0, persistentBytes);
  if (persistentBytes != 0) bound.table->BindPersistentResource(&persistent.get());
  BindingList inputs;
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    const WayMemory::Region& at = memory.input(i);
    const bool owned = owned_ && owned_->input == i;
    inputs.add(at.buffer->get(), at.at + request.inputs[i].offset,
               owned ? 0 : request.inputs[i].size);
  }
  bound.table->BindInputs(inputs.size(), inputs.data());
  BindingList outputs;
  for (size_t i = 0; i < request.outputs.size(); ++i) {
    const WayMemory::Region& at = memory.output(i);
    outputs.add(at.buffer->get(), at.at + request.outputs[i].offset, request.outputs[i].size);
  }
  bound.table->BindOutputs(outputs.size(), outputs.data());
}

void DirectMlWayOperator::takeTable(Bound& bound, CompiledOperator& compiled) {
  const dml::BindingTableDesc desc{compiled.dml.Get(), bound.heap->cpu(0), bound.heap->gpu(0),
                                   compiled.properties.requiredDescriptorCount};
  if (bound.table) {
    check(bound.table->Reset(&desc), "IDMLBindingTable::Reset");
  } else {
    check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &bound.table),
          "IDMLDevice::CreateBindingTable");
  }
}

void DirectMlWayOperator::record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) {
  if (!lost && !lost_) {
    ID3D12DescriptorHeap* const heaps[] = {bound_[binding].heap->get()};
    list->SetDescriptorHeaps(1, heaps);
    device_.recorder()->RecordDispatch(list, compiled_->dml.Get(), bound_[binding].table.Get());
  }
  recordBarrier(list);
}

}  // namespace dmlcts::gpu
