#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "gpu/capture/attached.h"
#include "gpu/capture/descriptor.h"
#include "gpu/capture/hook.h"
#include "gpu/capture/log.h"
#include "gpu/capture/unnoticed.h"
#include "gpu/capture/values.h"
#include "gpu/d3d12/platform/module_windows.h"
#include "gpu/directml/library.h"

// A DirectML.dll that records what an application asks DirectML for. Loads Microsoft's, hands out
// its objects, and replaces those of their methods that it records.

namespace dmlcts::gpu {
namespace {

constexpr GUID kNoteId = {
    0x6b1a5a0e, 0x64c1, 0x4c6e, {0x9d, 0x0b, 0x2f, 0x60, 0x6e, 0x32, 0x58, 0x11}};

// Describes an operator or compiled operator.
struct Note {
  std::vector<RecordedLine*> lines;            // several for a graph
  std::shared_ptr<const RecordedOperator> op;  // null for graphs and other operators
};

thread_local bool inside = false;  // a method that is recorded

// Calls a method for the application. Where DirectML calls its own methods, nothing is recorded.
template <class Call, class Record>
HRESULT recorded(const char* name, const Call& call, const Record& record) {
  if (inside) return call();
  inside = true;
  const HRESULT result = call();
  inside = false;
  unnoticed(name, [&] { record(result); });
  return result;
}

Note noteOf(dml::Object* object) {
  const auto note = attached<Note>(object, kNoteId);
  return note ? note->value : Note();
}

// Calls `use` with the interface as which the methods' tables know the object.
template <class Interface, class Use>
void withInterface(void* object, const GUID& id, const Use& use) {
  ComPtr<Interface> found;
  if (object && SUCCEEDED(static_cast<IUnknown*>(object)->QueryInterface(id, &found))) {
    use(found.Get());
  }
}

std::atomic<Level> level = kLevels.back();  // of the newest device

HRESULT STDMETHODCALLTYPE createOperator(dml::Device* self, const dml::OperatorDesc* desc,
                                         const GUID& id, void** object);
HRESULT STDMETHODCALLTYPE compileOperator(dml::Device* self, dml::Operator* op, uint32_t flags,
                                          const GUID& id, void** object);
HRESULT STDMETHODCALLTYPE createCommandRecorder(dml::Device* self, const GUID& id, void** object);
HRESULT STDMETHODCALLTYPE compileGraph(dml::Device1* self, const dml::GraphDesc* desc,
                                       uint32_t flags, const GUID& id, void** object);
HRESULT STDMETHODCALLTYPE createBindingTable(dml::Device* self, const dml::BindingTableDesc* desc,
                                             const GUID& id, void** object);
void STDMETHODCALLTYPE recordDispatch(dml::CommandRecorder* self, ID3D12CommandList* list,
                                      dml::Dispatchable* dispatched, dml::BindingTable* table);

// The methods' places in their tables (abi.h).
Hook<decltype(&createOperator)> createOperatorHook(8, &createOperator);
Hook<decltype(&compileOperator)> compileOperatorHook(9, &compileOperator);
Hook<decltype(&createCommandRecorder)> createCommandRecorderHook(11, &createCommandRecorder);
Hook<decltype(&createBindingTable)> createBindingTableHook(12, &createBindingTable);
Hook<decltype(&compileGraph)> compileGraphHook(17, &compileGraph);
Hook<decltype(&recordDispatch)> recordDispatchHook(8, &recordDispatch);

// Attaches the note to an operator that was created or compiled.
template <class Interface>
void attachTo(HRESULT result, void** object, const GUID& id, Note note) {
  if (FAILED(result) || !object) return;
  withInterface<Interface>(*object, id,
                           [&](Interface* created) { attach(created, kNoteId, std::move(note)); });
}

HRESULT STDMETHODCALLTYPE createOperator(dml::Device* self, const dml::OperatorDesc* desc,
                                         const GUID& id, void** object) {
  const auto call = [&] { return createOperatorHook.original(self)(self, desc, id, object); };
  return recorded("CreateOperator", call, [&](HRESULT result) {
    if (!desc) return;
    auto op = recordedOperator(*desc, level);
    RecordedLine* line = CaptureLog::get().created(
        op ? op->text() : fmt::format("# operator type {}", desc->type), result);
    if (!line || !op) return;
    Note note{{line}, std::make_shared<const RecordedOperator>(std::move(*op))};
    attachTo<dml::Operator>(result, object, dml::kOperatorId, std::move(note));
  });
}

HRESULT STDMETHODCALLTYPE compileOperator(dml::Device* self, dml::Operator* op, uint32_t flags,
                                          const GUID& id, void** object) {
  const auto call = [&] { return compileOperatorHook.original(self)(self, op, flags, id, object); };
  return recorded("CompileOperator", call, [&](HRESULT result) {
    Note note = noteOf(op);
    if (note.lines.empty()) return;
    for (RecordedLine* line : note.lines) {
      CaptureLog::get().compiled(*line, result, flags, &RecordedLine::compiled);
    }
    attachTo<dml::CompiledOperator>(result, object, dml::kCompiledOperatorId, std::move(note));
  });
}

HRESULT STDMETHODCALLTYPE compileGraph(dml::Device1* self, const dml::GraphDesc* desc,
                                       uint32_t flags, const GUID& id, void** object) {
  const auto call = [&] { return compileGraphHook.original(self)(self, desc, flags, id, object); };
  return recorded("CompileGraph", call, [&](HRESULT result) {
    if (!desc || !desc->nodes) return;
    Note all;
    for (UINT i = 0; i < desc->nodeCount; ++i) {
      if (desc->nodes[i].type != dml::kNodeTypeOperator || !desc->nodes[i].desc) continue;
      const auto& node = *static_cast<const dml::OperatorNodeDesc*>(desc->nodes[i].desc);
      for (RecordedLine* line : noteOf(node.op).lines) {
        all.lines.push_back(line);
        CaptureLog::get().compiled(*line, result, flags, &RecordedLine::graphs);
      }
    }
    if (all.lines.empty()) return;
    attachTo<dml::CompiledOperator>(result, object, dml::kCompiledOperatorId, std::move(all));
  });
}

HRESULT STDMETHODCALLTYPE createCommandRecorder(dml::Device* self, const GUID& id, void** object) {
  const auto call = [&] { return createCommandRecorderHook.original(self)(self, id, object); };
  return recorded("CreateCommandRecorder", call, [&](HRESULT result) {
    if (FAILED(result) || !object) return;
    withInterface<dml::CommandRecorder>(
        *object, dml::kCommandRecorderId,
        [](dml::CommandRecorder* recorder) { recordDispatchHook.install(recorder); });
  });
}

HRESULT STDMETHODCALLTYPE createBindingTable(dml::Device* self, const dml::BindingTableDesc* desc,
                                             const GUID& id, void** object) {
  const auto call = [&] { return createBindingTableHook.original(self)(self, desc, id, object); };
  return recorded("CreateBindingTable", call, [&](HRESULT result) {
    if (FAILED(result) || !object) return;
    withInterface<dml::BindingTable>(*object, dml::kBindingTableId, rememberTable);
  });
}

void STDMETHODCALLTYPE recordDispatch(dml::CommandRecorder* self, ID3D12CommandList* list,
                                      dml::Dispatchable* dispatched, dml::BindingTable* table) {
  Note note;
  std::shared_ptr<ValueCopies> copies;
  unnoticed("RecordDispatch", [&] {
    note = noteOf(dispatched);
    if (note.op && recordsValues()) copies = copyInputs(note.op, list, table);
  });
  recordDispatchHook.original(self)(self, list, dispatched, table);
  unnoticed("RecordDispatch", [&] {
    for (RecordedLine* line : note.lines) CaptureLog::get().dispatched(*line);
    if (copies) copyOutputs(copies);
  });
}

// Replaces the methods of Microsoft's device.
void record(void* object) {
  withInterface<dml::Device>(object, dml::kDeviceId, [](dml::Device* device) {
    std::vector<uint32_t> levels;
    for (Level each : kLevels) levels.push_back(static_cast<uint32_t>(each));
    const dml::FeatureLevelsQuery query{static_cast<UINT>(levels.size()), levels.data()};
    uint32_t newest = 0;
    if (SUCCEEDED(device->CheckFeatureSupport(dml::kFeatureLevels, sizeof query, &query,
                                              sizeof newest, &newest))) {
      for (Level each : kLevels) {
        if (static_cast<uint32_t>(each) <= newest) level = each;
      }
    }
    if (!createOperatorHook.install(device) || !compileOperatorHook.install(device) ||
        !createCommandRecorderHook.install(device) ||
        (recordsValues() && !createBindingTableHook.install(device))) {
      CaptureLog::get().remark("not recorded: a device's methods cannot be replaced");
    }
  });
  withInterface<dml::Device1>(object, dml::kDevice1Id, [](dml::Device1* device) {
    createOperatorHook.install(device);
    compileOperatorHook.install(device);
    createCommandRecorderHook.install(device);
    if (recordsValues()) createBindingTableHook.install(device);
    compileGraphHook.install(device);
  });
}

HMODULE thisModule() {
  HMODULE module = nullptr;
  // Pinned: the methods in the tables must stay.
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<const wchar_t*>(&kNoteId), &module);
  return module;
}

// Loads Microsoft's library, for the life of the process. Null if there is none.
HMODULE realModule() {
  static const HMODULE module = [] {
    const HMODULE own = thisModule();
    std::wstring named(32768, L'\0');
    named.resize(GetEnvironmentVariableW(L"DMLCTS_DIRECTML", named.data(), 32768));
    const std::filesystem::path file = named.empty()
                                           ? fileOf(own).parent_path() / L"DirectML.real.dll"
                                           : std::filesystem::path(named);
    HMODULE real = LoadLibraryExW(file.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
    const DWORD error = GetLastError();
    if (real == own) real = nullptr;
    const std::u8string name = file.u8string();
    const std::string text(name.begin(), name.end());
    CaptureLog::get().remark(real
                                 ? fmt::format("Microsoft's library: {}, {}", text, versionOf(real))
                                 : fmt::format("cannot load {} (Windows error {})", text, error));
    SetLastError(error);
    return real;
  }();
  return module;
}

// Calls the library's function of that name, and records the device that it creates.
template <class... Arguments>
HRESULT create(const char* name, ID3D12Device* device, void** object, Arguments... arguments) {
  using Create = HRESULT(STDMETHODCALLTYPE*)(Arguments...);
  Create real = nullptr;
  unnoticed(name, [&] {
    if (const HMODULE module = realModule()) real = function<Create>(module, name);
    // Never destroyed: nobody says when DirectML last uses the device.
    if (real && device) new NoMetacommands(device);
    if (real && device && recordsValues()) recordValuesOf(device);
  });
  if (!real) return HRESULT_FROM_WIN32(ERROR_MOD_NOT_FOUND);
  const HRESULT result = real(arguments...);
  unnoticed(name, [&] {
    if (SUCCEEDED(result) && object) record(*object);
  });
  return result;
}

}  // namespace
}  // namespace dmlcts::gpu

extern "C" {

BOOL WINAPI DllMain(HINSTANCE, DWORD reason, void*) {
  if (reason == DLL_PROCESS_DETACH) dmlcts::gpu::CaptureLog::finish();
  return TRUE;
}

HRESULT STDMETHODCALLTYPE DMLCreateDevice(ID3D12Device* device, uint32_t flags, const GUID& id,
                                          void** object) {
  return dmlcts::gpu::create<ID3D12Device*, uint32_t, const GUID&, void**>(
      "DMLCreateDevice", device, object, device, flags, id, object);
}

HRESULT STDMETHODCALLTYPE DMLCreateDevice1(ID3D12Device* device, uint32_t flags, uint32_t level,
                                           const GUID& id, void** object) {
  return dmlcts::gpu::create<ID3D12Device*, uint32_t, uint32_t, const GUID&, void**>(
      "DMLCreateDevice1", device, object, device, flags, level, id, object);
}
}
