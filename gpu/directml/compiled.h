#pragma once

#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/d3d12/views.h"
#include "gpu/directml/library.h"
#include "reference/descriptor.h"

namespace dmlcts::gpu {

// An operator made from a descriptor: IDMLDevice::CreateOperator takes it, or says why not.
struct CreatedOperator {
  HRESULT result;
  ComPtr<dml::Operator> op;
};

// Hands the descriptor to DirectML as it is, also one that it must not accept, but for the tensor
// number `owned`, if any, which gets OWNED_BY_DML. Throws std::invalid_argument for what DirectML's
// structures cannot express.
CreatedOperator createOperator(const DirectMlDevice& device, const Descriptor& descriptor,
                               std::optional<size_t> owned = std::nullopt);

// An operator that can be dispatched.
struct CompiledOperator {
  CompiledOperator(Device& device) : persistent(device, D3D12_HEAP_TYPE_DEFAULT, L"persistent") {}

  Descriptor descriptor;
  ComPtr<dml::CompiledOperator> dml;
  dml::BindingProperties properties{};
  Buffer persistent;  // of properties.persistentResourceSize bytes, initialised
};

// An initializer with its binding table, and what both use. run() again takes the same initializer
// and the same table, by Reset.
class Initialization {
 public:
  explicit Initialization(const DirectMlDevice& device);

  // Makes the operators' persistent resources and initialises all of them in one dispatch; waits
  // for its end. `inputs` is what the last of them has bound at initialization, in the order of its
  // inputs, and nothing where an input is bound at execution; empty for none. Throws D3D12Error or
  // DeviceRemoved.
  void run(std::span<CompiledOperator* const> operators,
           std::span<const dml::BufferBinding> inputs = {});

 private:
  void bind(std::span<CompiledOperator* const> operators,
            std::span<const dml::BufferBinding> inputs, uint64_t temporaryBytes);

  const DirectMlDevice& device_;
  ComPtr<dml::OperatorInitializer> initializer_;
  ComPtr<dml::BindingTable> table_;
  std::unique_ptr<DescriptorHeap> heap_;
  Buffer temporary_;
};

// Throws D3D12Error.
std::shared_ptr<CompiledOperator> compile(const DirectMlDevice& device, dml::Operator* op,
                                          uint32_t executionFlags = dml::kExecutionFlagNone);

// Compiles and initialises operators, and keeps the last ones: compilation is most of a case's
// time.
class OperatorCache {
 public:
  explicit OperatorCache(const DirectMlDevice& device) : device_(device) {}

  // The kept one, or null.
  std::shared_ptr<CompiledOperator> find(const Descriptor& descriptor);

  // Throws D3D12Error or DeviceRemoved.
  std::shared_ptr<CompiledOperator> compile(const Descriptor& descriptor, dml::Operator* op);

 private:
  const DirectMlDevice& device_;
  std::list<std::shared_ptr<CompiledOperator>> kept_;  // used last first
};

// Bytes [offset, offset + bytes) of a buffer, as DirectML binds them; none where bytes is 0.
class BoundBytes {
 public:
  BoundBytes(ID3D12Resource* buffer, uint64_t offset, uint64_t bytes)
      : buffer_{buffer, offset, bytes},
        desc_{bytes == 0 ? dml::kBindingTypeNone : dml::kBindingTypeBuffer,
              bytes == 0 ? nullptr : &buffer_} {}
  BoundBytes(const BoundBytes&) = delete;
  BoundBytes& operator=(const BoundBytes&) = delete;

  const dml::BindingDesc& get() const { return desc_; }

 private:
  dml::BufferBinding buffer_;
  dml::BindingDesc desc_;  // points at buffer_
};

// Bindings side by side, as DirectML takes them.
class BindingList {
 public:
  void add(ID3D12Resource* buffer, uint64_t offset, uint64_t bytes) {
    descs_.push_back(bytes_.emplace_back(buffer, offset, bytes).get());
  }
  uint32_t size() const { return static_cast<uint32_t>(descs_.size()); }
  const dml::BindingDesc* data() const { return descs_.data(); }

 private:
  std::deque<BoundBytes> bytes_;  // stay where they are: the descriptions point at them
  std::vector<dml::BindingDesc> descs_;
};

}  // namespace dmlcts::gpu
