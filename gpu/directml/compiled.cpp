#include "gpu/directml/compiled.h"

#include <algorithm>
#include <stdexcept>

#include "gpu/d3d12/error.h"
#include "gpu/d3d12/views.h"
#include "gpu/directml/operators.h"

namespace dmlcts::gpu {

namespace {

constexpr size_t kKept = 256;

// DirectML's structures for a descriptor, which must outlive them.
class Structures {
 public:
  explicit Structures(const Descriptor& descriptor) {
    const std::vector<TensorSlot> slots = tensors(descriptor);
    buffers_.reserve(slots.size());  // they are pointed at
    for (const TensorSlot& slot : slots) add(*slot.desc);
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

CreatedOperator createOperator(const DirectMlDevice& device, const Descriptor& descriptor) {
  const Structures structures(descriptor);
  CreatedOperator created{};
  created.result = device.get()->CreateOperator(structures.get(), dml::kOperatorId, &created.op);
  return created;
}

OperatorCache::OperatorCache(const DirectMlDevice& device, uint32_t executionFlags)
    : device_(device), executionFlags_(executionFlags) {}

std::shared_ptr<CompiledOperator> OperatorCache::find(const Descriptor& descriptor) {
  const auto at = std::find_if(kept_.begin(), kept_.end(), [&](const auto& compiled) {
    return compiled->descriptor == descriptor;
  });
  if (at == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, at);
  return kept_.front();
}

std::shared_ptr<CompiledOperator> OperatorCache::compile(const Descriptor& descriptor,
                                                         dml::Operator* op) {
  auto compiled = std::make_shared<CompiledOperator>(device_.d3d12());
  compiled->descriptor = descriptor;
  check(
      device_.get()->CompileOperator(op, executionFlags_, dml::kCompiledOperatorId, &compiled->dml),
      "IDMLDevice::CompileOperator");
  compiled->dml->GetBindingProperties(&compiled->properties);
  initialise(*compiled);
  kept_.push_front(compiled);
  if (kept_.size() > kKept) kept_.pop_back();
  return compiled;
}

void OperatorCache::initialise(CompiledOperator& compiled) {
  Device& device = device_.d3d12();
  ComPtr<dml::OperatorInitializer> initializer;
  dml::CompiledOperator* const operators[] = {compiled.dml.Get()};
  check(device_.get()->CreateOperatorInitializer(1, operators, dml::kOperatorInitializerId,
                                                 &initializer),
        "IDMLDevice::CreateOperatorInitializer");
  dml::BindingProperties properties{};
  initializer->GetBindingProperties(&properties);

  DescriptorHeap heap(device, std::max(properties.requiredDescriptorCount, 1u), true,
                      L"initializer");
  const dml::BindingTableDesc desc{initializer.Get(), heap.cpu(0), heap.gpu(0),
                                   properties.requiredDescriptorCount};
  ComPtr<dml::BindingTable> table;
  check(device_.get()->CreateBindingTable(&desc, dml::kBindingTableId, &table),
        "IDMLDevice::CreateBindingTable of an initializer");

  Recorder recorder(device, L"initializer");
  ID3D12GraphicsCommandList* list = recorder.begin();
  Buffer temporary(device, D3D12_HEAP_TYPE_DEFAULT, L"temporary of an initializer");
  const auto ready = [list](Buffer& buffer, uint64_t bytes) {
    if (bytes == 0) return;
    buffer.reserve(bytes);
    D3D12_RESOURCE_BARRIER barrier;
    if (buffer.transition(D3D12_RESOURCE_STATE_UNORDERED_ACCESS, barrier)) {
      list->ResourceBarrier(1, &barrier);
    }
  };
  ready(temporary, properties.temporaryResourceSize);
  ready(compiled.persistent, compiled.properties.persistentResourceSize);
  const BoundBytes bytes(temporary.get(), 0, properties.temporaryResourceSize);
  if (properties.temporaryResourceSize != 0) table->BindTemporaryResource(&bytes.get());
  // An initializer's outputs are the persistent resources of its operators.
  const BoundBytes persistent(compiled.persistent.get(), 0,
                              compiled.properties.persistentResourceSize);
  table->BindOutputs(1, &persistent.get());
  ID3D12DescriptorHeap* const heaps[] = {heap.get()};
  list->SetDescriptorHeaps(1, heaps);
  device_.recorder()->RecordDispatch(list, initializer.Get(), table.Get());
  device.wait(recorder.submit());
  device_.checkRemoved("execution of an initializer");
}

}  // namespace dmlcts::gpu
