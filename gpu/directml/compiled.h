#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/directml/library.h"
#include "reference/descriptor.h"

namespace dmlcts::gpu {

// The result of IDMLDevice::CreateOperator.
struct CreatedOperator {
  HRESULT result;
  ComPtr<dml::Operator> op;
};

// Passes the descriptor to DirectML unchanged, even an invalid one. Only tensor number `owned`, if
// any, gets OWNED_BY_DML. Throws std::invalid_argument if DirectML's structures cannot express it.
CreatedOperator createOperator(const DirectMlDevice& device, const Descriptor& descriptor,
                               std::optional<size_t> owned = std::nullopt);

struct CompiledOperator {
  CompiledOperator(Device& device) : persistent(device, D3D12_HEAP_TYPE_DEFAULT, L"persistent") {}

  ComPtr<dml::CompiledOperator> dml;
  dml::BindingProperties properties{};
  Buffer persistent;  // properties.persistentResourceSize bytes, initialised
};

// An initializer, its binding table and their resources. run() reuses both with Reset.
class Initialization {
 public:
  explicit Initialization(const DirectMlDevice& device);

  // Creates the operators' persistent resources, initialises all of them in one dispatch, and
  // waits. `inputs` has one binding per input of the last operator: none where the input is bound
  // at execution. An empty `inputs` binds nothing. Throws D3D12Error or DeviceRemoved.
  void run(std::span<CompiledOperator* const> operators,
           std::span<const dml::BufferBinding> inputs = {});

 private:
  void bind(std::span<CompiledOperator* const> operators,
            std::span<const dml::BufferBinding> inputs, uint64_t temporaryBytes);

  const DirectMlDevice& device_;
  ComPtr<dml::OperatorInitializer> initializer_;
  ComPtr<dml::BindingTable> table_;
  Buffer temporary_;
};

// Throws D3D12Error.
std::shared_ptr<CompiledOperator> compile(const DirectMlDevice& device, dml::Operator* op,
                                          uint32_t executionFlags = dml::kExecutionFlagNone);

// Bytes [offset, offset + bytes) of a buffer, as DirectML binds them; an empty binding if bytes is
// 0.
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

// A list of bindings in DirectML's layout.
class BindingList {
 public:
  void add(ID3D12Resource* buffer, uint64_t offset, uint64_t bytes) {
    descs_.push_back(bytes_.emplace_back(buffer, offset, bytes).get());
  }
  uint32_t size() const { return static_cast<uint32_t>(descs_.size()); }
  const dml::BindingDesc* data() const { return descs_.data(); }

 private:
  std::deque<BoundBytes> bytes_;  // a deque: descs_ points into them
  std::vector<dml::BindingDesc> descs_;
};

}  // namespace dmlcts::gpu
