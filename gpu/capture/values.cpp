#include "gpu/capture/values.h"

#include <directx/d3dx12.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "conformance/language/case_string.h"
#include "gpu/capture/attached.h"
#include "gpu/capture/comparison.h"
#include "gpu/capture/hook.h"
#include "gpu/capture/log.h"
#include "gpu/capture/unnoticed.h"
#include "reference/element.h"

namespace dmlcts::gpu {
namespace {

constexpr uint64_t kMostBytes = uint64_t{256} << 20;  // of all tensors that wait to be read
constexpr size_t kMostDispatches = 1000;              // of this process
constexpr DWORD kPatience = 60'000;                   // for the GPU, in milliseconds
constexpr uint32_t kExecuted = 0x600DF00D;            // written behind the copies

constexpr GUID kBindingsId = {
    0x6b1a5a0e, 0x64c1, 0x4c6e, {0x9d, 0x0b, 0x2f, 0x60, 0x6e, 0x32, 0x58, 0x12}};

struct Bindings {
  std::vector<dml::BufferBinding> inputs, outputs;  // without a buffer if none is bound
};

bool isSet(const wchar_t* name) {
  wchar_t value[2]{};
  return GetEnvironmentVariableW(name, value, 2) == 1 && value[0] == L'1';
}

bool checks() {
  static const bool checks = isSet(L"DMLCTS_CAPTURE_CHECK");
  return checks;
}

bool keepsValues() {
  static const bool keeps = isSet(L"DMLCTS_CAPTURE_VALUES");
  return keeps;
}

// The lists with copies that were not executed yet.
std::mutex pendingMutex;
std::multimap<IUnknown*, std::shared_ptr<ValueCopies>>& pending() {
  static auto& all = *new std::multimap<IUnknown*, std::shared_ptr<ValueCopies>>();
  return all;
}

std::atomic<uint64_t> waitingBytes = 0;

ComPtr<IUnknown> identityOf(IUnknown* object) {
  ComPtr<IUnknown> identity;
  constexpr GUID kUnknownId = {0, 0, 0, {0xC0, 0, 0, 0, 0, 0, 0, 0x46}};
  object->QueryInterface(kUnknownId, &identity);
  return identity;
}

// Throws std::runtime_error.
ComPtr<ID3D12Resource> newBuffer(ID3D12Device* device, D3D12_HEAP_TYPE type, uint64_t bytes) {
  const CD3DX12_HEAP_PROPERTIES heap(type);
  const auto desc = CD3DX12_RESOURCE_DESC::Buffer(bytes);
  ComPtr<ID3D12Resource> buffer;
  if (FAILED(device->CreateCommittedResource(&heap, D3D12_HEAP_FLAG_NONE, &desc,
                                             type == D3D12_HEAP_TYPE_READBACK
                                                 ? D3D12_RESOURCE_STATE_COPY_DEST
                                                 : D3D12_RESOURCE_STATE_GENERIC_READ,
                                             nullptr, uuidof<ID3D12Resource>(), &buffer))) {
    throw std::runtime_error("no memory to read its tensors back");
  }
  return buffer;
}

}  // namespace

class ValueCopies {
 public:
  // Creates the memory. Throws std::runtime_error.
  ValueCopies(std::shared_ptr<const RecordedOperator> op, ID3D12CommandList* list,
              Bindings bindings)
      : op_(std::move(op)) {
    auto& [inputs, outputs] = bindings;
    size_t input = 0, output = 0;
    for (const TensorSlot& slot : tensors(op_->testCase.descriptor)) {
      auto& bound = slot.isOutput ? outputs : inputs;
      size_t& next = slot.isOutput ? output : input;
      const uint64_t bytes = slot.desc->totalBytes;
      if (next >= bound.size() || !bound[next].buffer || bound[next].sizeInBytes < bytes) {
        throw std::runtime_error(fmt::format("no {} is bound", slot.name));
      }
      tensors_.push_back({bound[next].buffer, bound[next].offset, end_, bytes, slot.isOutput});
      ++next;
      end_ += (bytes + 15) / 16 * 16;
      if (bytes > kMostBytes) throw std::runtime_error("its tensors are large");
    }
    waiting_.bytes = end_;
    if ((waitingBytes += end_) > kMostBytes) throw std::runtime_error("too many wait to be read");
    ComPtr<ID3D12Device> device;
    if (FAILED(list->QueryInterface(uuidof<ID3D12GraphicsCommandList>(), &list_)) ||
        FAILED(list->GetDevice(uuidof<ID3D12Device>(), &device))) {
      throw std::runtime_error("its command list is of another kind");
    }
    memory_ = newBuffer(device.Get(), D3D12_HEAP_TYPE_READBACK, end_ + sizeof kExecuted);
    mark_ = newBuffer(device.Get(), D3D12_HEAP_TYPE_UPLOAD, sizeof kExecuted);
    void* mapped = nullptr;
    if (FAILED(mark_->Map(0, nullptr, &mapped)))
      throw std::runtime_error("its tensors cannot be read back");
    std::memcpy(mapped, &kExecuted, sizeof kExecuted);
    mark_->Unmap(0, nullptr);
  }

