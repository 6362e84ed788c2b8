#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "gpu/d3d12/platform.h"

namespace dmlcts::gpu {

// A queue and the fences that tell how far it is. Each fence has one signal under way at a time:
// libvkd3d 1.2, which notices signals in two threads, may set a fence of two back to the first.
class Queue {
 public:
  Queue(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, const wchar_t* name);

  ID3D12CommandQueue* get() const { return queue_.Get(); }
  D3D12_COMMAND_LIST_TYPE type() const { return type_; }

  // Queues a closed list and returns its number, counted from 1.
  uint64_t submit(ID3D12CommandList* list);

  // Whether the list of that number has ended, and all before it.
  bool passed(uint64_t number);
  // Has the event set when the list of that number ends, which it had not.
  void setEvent(uint64_t number, const platform::Event& event) const;

 private:
  struct Signal {
    uint64_t number;  // of the list, and the fence's value after it
    ComPtr<ID3D12Fence> fence;
  };

  D3D12_COMMAND_LIST_TYPE type_;
  ComPtr<ID3D12CommandQueue> queue_;
  std::deque<Signal> underWay_;
  std::vector<ComPtr<ID3D12Fence>> free_;
  uint64_t submitted_ = 0;
};

}  // namespace dmlcts::gpu
