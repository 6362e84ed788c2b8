#include "conformance/run/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "conformance/cases/case_string.h"
#include "conformance/cases/rules_of.h"
#include "conformance/run/comparison.h"
#include "conformance/run/dxdispatch.h"
#include "conformance/run/judge.h"
#include "reference/element.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

// The parts of the program that are the same for every case.
constexpr std::string_view kIncludes = R"program(
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
#include <vector>

const GUID kDmlDevice{0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
const GUID kDmlOperator{0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};
)program";

constexpr std::string_view kExecutingIncludes =
    R"program(const GUID kDmlCompiled{0x6b15e56a, 0xbf5c, 0x4902, {0x92, 0xd8, 0xda, 0x3a, 0x65, 0x0a, 0xfe, 0xa4}};
const GUID kDmlInitializer{0x427c1113, 0x435c, 0x469c, {0x86, 0x76, 0x4d, 0x5d, 0xd0, 0x72, 0xf8, 0x13}};
const GUID kDmlTable{0x29c687dc, 0xde74, 0x4e3b, {0xab, 0x00, 0x11, 0x68, 0xf2, 0xfc, 0x3c, 0xfc}};
const GUID kDmlRecorder{0xe6857a76, 0x2e3e, 0x4fdd, {0xbf, 0xf4, 0x5d, 0x2b, 0xa1, 0x0f, 0xb4, 0x53}};

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

constexpr std::string_view kDevice = R"program(
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

// The program's main() up to the created operator; {} is the feature level.
constexpr std::string_view kCreate = R"program(
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
  IDMLOperator* op = nullptr;
  const HRESULT created = dml->CreateOperator(&kOperator, kDmlOperator, out(op));
  std::printf("CreateOperator: 0x%08x, expected: {}\n", static_cast<unsigned>(created));
)program";

constexpr std::string_view kHelpers = R"program(
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

// The rest of main() of a case that executes.
constexpr std::string_view kExecute = R"program(  if (FAILED(created)) leave(1);
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
                    expected, actual, actual == (~expected & mask) ? " (not written)" : "");
}
}
}
std::printf("%llu of %llu elements differ, %llu bytes changed outside the outputs\n", wrong,
            compared, outside);
leave(wrong || outside ? 1 : 0);
}
)program";

// Elements from address `at` on, in elements.
struct Run {
  uint64_t at;
  uint64_t first;
  uint64_t count;
  uint64_t step;
};

constexpr size_t kMostRuns = 4096;
constexpr uint64_t kSampled = 256;  // elements of an output's begin, of its end, and between

// Elements at ascending addresses, as runs; nothing where these are too many.
class Runs {
 public:
  explicit Runs(uint32_t width) : mask_(~uint64_t{0} >> (64 - 8 * width)) {}

  void add(uint64_t at, uint64_t bits) {
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const uint64_t step = last.count == 1 ? (bits - last.first) & mask_ : last.step;
      if (at == last.at + last.count && bits == ((last.first + last.count * step) & mask_)) {
        last.step = step;
        ++last.count;
        return;
      }
      splitShort();
    }
    if (runs_.size() <= kMostRuns + 4) runs_.push_back({at, bits, 1, 0});
  }

  std::optional<std::vector<Run>> all() {
    splitShort();
    if (runs_.size() > kMostRuns) return std::nullopt;
    return runs_;
  }

 private:
  // Two or three neighbours always look like a run.
  void splitShort() {
    if (runs_.empty() || runs_.back().count >= 4) return;
    const Run last = runs_.back();
    runs_.pop_back();
    for (uint64_t i = 0; i < last.count; ++i) {
      runs_.push_back({last.at + i, (last.first + i * last.step) & mask_, 1, 0});
    }
  }

  uint64_t mask_;
  std::vector<Run> runs_;
};

std::optional<std::vector<Run>> runsOfInput(const TensorDesc& tensor,
                                            const gpu::BufferImage& image) {
  const uint32_t width = info(tensor.type).bytes;
  Runs runs(width);
  for (uint64_t at = 0; (at + 1) * width <= image.size; ++at) {
    runs.add(at, loadBits(image.bytes, image.offset + at * width, width));
  }
  return runs.all();
}