  // DirectML requires every bound buffer to be in this state.
  void copy(bool outputs) {
    std::vector<D3D12_RESOURCE_BARRIER> barriers;
    for (const Tensor& tensor : tensors_) {
      if (tensor.isOutput != outputs) continue;
      if (std::ranges::none_of(barriers, [&](const D3D12_RESOURCE_BARRIER& each) {
            return each.Transition.pResource == tensor.buffer;
          })) {
        barriers.push_back(CD3DX12_RESOURCE_BARRIER::Transition(
            tensor.buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
            D3D12_RESOURCE_STATE_COPY_SOURCE));
      }
    }
    const auto count = static_cast<UINT>(barriers.size());
    list_->ResourceBarrier(count, barriers.data());
    for (const Tensor& tensor : tensors_) {
      if (tensor.isOutput != outputs) continue;
      list_->CopyBufferRegion(memory_.Get(), tensor.to, tensor.buffer, tensor.from, tensor.bytes);
    }
    for (D3D12_RESOURCE_BARRIER& barrier : barriers) {
      std::swap(barrier.Transition.StateBefore, barrier.Transition.StateAfter);
    }
    list_->ResourceBarrier(count, barriers.data());
    if (outputs) list_->CopyBufferRegion(memory_.Get(), end_, mark_.Get(), 0, sizeof kExecuted);
  }

  ID3D12CommandList* list() const { return list_.Get(); }

  // Writes the log, if the copies were executed: the list may have been reset.
  void examine() const {
    void* mapped = nullptr;
    if (FAILED(memory_->Map(0, nullptr, &mapped))) return;
    const auto* bytes = static_cast<const uint8_t*>(mapped);
    std::vector<std::vector<uint8_t>> inputs, outputs;
    for (const Tensor& tensor : tensors_) {
      (tensor.isOutput ? outputs : inputs)
          .emplace_back(bytes + tensor.to, bytes + tensor.to + tensor.bytes);
    }
    const bool executed =
        loadBits({bytes + end_, sizeof kExecuted}, 0, sizeof kExecuted) == kExecuted;
    memory_->Unmap(0, nullptr);
    if (!executed) return;
    const Case& testCase = op_->testCase;
    const std::string difference =
        checks() ? firstDifference(testCase.descriptor, inputs, outputs) : "";
    const bool keeps = keepsValues() || !difference.empty();
    CaptureLog::get().values(keeps ? stored(inputs) : caseString(testCase),
                             !checks()            ? "values"
                             : difference.empty() ? "match"
                                                  : "differs: " + difference,
                             keeps);
  }

 private:
  // Returns the case with the values, or else with default ones.
  std::string stored(std::span<const std::vector<uint8_t>> inputs) const {
    try {
      return caseWithValues(*op_, inputs, [](const std::string& name, std::string_view content) {
        CaptureLog::get().store(name, content);
      });
    } catch (const std::exception& error) {
      CaptureLog::get().remark(fmt::format("values not stored: {}", error.what()));
      return caseString(op_->testCase);
    }
  }

  struct Tensor {
    ID3D12Resource* buffer;  // the application keeps it until the list was executed
    uint64_t from, to, bytes;
    bool isOutput;
  };

  struct Waiting {
    uint64_t bytes = 0;  // counted in waitingBytes
    ~Waiting() { waitingBytes -= bytes; }
  };

