#pragma once

#include <string_view>

// Fixed parts of a sequence's reproducer (program_reproducer.h), in program order.

namespace dmlcts {

inline constexpr std::string_view kSequenceTypes = R"program(
struct Place { size_t buffer; UINT64 at; };
struct Bytes { size_t buffer, at; std::vector<uint8_t> bytes; };
struct Range { size_t buffer, at, count; };
using Tensors = std::vector<const DML_BUFFER_TENSOR_DESC*>;

)program";

// Follows kHelpers.
inline constexpr std::string_view kApplication = R"program(
void called(HRESULT result, const char* call) {  // by the sequence: its failure is a fault
  if (SUCCEEDED(result)) return;
  std::printf("%s failed: 0x%08x\n", call, static_cast<unsigned>(result));
  leave(1);
}

class Application {
 public:
  Application(ID3D12Device* device, IDMLDevice* dml) : device_(device), dml_(dml) {
    check(dml->CreateCommandRecorder(kDmlRecorder, out(recorder_)), "CreateCommandRecorder");
    for (Queue& queue : queues_) {
      const bool direct = &queue == queues_;
      queue.type = direct ? D3D12_COMMAND_LIST_TYPE_DIRECT : D3D12_COMMAND_LIST_TYPE_COMPUTE;
      D3D12_COMMAND_QUEUE_DESC desc{};
      desc.Type = queue.type;
      check(device->CreateCommandQueue(&desc, IID_ID3D12CommandQueue, out(queue.queue)), "CreateQueue");
      check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, out(queue.fence)), "CreateFence");
    }
    for (const std::vector<uint8_t>& bytes : kFirst) {
      buffers_.push_back({makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, bytes.size())});
      ID3D12Resource* const upload = makeBuffer(device, D3D12_HEAP_TYPE_UPLOAD, bytes.size());
      std::memcpy(mapped(upload), bytes.data(), bytes.size());
      enter(0, buffers_.size() - 1, D3D12_RESOURCE_STATE_COPY_DEST);
      list(0)->CopyBufferRegion(buffers_.back().resource, 0, upload, 0, bytes.size());
    }
    wait(0);
  }

  void create(size_t number, const DML_OPERATOR_DESC& desc, Tensors inputs, Tensors outputs) {
    auto made = std::make_shared<Operator>();
    made->inputs = inputs;
    made->outputs = outputs;
    called(dml_->CreateOperator(&desc, kDmlOperator, out(made->op)), "CreateOperator");
    operators_[number] = made;
  }
  void compile(size_t number) {
    Operator& op = *operators_[number];
    called(dml_->CompileOperator(op.op, DML_EXECUTION_FLAG_NONE, kDmlCompiled, out(op.compiled)), "CompileOperator");
    op.needs = returned<DML_BINDING_PROPERTIES>(op.compiled, 8);
    op.persistent = makeBuffer(device_, D3D12_HEAP_TYPE_DEFAULT, op.needs.PersistentResourceSize);
  }
  void initialize(const std::vector<size_t>& numbers) {
    std::vector<IDMLCompiledOperator*> compiled;
    std::vector<DML_BUFFER_BINDING> kept;
    std::vector<DML_BINDING_DESC> outputs;
    for (size_t number : numbers) {
      compiled.push_back(operators_[number]->compiled);
      kept.push_back({operators_[number]->persistent, 0, operators_[number]->needs.PersistentResourceSize});
    }
    for (const DML_BUFFER_BINDING& each : kept) outputs.push_back(described(each));
    const auto count = static_cast<UINT>(numbers.size());
    if (initializer_) {
      called(initializer_->Reset(count, compiled.data()), "IDMLOperatorInitializer::Reset");
    } else {
      called(dml_->CreateOperatorInitializer(count, compiled.data(), kDmlInitializer, out(initializer_)),
             "CreateOperatorInitializer");
    }
    ID3D12DescriptorHeap* heap = nullptr;
    tableFor(initializer_, initializerTable_, heap);
    initializerTable_->BindOutputs(count, outputs.data());
    list(0)->SetDescriptorHeaps(1, &heap);
    recorder_->RecordDispatch(list(0), initializer_, initializerTable_);
    wait(0);
  }
  void release(size_t number) { operators_[number].reset(); }

  void bind(size_t number, size_t op, std::vector<Place> inputs, std::vector<Place> outputs) {
    tables_[number] = {};
    reset(number, op, inputs, outputs);
  }
  void reset(size_t number, size_t op, std::vector<Place> inputs, std::vector<Place> outputs) {
    Table& table = tables_[number];
    table.op = operators_[op];
    tableFor(table.op->compiled, table.table, table.heap);
    const DML_BUFFER_BINDING kept{table.op->persistent, 0, table.op->needs.PersistentResourceSize};
    const DML_BINDING_DESC keptDesc = described(kept);
    if (kept.SizeInBytes) table.table->BindPersistentResource(&keptDesc);
    rebind(number, inputs, outputs);
  }
  void rebind(size_t number, std::vector<Place> inputs, std::vector<Place> outputs) {
    Table& table = tables_[number];
    const auto bound = [&](const std::vector<Place>& places, const Tensors& tensors, auto bindAll) {
      if (places.empty()) return;
      std::vector<DML_BUFFER_BINDING> buffers;
      std::vector<DML_BINDING_DESC> descs;
      for (size_t i = 0; i < places.size(); ++i) {
        buffers.push_back({buffers_[places[i].buffer].resource, places[i].at, tensors[i]->TotalTensorSizeInBytes});
      }
      for (const DML_BUFFER_BINDING& each : buffers) descs.push_back(described(each));
      bindAll(static_cast<UINT>(descs.size()), descs.data());
    };
    bound(inputs, table.op->inputs, [&](UINT n, auto* descs) { table.table->BindInputs(n, descs); });
    bound(outputs, table.op->outputs, [&](UINT n, auto* descs) { table.table->BindOutputs(n, descs); });
    if (!inputs.empty()) table.inputs = inputs;
    if (!outputs.empty()) table.outputs = outputs;
  }

  void execute(size_t number, size_t queue) {
    Table& table = tables_[number];
    for (const Place& place : table.inputs) enter(queue, place.buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    for (const Place& place : table.outputs) enter(queue, place.buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    list(queue)->SetDescriptorHeaps(1, &table.heap);
    recorder_->RecordDispatch(list(queue), table.op->compiled, table.table);
  }
  void copy(Place from, Place to, UINT64 bytes, size_t queue) {
    enter(queue, from.buffer, D3D12_RESOURCE_STATE_COPY_SOURCE);
    enter(queue, to.buffer, D3D12_RESOURCE_STATE_COPY_DEST);
    list(queue)->CopyBufferRegion(buffers_[to.buffer].resource, to.at, buffers_[from.buffer].resource, from.at, bytes);
    enter(queue, from.buffer, D3D12_RESOURCE_STATE_COMMON);
    enter(queue, to.buffer, D3D12_RESOURCE_STATE_COMMON);
  }
  void barrier(size_t queue) {
    D3D12_RESOURCE_BARRIER all{};
    all.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
    list(queue)->ResourceBarrier(1, &all);
  }
  void submit(size_t number) {
    Queue& queue = queues_[number];
    list(number);
    const std::vector<size_t> used = queue.used;  // which enter() adds to
    for (size_t buffer : used) enter(number, buffer, D3D12_RESOURCE_STATE_COMMON);
    queue.used.clear();
    called(queue.list->Close(), "Close");
    ID3D12CommandList* const lists[] = {queue.list};
    queue.queue->ExecuteCommandLists(1, lists);
    called(queue.queue->Signal(queue.fence, ++queue.submitted), "Signal");
    queue.list = nullptr;
  }
  void wait(size_t number) {
    Queue& queue = queues_[number];
    if (queue.list) submit(number);
    while (queue.fence->GetCompletedValue() < queue.submitted) Sleep(1);
    called(device_->GetDeviceRemovedReason(), "the execution: device removed");
    called(dml_->GetDeviceRemovedReason(), "the execution: DirectML device removed");
  }
  void memory(UINT64 bytes) {
    const UINT64 piece = 64 << 20;
    for (ID3D12Resource* each : held_) each->Release();
    held_.clear();
    for (; bytes > 0; bytes -= std::min(bytes, piece)) {
      held_.push_back(makeBuffer(device_, D3D12_HEAP_TYPE_DEFAULT, std::min(bytes, piece)));
    }
  }
  std::vector<uint8_t> bytes(size_t buffer) {
    const size_t size = kFirst[buffer].size();
    ID3D12Resource* const staging = makeBuffer(device_, D3D12_HEAP_TYPE_READBACK, size);
    enter(0, buffer, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list(0)->CopyBufferRegion(staging, 0, buffers_[buffer].resource, 0, size);
    wait(0);
    const auto* first = static_cast<const uint8_t*>(mapped(staging));
    return {first, first + size};
  }

 private:
  struct Operator {
    IDMLOperator* op = nullptr;
    IDMLCompiledOperator* compiled = nullptr;
    ID3D12Resource* persistent = nullptr;
    DML_BINDING_PROPERTIES needs{};
    Tensors inputs = {}, outputs = {};
    ~Operator() {
      if (persistent) persistent->Release();
      if (compiled) compiled->Release();
      if (op) op->Release();
    }
  };
  struct Table {
    std::shared_ptr<Operator> op = nullptr;
    IDMLBindingTable* table = nullptr;
    ID3D12DescriptorHeap* heap = nullptr;
    std::vector<Place> inputs = {}, outputs = {};
  };
  struct Queue {
    D3D12_COMMAND_LIST_TYPE type{};
    ID3D12CommandQueue* queue = nullptr;
    ID3D12Fence* fence = nullptr;
    UINT64 submitted = 0;
    ID3D12GraphicsCommandList* list = nullptr;  // that is open
    std::vector<size_t> used = {};              // buffers
  };
  struct Buffer {
    ID3D12Resource* resource = nullptr;
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
  };

  static DML_BINDING_DESC described(const DML_BUFFER_BINDING& buffer) {
    return {buffer.SizeInBytes ? DML_BINDING_TYPE_BUFFER : DML_BINDING_TYPE_NONE, &buffer};
  }
  // Makes the table, or resets it, in fresh descriptors and with a temporary of its own.
  void tableFor(IDMLDispatchable* what, IDMLBindingTable*& table, ID3D12DescriptorHeap*& heap) {
    const auto needs = returned<DML_BINDING_PROPERTIES>(what, 8);
    D3D12_DESCRIPTOR_HEAP_DESC desc{};
    desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    desc.NumDescriptors = std::max(needs.RequiredDescriptorCount, 1u);
    desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    check(device_->CreateDescriptorHeap(&desc, IID_ID3D12DescriptorHeap, out(heap)), "CreateHeap");
    const DML_BINDING_TABLE_DESC tableDesc{what, returned<D3D12_CPU_DESCRIPTOR_HANDLE>(heap, 9),
                                           returned<D3D12_GPU_DESCRIPTOR_HANDLE>(heap, 10),
                                           needs.RequiredDescriptorCount};
    if (table) {
      called(table->Reset(&tableDesc), "IDMLBindingTable::Reset");
    } else {
      called(dml_->CreateBindingTable(&tableDesc, kDmlTable, out(table)), "CreateBindingTable");
    }
    if (needs.TemporaryResourceSize == 0) return;
    const DML_BUFFER_BINDING temporary{
        makeBuffer(device_, D3D12_HEAP_TYPE_DEFAULT, needs.TemporaryResourceSize), 0,
        needs.TemporaryResourceSize};
    const DML_BINDING_DESC temporaryDesc = described(temporary);
    table->BindTemporaryResource(&temporaryDesc);
  }
  ID3D12GraphicsCommandList* list(size_t number) {
    Queue& queue = queues_[number];
    if (queue.list) return queue.list;
    ID3D12CommandAllocator* allocator = nullptr;
    check(device_->CreateCommandAllocator(queue.type, IID_ID3D12CommandAllocator, out(allocator)),
          "CreateCommandAllocator");
    check(device_->CreateCommandList(0, queue.type, allocator, nullptr, IID_ID3D12GraphicsCommandList,
                                     out(queue.list)), "CreateList");
    return queue.list;
  }
  // Buffers are in the state COMMON between lists.
  void enter(size_t queue, size_t number, D3D12_RESOURCE_STATES state) {
    Buffer& buffer = buffers_[number];
    if (buffer.state == state) return;
    D3D12_RESOURCE_BARRIER barrier{};
    barrier.Transition = {buffer.resource, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, buffer.state, state};
    list(queue)->ResourceBarrier(1, &barrier);
    buffer.state = state;
    queues_[queue].used.push_back(number);
  }

  ID3D12Device* device_;
  IDMLDevice* dml_;
  IDMLCommandRecorder* recorder_ = nullptr;
  IDMLOperatorInitializer* initializer_ = nullptr;
  IDMLBindingTable* initializerTable_ = nullptr;
  Queue queues_[2];
  std::vector<Buffer> buffers_;
  std::shared_ptr<Operator> operators_[16];
  Table tables_[16];
  std::vector<ID3D12Resource*> held_;
};
)program";

// The end of main().
inline constexpr std::string_view kCompareBuffers = R"program(  application.wait(0);
  application.wait(1);
  std::vector<std::vector<uint8_t>> expected = kFirst;
  for (const Bytes& each : kLeft) {
    std::copy(each.bytes.begin(), each.bytes.end(), expected[each.buffer].begin() + each.at);
  }
  unsigned long long compared = 0, wrong = 0;
  for (size_t buffer = 0; buffer < expected.size(); ++buffer) {
    std::vector<bool> defined(expected[buffer].size(), true);
    for (const Range& each : kUndefined) {
      if (each.buffer != buffer) continue;
      std::fill_n(defined.begin() + each.at, each.count, false);
    }
    const std::vector<uint8_t> actual = application.bytes(buffer);
    for (size_t at = 0; at < actual.size(); ++at) {
      if (!defined[at]) continue;
      ++compared;
      if (actual[at] == expected[buffer][at] || ++wrong > 10) continue;
      std::printf("buffer %u, byte %u: expected 0x%02x, actual 0x%02x\n", static_cast<unsigned>(buffer),
                  static_cast<unsigned>(at), expected[buffer][at], actual[at]);
    }
  }
  std::printf("%llu of %llu bytes differ\n", wrong, compared);
  leave(wrong ? 1 : 0);
}
)program";

}  // namespace dmlcts