// What an output must hold: all of it, or where that would be too long, `whole` false, a sample.
std::vector<Run> runsOfOutput(const TensorDesc& tensor, const ReferenceOutput& expected,
                              bool& whole) {
  const uint32_t width = info(tensor.type).bytes;
  std::vector<uint64_t> defined;
  const auto elements = expected.status.elements();
  for (uint64_t at = 0; at < elements.size(); ++at) {
    if (elements[at] == ByteStatus::Defined) defined.push_back(at);
  }
  const auto runsOf = [&](auto chosen) {
    Runs runs(width);
    for (uint64_t i = 0; i < defined.size(); ++i) {
      if (chosen(i)) runs.add(defined[i], loadBits(expected.bytes, defined[i] * width, width));
    }
    return runs.all();
  };
  if (auto all = runsOf([](uint64_t) { return true; })) return *std::move(all);
  whole = false;
  const uint64_t count = defined.size();
  const uint64_t stride = count / kSampled + 1;
  return runsOf(
             [=](uint64_t i) { return i < kSampled || i + kSampled >= count || i % stride == 0; })
      .value();
}

std::string list(const std::vector<uint32_t>& numbers) {
  return fmt::format("{{{}}}", fmt::join(numbers, ", "));
}

// `text` in lines of at most 100 characters, each beginning with `prefix`.
std::string wrapped(const std::string& text, const std::string& prefix) {
  std::string lines;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.size();
    if (end - at > 100 - prefix.size()) {
      end = text.rfind(' ', at + 100 - prefix.size());
      if (end == std::string::npos || end <= at) end = text.find(' ', at);
      end = std::min(end, text.size());
    }
    lines += prefix + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return lines;
}

std::string descriptorText(const Descriptor& descriptor) {
  std::string text;
  std::string members;
  for (const TensorSlot& slot : tensors(descriptor)) {
    const TensorDesc& tensor = *slot.desc;
    if (tensor.strides && tensor.strides->size() != tensor.sizes.size()) {
      throw std::invalid_argument("DML_BUFFER_TENSOR_DESC has one count for sizes and strides");
    }
    const std::string name(slot.dmlName);
    const bool any = !tensor.sizes.empty();
    if (any) text += fmt::format("const UINT k{}Sizes[] = {};\n", name, list(tensor.sizes));
    if (any && tensor.strides) {
      text += fmt::format("const UINT k{}Strides[] = {};\n", name, list(*tensor.strides));
    }
    const std::string flags = tensor.flags == 0 ? "DML_TENSOR_FLAG_NONE"
                              : tensor.flags == kOwnedByDml
                                  ? "DML_TENSOR_FLAG_OWNED_BY_DML"
                                  : fmt::format("DML_TENSOR_FLAGS({})", tensor.flags);
    text += fmt::format(
        "const DML_BUFFER_TENSOR_DESC k{0}Buffer{{\n"
        "    DML_TENSOR_DATA_TYPE_{1}, {2}, {3}, {4}, {5},\n"
        "    {6}u /* TotalTensorSizeInBytes */, {7} /* GuaranteedBaseOffsetAlignment */}};\n"
        "const DML_TENSOR_DESC k{0}{{DML_TENSOR_TYPE_BUFFER, &k{0}Buffer}};\n",
        name, info(tensor.type).dmlName, flags, tensor.sizes.size(),
        any ? "k" + name + "Sizes" : "nullptr",
        any && tensor.strides ? "k" + name + "Strides" : "nullptr", tensor.totalBytes,
        tensor.baseOffsetAlignment);
    members += fmt::format("{}&k{}", members.empty() ? "" : ", ", name);
  }
  for (const AttributeSlot& each : attributes(descriptor)) {
    members += fmt::format(", {} /* {} */", each.value, each.dmlName);
  }
  const std::string type = operatorConstant(descriptor);
  return text +
         fmt::format(
             "const {}_OPERATOR_DESC kDesc{{\n    {}}};\nconst DML_OPERATOR_DESC kOperator{{{}, "
             "&kDesc}};\n",
             "DML_" + type.substr(std::string_view("DML_OPERATOR_").size()), members, type);
}

