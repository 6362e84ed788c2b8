#include "gpu/directml/compiled.h"

#include <stdexcept>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/directml/operators.h"

namespace dmlcts::gpu {

namespace {

// DirectML's structures for a descriptor. The descriptor must outlive them.
class Structures {
 public:
  Structures(const Descriptor& descriptor, std::optional<size_t> owned) {
    const std::vector<TensorSlot> slots = tensors(descriptor);
    buffers_.reserve(slots.size());  // tensors_ points at them
    for (const TensorSlot& slot : slots) add(*slot.desc);
    if (owned) buffers_[*owned].flags |= kOwnedByDml;
    visitEntry(kDirectMl, descriptor, [this](const auto& entry, const auto& op) {
      desc_ = entry.desc(op, tensors_);
      operator_ = {entry.type, desc_.get()};
    });
  }

  const dml::OperatorDesc* get() const { return &operator_; }

 private:
  void add(const TensorDesc& desc) {
    if (desc.strides && desc.strides->size() != desc.sizes.size()) {
      throw std::invalid_argument("DML_BUFFER_TENSOR_DESC has one count for sizes and strides");
    }
    buffers_.push_back({static_cast<uint32_t>(desc.type), desc.flags,
                        static_cast<UINT>(desc.sizes.size()), desc.sizes.data(),
                        desc.strides ? desc.strides->data() : nullptr, desc.totalBytes,
                        desc.baseOffsetAlignment});
    tensors_.push_back({dml::kTensorTypeBuffer, &buffers_.back()});
  }

  std::vector<dml::BufferTensorDesc> buffers_;
  std::vector<dml::TensorDesc> tensors_;  // point at the buffers
  std::shared_ptr<const void> desc_;      // points at the tensors
  dml::OperatorDesc operator_{};
};

}  // namespace

CreatedOperator createOperator(const DirectMlDevice& device, const Descriptor& descriptor,
                               std::optional<size_t> owned) {
  const Structures structures(descriptor, owned);
  CreatedOperator created{};
  created.result = device.get()->CreateOperator(structures.get(), dml::kOperatorId, &created.op);
  return created;
}

std::shared_ptr<CompiledOperator> compile(const DirectMlDevice& device, dml::Operator* op,
                                          uint32_t executionFlags) {
  auto compiled = std::make_shared<CompiledOperator>(device.d3d12());
  check(device.get()->CompileOperator(op, executionFlags, dml::kCompiledOperatorId, &compiled->dml),
        "IDMLDevice::CompileOperator");
  compiled->dml->GetBindingProperties(&compiled->properties);
  return compiled;
}

Initialization::Initialization(const DirectMlDevice& device)
    : device_(device),
      temporary_(device.d3d12(), D3D12_HEAP_TYPE_DEFAULT, L"temporary of an initializer") {}

void Initialization::run(std::span<CompiledOperator* const> operators,
                         std::span<const dml::BufferBinding> inputs) {
  Device& device = device_.d3d12();
  std::vector<dml::CompiledOperator*> initialised;
  for (const CompiledOperator* compiled : operators) initialised.push_back(compiled->dml.Get());
  const auto count = static_cast<UINT>(initialised.size());
  if (initializer_) {
    check(initializer_->Reset(count, initialised.data()), "IDMLOperatorInitializer::Reset");
  } else {
    check(device_.get()->CreateOperatorInitializer(count, initialised.data(),
                                                   dml::kOperatorInitializerId, &initializer_),
          "IDMLDevice::CreateOperatorInitializer");
  }
  dml::BindingProperties properties{};
  initializer_->GetBindingProperties(&properties);
  const auto heap = device.heap(properties.requiredDescriptorCount);
  const dml::BindingTableDesc desc{initializer_.Get(), heap->cpu(0), heap->gpu(0),
                                   properties.requiredDescriptorCount};
  if (table_) {
    check(table_->Reset(&desc), "IDMLBindingTable::Reset to an initializer");
  } else {
    check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &table_),
          "IDMLDevice::CreateBindingTable of an initializer");
  }

  Recorder recorder(device, L"initializer");
  ID3D12GraphicsCommandList* list = recorder.begin();
  const auto ready = [list](Buffer& buffer, uint64_t bytes) {
    if (bytes == 0) return;
    buffer.reserve(bytes);
    buffer.enter(list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  };
  ready(temporary_, properties.temporaryResourceSize);
  for (CompiledOperator* compiled : operators) {
    ready(compiled->persistent, compiled->properties.persistentResourceSize);
  }
  bind(operators, inputs, properties.temporaryResourceSize);
  ID3D12DescriptorHeap* const heaps[] = {heap->get()};
  list->SetDescriptorHeaps(1, heaps);
  device_.recorder()->RecordDispatch(list, initializer_.Get(), table_.Get());
  device.wait(recorder.submit());
  device_.checkRemoved("execution of an initializer");
}

void Initialization::bind(std::span<CompiledOperator* const> operators,
                          std::span<const dml::BufferBinding> inputs, uint64_t temporaryBytes) {
  const BoundBytes temporary(temporary_.get(), 0, temporaryBytes);
  if (temporaryBytes != 0) table_->BindTemporaryResource(&temporary.get());
  const auto count = static_cast<UINT>(operators.size());
  if (!inputs.empty()) {
    const dml::BufferArrayBinding array{static_cast<UINT>(inputs.size()), inputs.data()};
    const dml::BufferBinding nothing{nullptr, 0, 0};
    const dml::BufferArrayBinding none{1, &nothing};
    std::vector<dml::BindingDesc> descs(operators.size(), {dml::kBindingTypeBufferArray, &none});
    descs.back() = {dml::kBindingTypeBufferArray, &array};
    table_->BindInputs(count, descs.data());
  }
  // An initializer's outputs are its operators' persistent resources.
  BindingList persistent;
  for (const CompiledOperator* compiled : operators) {
    persistent.add(compiled->persistent.get(), 0, compiled->properties.persistentResourceSize);
  }
  table_->BindOutputs(count, persistent.data());
}

}  // namespace dmlcts::gpu
