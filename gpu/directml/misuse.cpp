#include "gpu/directml/sequence_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "gpu/d3d12/error.h"
#include "gpu/directml/compiled.h"

namespace dmlcts::gpu {

namespace {

constexpr uint64_t kOffset = 256;  // of every range in its buffer

struct Range {
  ID3D12Resource* buffer = nullptr;
  uint64_t offset = 0;
  uint64_t bytes = 0;  // 0: none
};

// Everything that an application binds, correct or not.
struct Bindings {
  std::vector<Range> inputs;
  std::vector<Range> outputs;
  Range temporary;
  uint32_t descriptors = 0;
  uint64_t bufferBytes = 0;  // per range's buffer
  uint32_t guaranteed = 0;   // alignment of the first input's offset
  bool any = true;
};

// Returns why the operator cannot be misused this way, or "".
std::string whyNot(Misuse misuse, const Bindings& bindings) {
  const bool several = bindings.outputs.size() > 1;
  switch (misuse) {
    case Misuse::TooFewInputs:  // an empty list would unbind
      return bindings.inputs.size() > 1 ? "" : "the operator has one input";
    case Misuse::TooFewOutputs:  // the same
    case Misuse::OutputsOverlap:
      return several ? "" : "the operator has one output";
    case Misuse::TemporaryMissing:
    case Misuse::TemporaryTooSmall:
    case Misuse::TemporaryOffsetOf16:
      return bindings.temporary.bytes > 0 ? "" : "the operator wants no temporary";
    case Misuse::OffsetNotGuaranteed:
      return bindings.guaranteed > 16 ? "" : "the first input guarantees no more than 16 bytes";
    case Misuse::DescriptorsTooFew:
      return bindings.descriptors > 0 ? "" : "the operator requires no descriptor";
    default:
      return "";
  }
}

void spoil(Bindings& bindings, Misuse misuse, ID3D12Resource* uploadHeap) {
  Range& input = bindings.inputs.front();
  Range& output = bindings.outputs.back();
  switch (misuse) {
    case Misuse::TooFewInputs:
      bindings.inputs.pop_back();
      break;
    case Misuse::TooManyInputs:
      bindings.inputs.push_back(Range(bindings.inputs.back()));
      break;
    case Misuse::TooFewOutputs:
      bindings.outputs.pop_back();
      break;
    case Misuse::TooManyOutputs:
      bindings.outputs.push_back(Range(bindings.outputs.back()));
      break;
    case Misuse::InputUnbound:
      input.bytes = 0;
      break;
    case Misuse::OutputUnbound:
      output.bytes = 0;
      break;
    case Misuse::NothingBound:
      bindings.any = false;
      break;
    case Misuse::InputRangeTooSmall:
      input.bytes -= 4;
      break;
    case Misuse::OutputRangeTooSmall:
      output.bytes -= 4;
      break;
    case Misuse::RangeBeyondBuffer:
      input.offset = bindings.bufferBytes - input.bytes + 16;
      break;
    case Misuse::OffsetOf8:
      input.offset += 8;
      break;
    case Misuse::OffsetNotGuaranteed:
      input.offset += bindings.guaranteed / 2;
      break;
    case Misuse::OutputsOverlap:
      output.buffer = bindings.outputs.front().buffer;
      break;
    case Misuse::OutputIsInput:
      output.buffer = input.buffer;
      break;
    case Misuse::UploadHeapInput:
      input.buffer = uploadHeap;
      break;
    case Misuse::TemporaryMissing:
      bindings.temporary.bytes = 0;
      break;
    case Misuse::TemporaryTooSmall:
      bindings.temporary.bytes -= 4;
      break;
    case Misuse::TemporaryOffsetOf16:
      bindings.temporary.offset += 16;
      break;
    case Misuse::DescriptorsTooFew:
      --bindings.descriptors;
      break;
    case Misuse::OwnedBoundAtExecution:  // misused by its creation
    case Misuse::NotInitialized:         // misused by omission
      break;
  }
}

class WrongUse {
 public:
  WrongUse(const DirectMlDevice& device, const MisusedOperator& misused)
      : device_(device),
        misuse_(misused.misuse),
        descriptor_(misused.descriptor),
        recorder_(device.d3d12(), L"misuse") {}

  Answer run() {
    const bool owned = misuse_ == Misuse::OwnedBoundAtExecution;
    const CreatedOperator created =
        createOperator(device_, descriptor_, owned ? std::optional<size_t>(0) : std::nullopt);
    if (FAILED(created.result)) return answer(Status::Rejected, created.result, "");
    compiled_ = compile(device_, created.op.Get());
    Bindings bindings = rightBindings();
    const std::string why = whyNot(misuse_, bindings);
    if (!why.empty()) return answer(Status::NotSupported, 0, why);
    if (misuse_ != Misuse::NotInitialized) initialise(bindings, owned);
    spoil(bindings, misuse_, addBuffer(D3D12_HEAP_TYPE_UPLOAD)->get());
    return use(bindings);
  }

 private:
  static Answer answer(Status status, HRESULT hresult, std::string message) {
    Answer answer;
    answer.status = status;
    answer.hresult = hresult;
    answer.message = std::move(message);
    return answer;
  }