std::string runsText(const std::vector<Run>& runs) {
  std::string text;
  for (const Run& run : runs) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{{{}, {:#x}", run.at, run.first);
    if (run.count > 1) text += fmt::format(", {}", run.count);
    if (run.step != 0) text += fmt::format(", {:#x}", run.step);
    text += "}";
  }
  return wrapped(text, "     ");
}

struct Tables {
  std::string text;
  bool whole = true;  // every defined element of the outputs is compared
};

// The tensors of a case that executes; nothing where an input would be too long.
std::optional<Tables> tablesOf(const PreparedCase& prepared) {
  const gpu::Request& request = prepared.requests.front();
  Tables tables{"Tensor tensors[] = {\n"};
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const gpu::BufferImage& image =
        slot.isOutput ? request.outputs[output] : request.inputs[input++];
    const auto runs = slot.isOutput
                          ? runsOfOutput(*slot.desc, prepared.expected[output++], tables.whole)
                          : runsOfInput(*slot.desc, image);
    if (!runs) return std::nullopt;
    tables.text += fmt::format(
        "    {{\"{0}\", k{0}Buffer, {1}, {2}, {3},\n     {{\n{4}     }}}},\n", slot.dmlName,
        info(slot.desc->type).bytes, image.offset, slot.isOutput, runsText(*runs));
  }
  tables.text += "};\n";
  return tables;
}

// The tables of a case or, where its inputs are no few runs, of `testCase`'s next of kin that has
// such inputs and can still tell right from wrong.
Tables literalTables(Case& testCase) {
  std::vector<Case> kin{testCase};
  for (const FillKind fill : {FillKind::Ones, FillKind::Ramp}) {
    kin.push_back(testCase);
    kin.back().fill = {fill, 0, {}};
    kin.push_back(kin.back());
    kin.back().index = {IndexKind::Last, {}};
  }
  for (const Case& each : kin) {
    if (caseProblem(each)) continue;
    const PreparedCase prepared = prepare(each, 0);
    if (!vacuousBecause(prepared.requests.front(), prepared.expected).empty() &&
        !(each == testCase)) {
      continue;
    }
    if (auto tables = tablesOf(prepared)) {
      testCase = each;
      return *std::move(tables);
    }
  }
  throw std::invalid_argument("the inputs are too large and too varied for a program of literals");
}

// The rules that the case is about, each with its source.
std::string rulesText(const Case& testCase) {
  std::string text;
  for (std::string_view id : rulesOf(testCase)) {
    const Rule& rule = *findRule(id);
    text +=
        wrapped(fmt::format("{} ({}): {} [{}]", id, name(rule.standing), rule.wording, rule.source),
                "//   ");
  }
  return text.empty() ? "" : "// Rules that it exercises:\n" + text;
}

}  // namespace

std::string reproducer(const Case& testCase) {
  if (const auto problem = caseProblem(testCase)) throw std::invalid_argument(*problem);
  Case written = testCase;
  const bool execute = testCase.expect == Expect::Execute;
  const std::string descriptor = descriptorText(testCase.descriptor);
  const Tables tables = execute ? literalTables(written) : Tables{};
  std::string text = "// " + caseString(testCase) + "\n";
  if (!(written == testCase)) {
    text += "// with inputs that literals can describe:\n// " + caseString(written) + "\n";
  }
  text += "//\n" + rulesText(testCase) + "//\n";
  text += wrapped(
      std::string(execute ? "Executes the operator and compares what it writes"
                          : "Asks CreateOperator alone") +
          (tables.whole ? "" : ", 256 elements of begin and end and as many between") +
          ". Exits with 1 where the fault shows, with 0 where not, with 2 where DirectML could not "
          "be asked. HEADERS are Microsoft's DirectX-Headers (Debian: directx-headers-dev 1.619); "
          "for Wine add -DWINE_SHIM.",
      "// ");
  text +=
      "//   cl /std:c++20 /EHsc reproducer.cpp\n"
      "//   x86_64-w64-mingw32-g++ -std=c++20 -static -isystem HEADERS reproducer.cpp -o "
      "reproducer.exe\n";
  text += kIncludes;
  if (execute) text += kExecutingIncludes;
  text += "\n" + descriptor;
  if (execute) text += tables.text;
  text += kDevice;
  if (execute) text += kHelpers;
  std::string level(name(testCase.level));
  std::ranges::replace(level, '.', '_');
  const bool reject = testCase.expect == Expect::Reject;
  text += fmt::format(kCreate, "DML_FEATURE_LEVEL_" + level, reject ? "a failure" : "S_OK");
  text += execute  ? kExecute
          : reject ? "  leave(SUCCEEDED(created) ? 1 : 0);\n}\n"
                   : "  leave(FAILED(created) ? 1 : 0);\n}\n";
  return text;
}

}  // namespace dmlcts