  std::shared_ptr<const RecordedOperator> op_;
  std::vector<Tensor> tensors_;
  Waiting waiting_;
  uint64_t end_ = 0;
  ComPtr<ID3D12GraphicsCommandList> list_;
  ComPtr<ID3D12Resource> memory_, mark_;
};

namespace {

void remember(dml::BindingTable* table, UINT count, const dml::BindingDesc* descs,
              std::vector<dml::BufferBinding> Bindings::* side) {
  const auto bindings = attached<Bindings>(table, kBindingsId);
  if (!bindings) return;
  auto& bound = bindings->value.*side;
  bound.assign(count, {});
  for (UINT i = 0; descs && i < count; ++i) {
    if (descs[i].type == dml::kBindingTypeBuffer && descs[i].desc) {
      bound[i] = *static_cast<const dml::BufferBinding*>(descs[i].desc);
    }
  }
}

void STDMETHODCALLTYPE bindInputs(dml::BindingTable* self, UINT count,
                                  const dml::BindingDesc* descs);
void STDMETHODCALLTYPE bindOutputs(dml::BindingTable* self, UINT count,
                                   const dml::BindingDesc* descs);
void STDMETHODCALLTYPE executeCommandLists(ID3D12CommandQueue* self, UINT count,
                                           ID3D12CommandList* const* lists);

// The methods' places in their tables (abi.h, d3d12.h).
Hook<decltype(&bindInputs)> bindInputsHook(8, &bindInputs);
Hook<decltype(&bindOutputs)> bindOutputsHook(9, &bindOutputs);
Hook<decltype(&executeCommandLists)> executeCommandListsHook(10, &executeCommandLists);

void STDMETHODCALLTYPE bindInputs(dml::BindingTable* self, UINT count,
                                  const dml::BindingDesc* descs) {
  bindInputsHook.original(self)(self, count, descs);
  unnoticed("BindInputs", [&] { remember(self, count, descs, &Bindings::inputs); });
}

void STDMETHODCALLTYPE bindOutputs(dml::BindingTable* self, UINT count,
                                   const dml::BindingDesc* descs) {
  bindOutputsHook.original(self)(self, count, descs);
  unnoticed("BindOutputs", [&] { remember(self, count, descs, &Bindings::outputs); });
}

// Waits until the queue has executed all that it was given.
bool finished(ID3D12CommandQueue* queue) {
  ComPtr<ID3D12Device> device;
  ComPtr<ID3D12Fence> fence;
  if (FAILED(queue->GetDevice(uuidof<ID3D12Device>(), &device)) ||
      FAILED(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, uuidof<ID3D12Fence>(), &fence)) ||
      FAILED(queue->Signal(fence.Get(), 1))) {
    return false;
  }
  const platform::Event event;
  return SUCCEEDED(fence->SetEventOnCompletion(1, event.handle())) && event.wait(kPatience);
}

void STDMETHODCALLTYPE executeCommandLists(ID3D12CommandQueue* self, UINT count,
                                           ID3D12CommandList* const* lists) {
  executeCommandListsHook.original(self)(self, count, lists);
  unnoticed("ExecuteCommandLists", [&] {
    std::vector<std::shared_ptr<ValueCopies>> executed;
    for (UINT i = 0; i < count; ++i) {
      const std::scoped_lock lock(pendingMutex);
      const auto [first, last] = pending().equal_range(identityOf(lists[i]).Get());
      for (auto at = first; at != last; ++at) executed.push_back(at->second);
      pending().erase(first, last);
    }
    if (executed.empty()) return;
    if (!finished(self)) throw std::runtime_error("the queue did not finish");
    for (const auto& copies : executed) copies->examine();
  });
}

}  // namespace

bool recordsValues() { return checks() || keepsValues(); }

void recordValuesOf(ID3D12Device* device) {
  for (D3D12_COMMAND_LIST_TYPE type :
       {D3D12_COMMAND_LIST_TYPE_DIRECT, D3D12_COMMAND_LIST_TYPE_COMPUTE}) {
    D3D12_COMMAND_QUEUE_DESC desc{};
    desc.Type = type;
    ComPtr<ID3D12CommandQueue> queue;
    if (SUCCEEDED(device->CreateCommandQueue(&desc, uuidof<ID3D12CommandQueue>(), &queue))) {
      executeCommandListsHook.install(queue.Get());
    }
  }
}

void rememberTable(dml::BindingTable* table) {
  attach(table, kBindingsId, Bindings());
  bindInputsHook.install(table);
  bindOutputsHook.install(table);
}

std::shared_ptr<ValueCopies> copyInputs(std::shared_ptr<const RecordedOperator> op,
                                        ID3D12CommandList* list, dml::BindingTable* table) {
  static std::atomic<size_t> dispatches = 0;
  if (dispatches >= kMostDispatches) return nullptr;
  ++dispatches;
  const std::string text = op->text();
  try {
    const auto bindings = attached<Bindings>(table, kBindingsId);
    if (!bindings || !op->problem.empty()) throw std::runtime_error("no case");
    auto copies = std::make_shared<ValueCopies>(std::move(op), list, bindings->value);
    copies->copy(false);
    return copies;
  } catch (const std::exception& error) {
    CaptureLog::get().values(text, fmt::format("not checked: {}", error.what()), false);
    return nullptr;
  }
}

void copyOutputs(const std::shared_ptr<ValueCopies>& copies) {
  copies->copy(true);
  const std::scoped_lock lock(pendingMutex);
  pending().emplace(identityOf(copies->list()).Get(), copies);
}

}  // namespace dmlcts::gpu
