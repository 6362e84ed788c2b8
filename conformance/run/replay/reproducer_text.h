#pragma once

#include <string_view>

// Fixed parts of a reproducer (reproducer.h), in program order. {} are fmt's placeholders.

namespace dmlcts {

inline constexpr std::string_view kIncludes = R"program(
#define INITGUID
#define DML_TARGET_VERSION_USE_LATEST
#include <windows.h>
#ifndef _Maybenull_
#define _Maybenull_  // MinGW's sal.h lacks it
#endif
#if __has_include(<directx/DirectML.h>)
#include <directx/DirectML.h>
#else
#include <d3d12.h>
#include <DirectML.h>
#endif
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

const GUID kDmlDevice{0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
const GUID kDmlOperator{0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
)program";

inline constexpr std::string_view kExecutingIncludes =
    R"program(const GUID kDmlCompiled{0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
const GUID kDmlInitializer{0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
const GUID kDmlTable{0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
const GUID kDmlRecorder{0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};
)program";

// The tables of a program that executes: of its buffers, what they hold, and what calls leave.
inline constexpr std::string_view kTypes = R"program(
struct Place { size_t buffer; UINT64 at; };
struct Buffer { const char* name; UINT64 bytes, at; };  // a tensor lies in it from `at` on
struct Run {  // values at `at`, at + width, ...: first, first + step, first + 2 * step, ...
  size_t buffer;
  unsigned long long at, width, first, count = 1, step = 0;
};
struct Range { size_t buffer; UINT64 at, count; };
using Tensors = std::vector<const DML_BUFFER_TENSOR_DESC*>;

)program";

inline constexpr std::string_view kDevice = R"program(
[[noreturn]] void leave(int status) {
  std::fflush(stdout);
  TerminateProcess(GetCurrentProcess(), status);  // some drivers crash while they are unloaded
  for (;;) {}
}
void check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  std::printf("%s failed: 0x%08x\n", call, static_cast<unsigned>(result));
  leave(2);
}
template <class Interface>
void** out(Interface*& pointer) { return reinterpret_cast<void**>(&pointer); }
template <class Function>
Function* function(const char* dll, const char* name) {
  const HMODULE module = LoadLibraryA(dll);
  const auto found = module ? GetProcAddress(module, name) : nullptr;
  if (!found) std::printf("no %s with %s\n", dll, name), leave(2);
  return reinterpret_cast<Function*>(reinterpret_cast<void*>(found));
}
#ifdef WINE_SHIM  // for Wine alone, whose Direct3D 12 cannot enumerate metacommands: there are none
HRESULT STDMETHODCALLTYPE noMetacommands(void*, UINT* count, void*) { return *count = 0, S_OK; }
void shim(ID3D12Device* device) {
  void** const method = *reinterpret_cast<void***>(device) + 59;  // ID3D12Device5's
  DWORD old = 0;
  VirtualProtect(method, sizeof *method, PAGE_READWRITE, &old);
  *method = reinterpret_cast<void*>(&noMetacommands);
}
#else
void shim(ID3D12Device*) {}
#endif
)program";

// main() up to the device; {} is the feature level.
inline constexpr std::string_view kMakeDevice = R"program(
int main() {{
  ID3D12Device* device = nullptr;
  check(function<HRESULT WINAPI(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**)>(
            "d3d12.dll", "D3D12CreateDevice")(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device,
                                              out(device)),
        "D3D12CreateDevice");
  shim(device);
  IDMLDevice* dml = nullptr;
  check(function<decltype(DMLCreateDevice1)>("DirectML.dll", "DMLCreateDevice1")(
            device, DML_CREATE_DEVICE_FLAG_NONE, {}, kDmlDevice, out(dml)),
        "DMLCreateDevice1");
)program";

// The end of main() for an operator that is only created; {} are the expected result and the test
// for the fault.
inline constexpr std::string_view kCreate = R"program(  IDMLOperator* op = nullptr;
  const HRESULT created = dml->CreateOperator(&op0::kOperator, kDmlOperator, out(op));
  std::printf("CreateOperator: 0x%08x, expected: {}\n", static_cast<unsigned>(created));
  leave({}(created) ? 1 : 0);
}}
)program";

