#pragma once

#include <string_view>

// Fixed parts of a reproducer (reproducer.h), in program order. {} are fmt's placeholders.
// Sequences share some of them: program_reproducer_text.h.

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
#include <iterator>
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

inline constexpr std::string_view kTensorTypes = R"program(
struct Run {  // elements from address `at` on: first, first + step, first + 2 * step, ...
  uint64_t at, first, count = 1, step = 0;
};
struct Tensor {
  const char* name;
  const DML_BUFFER_TENSOR_DESC& desc;
  uint64_t width;   // of an element, in bytes
  uint64_t offset;  // of the binding in its buffer
  bool isOutput;
  std::vector<Run> elements;          // an input's, or what an output must hold
  std::vector<uint8_t> before = {};   // the whole buffer, with what lies around the tensor
  ID3D12Resource* buffer = nullptr, *staging = nullptr;
  UINT64 boundBytes() const { return (desc.TotalTensorSizeInBytes + 3) / 4 * 4; }
};
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

// Up to the created operator; {} is the expected result.
inline constexpr std::string_view kCreate = R"program(  IDMLOperator* op = nullptr;
  const HRESULT created = dml->CreateOperator(&kOperator, kDmlOperator, out(op));
  std::printf("CreateOperator: 0x%08x, expected: {}\n", static_cast<unsigned>(created));
)program";

inline constexpr std::string_view kHelpers = R"program(
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

