#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "gpu/d3d12/platform/platform.h"

namespace dmlcts::gpu {

// A queue and the fences that track its progress. Each fence has one pending signal at a time:
// libvkd3d 1.2 handles signals in two threads and may reset a fence to an older value.
class Queue {
 public:
  Queue(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, const wchar_t* name);

  ID3D12CommandQueue* get() const { return queue_.Get(); }
  D3D12_COMMAND_LIST_TYPE type() const { return type_; }

  // Queues a closed list and returns its number, counted from 1.
  uint64_t submit(ID3D12CommandList* list);

  // True if the list of that number and all before it have ended.
  bool passed(uint64_t number);
  // Signals the event when the list of that number ends. The list must not have passed().
  void setEvent(uint64_t number, const platform::Event& event) const;

 private:
  struct Signal {
    uint64_t number;  // of the list; the fence's value after it
    ComPtr<ID3D12Fence> fence;
  };

  D3D12_COMMAND_LIST_TYPE type_;
  ComPtr<ID3D12CommandQueue> queue_;
  std::deque<Signal> underWay_;
  std::vector<ComPtr<ID3D12Fence>> free_;
  uint64_t submitted_ = 0;
};

}  // namespace dmlcts::gpu