inline constexpr std::string_view kHelpers = R"program(
uint64_t value(const Run& run, uint64_t i) {
  return (run.first + i * run.step) & (~uint64_t{0} >> (64 - 8 * run.width));
}
std::vector<uint8_t> bytesBefore(size_t buffer) {
  std::vector<uint8_t> bytes(kBuffers[buffer].bytes, 0xcc);
  for (const Run& run : kFirst) {
    for (uint64_t i = 0; run.buffer == buffer && i < run.count; ++i) {
      const uint64_t bits = value(run, i);
      std::memcpy(&bytes[run.at + i * run.width], &bits, run.width);
    }
  }
  return bytes;
}
ID3D12Resource* makeBuffer(ID3D12Device* device, D3D12_HEAP_TYPE heap, UINT64 bytes) {
  D3D12_HEAP_PROPERTIES properties{};
  properties.Type = heap;
  D3D12_RESOURCE_DESC desc{};
  desc.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER;
  desc.Width = std::max<UINT64>(bytes, 4);
  desc.Height = desc.DepthOrArraySize = desc.MipLevels = 1;
  desc.SampleDesc.Count = 1;
  desc.Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (heap == D3D12_HEAP_TYPE_DEFAULT) desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
  const auto state = heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
                     : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                                        : D3D12_RESOURCE_STATE_COMMON;
  ID3D12Resource* buffer = nullptr;
  check(device->CreateCommittedResource(&properties, D3D12_HEAP_FLAG_NONE, &desc, state, nullptr,
                                        IID_ID3D12Resource, out(buffer)),
        "CreateCommittedResource");
  return buffer;
}
void* mapped(ID3D12Resource* buffer) {
  void* bytes = nullptr;
  check(buffer->Map(0, nullptr, &bytes), "Map");
  return bytes;
}
// Calls method `slot` of an interface, which returns a structure: by a pointer behind `this`, which
// GCC would pass in front of it.
template <class Result>
Result returned(void* object, size_t slot) {
  Result result{};
  using Method = Result*(STDMETHODCALLTYPE*)(void*, Result*);
  reinterpret_cast<Method>((*static_cast<void***>(object))[slot])(object, &result);
  return result;
}
)program";

inline constexpr std::string_view kApplication = R"program(
void called(HRESULT result, const char* call) {  // by the calls under test: its failure is a fault
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
    for (size_t i = 0; i < kBuffers.size(); ++i) {
      const std::vector<uint8_t> bytes = bytesBefore(i);
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
  // `owned`: places of the first operator's inputs, of which DirectML may own some.
  void initialize(const std::vector<size_t>& numbers, const std::vector<Place>& owned = {}) {
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
    std::vector<DML_BUFFER_BINDING> early;
    for (size_t i = 0; i < owned.size(); ++i) {
      const DML_BUFFER_TENSOR_DESC& tensor = *operators_[numbers[0]]->inputs[i];
      early.push_back(isOwned(tensor) ? binding(owned[i], tensor) : DML_BUFFER_BINDING{});
      if (isOwned(tensor)) enter(0, owned[i].buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    }
    const DML_BUFFER_ARRAY_BINDING array{static_cast<UINT>(early.size()), early.data()};
    const DML_BINDING_DESC arrayDesc{DML_BINDING_TYPE_BUFFER_ARRAY, &array};
    if (!early.empty()) initializerTable_->BindInputs(1, &arrayDesc);
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
        buffers.push_back(isOwned(*tensors[i]) ? DML_BUFFER_BINDING{} : binding(places[i], *tensors[i]));
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
    const size_t size = static_cast<size_t>(kBuffers[buffer].bytes);
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
  struct Resource {
    ID3D12Resource* resource = nullptr;
    D3D12_RESOURCE_STATES state = D3D12_RESOURCE_STATE_COMMON;
  };

  static bool isOwned(const DML_BUFFER_TENSOR_DESC& tensor) {
    return tensor.Flags & DML_TENSOR_FLAG_OWNED_BY_DML;
  }
  DML_BUFFER_BINDING binding(Place place, const DML_BUFFER_TENSOR_DESC& tensor) const {
    return {buffers_[place.buffer].resource, place.at, (tensor.TotalTensorSizeInBytes + 3) / 4 * 4};
  }
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
    Resource& buffer = buffers_[number];
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
  std::vector<Resource> buffers_;
  std::shared_ptr<Operator> operators_[16];
  Table tables_[16];
  std::vector<ID3D12Resource*> held_;
};
)program";

// The end of main().
inline constexpr std::string_view kCompare = R"program(  application.wait(0);
  application.wait(1);
  unsigned long long compared = 0, wrong = 0, outside = 0;
  for (size_t buffer = 0; buffer < kBuffers.size(); ++buffer) {
    const std::vector<uint8_t> before = bytesBefore(buffer), actual = application.bytes(buffer);
    std::vector<bool> open(actual.size());
    for (const Range& each : kUndefined) {
      if (each.buffer == buffer) std::fill_n(open.begin() + each.at, each.count, true);
    }
    for (const Run& run : kLeft) {
      for (unsigned long long i = 0; run.buffer == buffer && i < run.count; ++i) {
        const unsigned long long at = run.at + i * run.width, expected = value(run, i);
        unsigned long long got = 0;
        std::memcpy(&got, &actual[at], run.width);
        std::fill_n(open.begin() + at, run.width, true);
        ++compared;
        if (got == expected || ++wrong > 10) continue;
        const bool same = run.width >= 4 && std::memcmp(&before[at], &actual[at], run.width) == 0;
        std::printf("%s, byte %llu: expected 0x%llx, actual 0x%llx%s\n", kBuffers[buffer].name,
                    at - kBuffers[buffer].at, expected, got, same ? " (not written)" : "");
      }
    }
    for (size_t at = 0; at < actual.size(); ++at) outside += !open[at] && actual[at] != before[at];
  }
  std::printf("%llu of %llu elements differ, %llu bytes changed elsewhere\n", wrong, compared, outside);
  leave(wrong || outside ? 1 : 0);
}
)program";

}  // namespace dmlcts