  // Returns a size that fits every tensor and the temporary.
  uint64_t bufferBytes() const {
    uint64_t most = compiled_->properties.temporaryResourceSize;
    for (const TensorSlot& slot : tensors(descriptor_)) {
      most = std::max(most, slot.desc->totalBytes);
    }
    return most + 2 * kOffset;
  }

  Buffer* addBuffer(D3D12_HEAP_TYPE heap) {
    buffers_.emplace_back(device_.d3d12(), heap, L"misused").reserve(bufferBytes());
    return &buffers_.back();
  }

  Range range(uint64_t bytes) {
    return {addBuffer(D3D12_HEAP_TYPE_DEFAULT)->get(), kOffset, bytes};
  }

  Bindings rightBindings() {
    Bindings bindings;
    for (const TensorSlot& slot : tensors(descriptor_)) {
      (slot.isOutput ? bindings.outputs : bindings.inputs).push_back(range(slot.desc->totalBytes));
    }
    bindings.temporary = range(compiled_->properties.temporaryResourceSize);
    bindings.bufferBytes = bufferBytes();
    bindings.guaranteed = tensors(descriptor_).front().desc->baseOffsetAlignment;
    bindings.descriptors = compiled_->properties.requiredDescriptorCount;
    return bindings;
  }

  void initialise(const Bindings& bindings, bool owned) {
    std::vector<dml::BufferBinding> inputs;
    if (owned) {
      const Range& first = bindings.inputs.front();
      inputs.resize(bindings.inputs.size(), {nullptr, 0, 0});
      inputs.front() = {first.buffer, first.offset, first.bytes};
    }
    CompiledOperator* const operators[] = {compiled_.get()};
    Initialization(device_).run(operators, inputs);
  }

  Answer use(const Bindings& bindings) {
    const uint32_t room = std::max(compiled_->properties.requiredDescriptorCount, 1u);
    DescriptorHeap heap(device_.d3d12(), room, true, L"misuse");
    const dml::BindingTableDesc desc{compiled_->dml.Get(), heap.cpu(0), heap.gpu(0),
                                     bindings.descriptors};
    ComPtr<dml::BindingTable> table;
    const HRESULT made = device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &table);
    if (removedBy("CreateBindingTable")) return removal_;
    if (FAILED(made)) return answer(Status::Failed, made, "CreateBindingTable");
    if (bindings.any && bind(*table.Get(), bindings)) return removal_;
    ID3D12GraphicsCommandList* list = recorder_.begin();
    ID3D12DescriptorHeap* const heaps[] = {heap.get()};
    list->SetDescriptorHeaps(1, heaps);
    device_.recorder()->RecordDispatch(list, compiled_->dml.Get(), table.Get());
    if (removedBy("RecordDispatch")) return removal_;
    device_.d3d12().wait(recorder_.submit());
    if (removedBy("execution")) return removal_;
    return answer(Status::Created, S_OK, "");
  }

  // True if a call removed the device.
  bool bind(dml::BindingTable& table, const Bindings& bindings) {
    const auto one = [&](const Range& range) {
      return BoundBytes(range.buffer, range.offset, range.bytes);
    };
    const auto all = [](const std::vector<Range>& ranges) {
      BindingList list;
      for (const Range& range : ranges) list.add(range.buffer, range.offset, range.bytes);
      return list;
    };
    if (bindings.temporary.bytes != 0) {
      table.BindTemporaryResource(&one(bindings.temporary).get());
      if (removedBy("BindTemporaryResource")) return true;
    }
    const uint64_t persistentBytes = compiled_->properties.persistentResourceSize;
    if (persistentBytes != 0) {
      compiled_->persistent.reserve(persistentBytes);  // nothing has initialised it
      table.BindPersistentResource(&one({compiled_->persistent.get(), 0, persistentBytes}).get());
      if (removedBy("BindPersistentResource")) return true;
    }
    const BindingList inputs = all(bindings.inputs);
    table.BindInputs(inputs.size(), inputs.data());
    if (removedBy("BindInputs")) return true;
    const BindingList outputs = all(bindings.outputs);
    table.BindOutputs(outputs.size(), outputs.data());
    return removedBy("BindOutputs");
  }

  // True if DirectML's device is gone; then removal_ is the answer.
  bool removedBy(const char* call) {
    const HRESULT reason = device_.get()->GetDeviceRemovedReason();
    if (SUCCEEDED(reason)) return false;
    const HRESULT since = createOperator(device_, descriptor_).result;
    removal_ = answer(Status::DeviceRemoved, since,
                      fmt::format("{}: 0x{:08X}", call, static_cast<uint32_t>(reason)));
    return true;
  }

  const DirectMlDevice& device_;
  Misuse misuse_;
  const Descriptor& descriptor_;
  Recorder recorder_;
  std::shared_ptr<CompiledOperator> compiled_;
  std::deque<Buffer> buffers_;  // a deque, because buffers cannot move
  Answer removal_;
};

}  // namespace

Answer misuse(const DirectMlDevice& device, const MisusedOperator& misused) {
  return WrongUse(device, misused).run();
}

}  // namespace dmlcts::gpu