// The rest of main() for an executing case.
inline constexpr std::string_view kExecute = R"program(  if (FAILED(created)) leave(1);
  IDMLCompiledOperator* compiled = nullptr;
  check(dml->CompileOperator(op, DML_EXECUTION_FLAG_NONE, kDmlCompiled, out(compiled)), "Compile");
  IDMLOperatorInitializer* initializer = nullptr;
  check(dml->CreateOperatorInitializer(1, &compiled, kDmlInitializer, out(initializer)),
        "CreateOperatorInitializer");
  IDMLCommandRecorder* recorder = nullptr;
  check(dml->CreateCommandRecorder(kDmlRecorder, out(recorder)), "CreateCommandRecorder");
  ID3D12CommandQueue* queue = nullptr;
  const D3D12_COMMAND_QUEUE_DESC direct{};
  check(device->CreateCommandQueue(&direct, IID_ID3D12CommandQueue, out(queue)), "CreateQueue");
  ID3D12Fence* fence = nullptr;
  check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_ID3D12Fence, out(fence)), "CreateFence");
  UINT64 submitted = 0;
  // Buffers are back in the state COMMON after each list, and each use promotes them: no barriers.
  const auto submit = [&](auto record) {
    ID3D12CommandAllocator* allocator = nullptr;
    check(device->CreateCommandAllocator(direct.Type, IID_ID3D12CommandAllocator, out(allocator)),
          "CreateCommandAllocator");
    ID3D12GraphicsCommandList* list = nullptr;
    check(device->CreateCommandList(0, direct.Type, allocator, nullptr,
                                    IID_ID3D12GraphicsCommandList, out(list)), "CreateList");
    record(list);
    check(list->Close(), "Close");
    ID3D12CommandList* const lists[] = {list};
    queue->ExecuteCommandLists(1, lists);
    check(queue->Signal(fence, ++submitted), "Signal");
    while (fence->GetCompletedValue() < submitted) Sleep(1);
    check(device->GetDeviceRemovedReason(), "the execution: device removed");
    check(dml->GetDeviceRemovedReason(), "the execution: DirectML device removed");
  };

  // Outputs hold anything but what is expected, so that it shows where nothing is written.
  for (Tensor& tensor : tensors) {
    tensor.before.assign(tensor.offset + tensor.boundBytes() + 256, 0xcc);
    for (const Run& run : tensor.elements) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t bits = (run.first + i * run.step) ^ (tensor.isOutput ? ~uint64_t{0} : 0);
        std::memcpy(&tensor.before[tensor.offset + (run.at + i) * tensor.width], &bits,
                    tensor.width);
      }
    }
    tensor.buffer = makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, tensor.before.size());
    tensor.staging = makeBuffer(device, D3D12_HEAP_TYPE_UPLOAD, tensor.before.size());
    std::memcpy(mapped(tensor.staging), tensor.before.data(), tensor.before.size());
  }
  submit([&](ID3D12GraphicsCommandList* list) {
    for (Tensor& tensor : tensors) list->CopyResource(tensor.buffer, tensor.staging);
  });

  const auto needed = returned<DML_BINDING_PROPERTIES>(compiled, 8);
  ID3D12Resource* persistent =
      makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, needed.PersistentResourceSize);
  const auto dispatch = [&](IDMLDispatchable* what, bool initialize) {
    const auto properties = returned<DML_BINDING_PROPERTIES>(what, 8);
    D3D12_DESCRIPTOR_HEAP_DESC desc{};
    desc.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV;
    desc.NumDescriptors = std::max(properties.RequiredDescriptorCount, 1u);
    desc.Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE;
    ID3D12DescriptorHeap* heap = nullptr;
    check(device->CreateDescriptorHeap(&desc, IID_ID3D12DescriptorHeap, out(heap)), "CreateHeap");
    const DML_BINDING_TABLE_DESC tableDesc{what, returned<D3D12_CPU_DESCRIPTOR_HANDLE>(heap, 9),
                                           returned<D3D12_GPU_DESCRIPTOR_HANDLE>(heap, 10),
                                           properties.RequiredDescriptorCount};
    IDMLBindingTable* table = nullptr;
    check(dml->CreateBindingTable(&tableDesc, kDmlTable, out(table)), "CreateBindingTable");
    DML_BUFFER_BINDING temporary{nullptr, 0, properties.TemporaryResourceSize};
    temporary.Buffer = makeBuffer(device, D3D12_HEAP_TYPE_DEFAULT, temporary.SizeInBytes);
    const DML_BINDING_DESC temporaryDesc{DML_BINDING_TYPE_BUFFER, &temporary};
    if (temporary.SizeInBytes) table->BindTemporaryResource(&temporaryDesc);
    const DML_BUFFER_BINDING kept{persistent, 0, needed.PersistentResourceSize};
    const DML_BINDING_DESC keptDesc{kept.SizeInBytes ? DML_BINDING_TYPE_BUFFER
                                                     : DML_BINDING_TYPE_NONE, &kept};
    DML_BUFFER_BINDING bound[std::size(tensors)], owned[std::size(tensors)]{};
    std::vector<DML_BINDING_DESC> inputs, outputs;
    bool anyOwned = false;  // such inputs are bound when the operator is initialized, and not again
    for (size_t i = 0; i < std::size(tensors); ++i) {
      const Tensor& tensor = tensors[i];
      bound[i] = {tensor.buffer, tensor.offset, tensor.boundBytes()};
      const bool early = tensor.desc.Flags & DML_TENSOR_FLAG_OWNED_BY_DML;
      if (early) owned[i] = bound[i], anyOwned = true;
      (tensor.isOutput ? outputs : inputs)
          .push_back({early ? DML_BINDING_TYPE_NONE : DML_BINDING_TYPE_BUFFER, &bound[i]});
    }
    const DML_BUFFER_ARRAY_BINDING array{static_cast<UINT>(inputs.size()), owned};
    const DML_BINDING_DESC arrayDesc{DML_BINDING_TYPE_BUFFER_ARRAY, &array};
    if (initialize) {
      if (anyOwned) table->BindInputs(1, &arrayDesc);
      table->BindOutputs(1, &keptDesc);
    } else {
      table->BindInputs(static_cast<UINT>(inputs.size()), inputs.data());
      table->BindOutputs(static_cast<UINT>(outputs.size()), outputs.data());
      if (kept.SizeInBytes) table->BindPersistentResource(&keptDesc);
    }
    submit([&](ID3D12GraphicsCommandList* list) {
      list->SetDescriptorHeaps(1, &heap);
      recorder->RecordDispatch(list, what, table);
    });
  };
  dispatch(initializer, true);
  dispatch(compiled, false);
  for (Tensor& tensor : tensors) {
    tensor.staging = makeBuffer(device, D3D12_HEAP_TYPE_READBACK, tensor.before.size());
  }
  submit([&](ID3D12GraphicsCommandList* list) {
    for (Tensor& tensor : tensors) list->CopyResource(tensor.staging, tensor.buffer);
  });

  uint64_t compared = 0, wrong = 0, outside = 0;
  for (const Tensor& tensor : tensors) {
    const auto* bytes = static_cast<const uint8_t*>(mapped(tensor.staging));
    const uint64_t end = tensor.offset + tensor.desc.TotalTensorSizeInBytes;
    for (uint64_t i = 0; i < tensor.before.size(); ++i) {  // inputs, and what lies around outputs
      outside += (!tensor.isOutput || i < tensor.offset || i >= end) && bytes[i] != tensor.before[i];
    }
    if (!tensor.isOutput) continue;
    for (const Run& run : tensor.elements) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t mask = ~uint64_t{0} >> (64 - 8 * tensor.width);
        const uint64_t expected = (run.first + i * run.step) & mask;
        uint64_t actual = 0;
        std::memcpy(&actual, bytes + tensor.offset + (run.at + i) * tensor.width, tensor.width);
        ++compared;
        if (actual == expected || ++wrong > 10) continue;
        std::printf("%s, element at %llu: expected 0x%llx, actual 0x%llx%s\n", tensor.name, run.at + i,
                    expected, actual, actual == (~expected & mask) && tensor.width >= 4 ? " (not written)" : "");
}
}
}
std::printf("%llu of %llu elements differ, %llu bytes changed outside the outputs\n", wrong,
            compared, outside);
leave(wrong || outside ? 1 : 0);
}
)program";

}  // namespace dmlcts
