#pragma once

#include <cstdint>

#include "gpu/d3d12/platform.h"

namespace dmlcts::gpu {

// A queue and the fence that tells how far it is.
class Queue {
 public:
  Queue(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, const wchar_t* name);

  ID3D12CommandQueue* get() const { return queue_.Get(); }
  D3D12_COMMAND_LIST_TYPE type() const { return type_; }

  // Queues a closed list and returns the fence value that its end will signal.
  uint64_t submit(ID3D12CommandList* list);

  // Whether it has signalled that value.
  bool passed(uint64_t fenceValue) const { return fence_->GetCompletedValue() >= fenceValue; }
  void setEvent(uint64_t fenceValue, const platform::Event& event) const;

 private:
  D3D12_COMMAND_LIST_TYPE type_;
  ComPtr<ID3D12CommandQueue> queue_;
  ComPtr<ID3D12Fence> fence_;
  uint64_t submitted_ = 0;
};

}  // namespace dmlcts::gpu
