#include "gpu/directml/sequence_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "gpu/d3d12/device/error.h"
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

class Misuser : public DirectMlSequence {
 public:
  Misuser(const DirectMlDevice& device, Misuse misuse)
      : DirectMlSequence(device, nullptr), misuse_(misuse) {}

  Answer create(uint32_t number, const AskedOperator& asked) override {
    CreatedOperator created = createOperator(device_, asked.descriptor,
                                             isOwned() ? std::optional<size_t>(0) : std::nullopt);
    operators_[number] =
        std::make_shared<Operator>(Operator{asked.descriptor, std::move(created.op), nullptr});
    return answer(FAILED(created.result) ? Status::Rejected : Status::Created, created.result, "");
  }

  void initialize(const std::vector<uint32_t>&) override {
    bindings_ = rightBindings();
    const std::string why = whyNot(misuse_, bindings_);
    if (!why.empty()) throw MisuseAnswer(answer(Status::NotSupported, 0, why));
    if (misuse_ == Misuse::NotInitialized) return;
    std::vector<dml::BufferBinding> inputs;
    if (isOwned()) {
      const Range& first = bindings_.inputs.front();
      inputs.resize(bindings_.inputs.size(), {nullptr, 0, 0});
      inputs.front() = {first.buffer, first.offset, first.bytes};
    }
    CompiledOperator* const operators[] = {&compiled()};
    Initialization(device_).run(operators, inputs);
  }

  void bind(const SequenceCall&, SequenceStage&) override {
    spoil(bindings_, misuse_, addBuffer(D3D12_HEAP_TYPE_UPLOAD)->get());
    heap_ = std::make_unique<DescriptorHeap>(
        device_.d3d12(), std::max(compiled().properties.requiredDescriptorCount, 1u), true,
        L"misuse");
    const dml::BindingTableDesc desc{compiled().dml.Get(), heap_->cpu(0), heap_->gpu(0),
                                     bindings_.descriptors};
    const HRESULT made = device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &table_);
    checkRemovedBy("CreateBindingTable");
    if (FAILED(made)) throw MisuseAnswer(answer(Status::Failed, made, "CreateBindingTable"));
    if (!bindings_.any) return;
    const auto one = [&](const Range& range) {
      return BoundBytes(range.buffer, range.offset, range.bytes);
    };
    const auto all = [](const std::vector<Range>& ranges) {
      BindingList list;
      for (const Range& range : ranges) list.add(range.buffer, range.offset, range.bytes);
      return list;
    };
    if (bindings_.temporary.bytes != 0) {
      table_->BindTemporaryResource(&one(bindings_.temporary).get());
      checkRemovedBy("BindTemporaryResource");
    }
    const uint64_t persistentBytes = compiled().properties.persistentResourceSize;
    if (persistentBytes != 0) {
      compiled().persistent.reserve(persistentBytes);  // nothing has initialised it
      table_->BindPersistentResource(&one({compiled().persistent.get(), 0, persistentBytes}).get());
      checkRemovedBy("BindPersistentResource");
    }
    const BindingList inputs = all(bindings_.inputs);
    table_->BindInputs(inputs.size(), inputs.data());
    checkRemovedBy("BindInputs");
    const BindingList outputs = all(bindings_.outputs);
    table_->BindOutputs(outputs.size(), outputs.data());
    checkRemovedBy("BindOutputs");
  }

  void execute(const SequenceCall& call, SequenceStage& stage) override {
    ID3D12GraphicsCommandList* list = stage.list(call.queue);
    ID3D12DescriptorHeap* const heaps[] = {heap_->get()};
    list->SetDescriptorHeaps(1, heaps);
    device_.recorder()->RecordDispatch(list, compiled().dml.Get(), table_.Get());
    checkRemovedBy("RecordDispatch");
  }

  void checkRemoved() override { checkRemovedBy("execution"); }

 private:
  static Answer answer(Status status, HRESULT hresult, std::string message) {
    return {0, status, hresult, std::move(message), {}, {}};
  }

  bool isOwned() const { return misuse_ == Misuse::OwnedBoundAtExecution; }
  const Descriptor& descriptor() const { return operators_.at(0)->descriptor; }
  CompiledOperator& compiled() const { return *operators_.at(0)->compiled; }

  // Returns a size that fits every tensor and the temporary.
  uint64_t bufferBytes() const {
    uint64_t most = compiled().properties.temporaryResourceSize;
    for (const TensorSlot& slot : tensors(descriptor())) {
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
    for (const TensorSlot& slot : tensors(descriptor())) {
      (slot.isOutput ? bindings.outputs : bindings.inputs).push_back(range(slot.desc->totalBytes));
    }
    bindings.temporary = range(compiled().properties.temporaryResourceSize);
    bindings.bufferBytes = bufferBytes();
    bindings.guaranteed = tensors(descriptor()).front().desc->baseOffsetAlignment;
    bindings.descriptors = compiled().properties.requiredDescriptorCount;
    return bindings;
  }

  // Ends the program if DirectML's device is gone.
  void checkRemovedBy(const char* call) const {
    const HRESULT reason = device_.get()->GetDeviceRemovedReason();
    if (SUCCEEDED(reason)) return;
    throw MisuseAnswer(answer(Status::DeviceRemoved, createOperator(device_, descriptor()).result,
                              fmt::format("{}: 0x{:08X}", call, static_cast<uint32_t>(reason))));
  }

  Misuse misuse_;
  std::deque<Buffer> buffers_;  // a deque, because buffers cannot move
  Bindings bindings_;
  std::unique_ptr<DescriptorHeap> heap_;
  ComPtr<dml::BindingTable> table_;
};

}  // namespace

std::unique_ptr<SequenceOperators> misuser(const DirectMlDevice& device, Misuse misuse) {
  return std::make_unique<Misuser>(device, misuse);
}

}  // namespace dmlcts::gpu
