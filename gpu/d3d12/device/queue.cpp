#include "gpu/d3d12/device/queue.h"

#include <algorithm>

#include "gpu/d3d12/device/error.h"

namespace dmlcts::gpu {

Queue::Queue(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, const wchar_t* name)
    : type_(type) {
  D3D12_COMMAND_QUEUE_DESC desc{};
  desc.Type = type;
  check(device->CreateCommandQueue(&desc, uuidof<ID3D12CommandQueue>(), &queue_),
        "ID3D12Device::CreateCommandQueue");
  queue_->SetName(name);
}

uint64_t Queue::submit(ID3D12CommandList* list) {
  if (free_.empty()) {
    ComPtr<ID3D12Device> device;
    check(queue_->GetDevice(uuidof<ID3D12Device>(), &device), "ID3D12CommandQueue::GetDevice");
    ComPtr<ID3D12Fence> fence;
    check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, uuidof<ID3D12Fence>(), &fence),
          "ID3D12Device::CreateFence");
    free_.push_back(std::move(fence));
  }
  queue_->ExecuteCommandLists(1, &list);
  check(queue_->Signal(free_.back().Get(), submitted_ + 1), "ID3D12CommandQueue::Signal");
  underWay_.push_back({++submitted_, std::move(free_.back())});
  free_.pop_back();
  return submitted_;
}

bool Queue::passed(uint64_t number) {
  while (!underWay_.empty()) {
    Signal& first = underWay_.front();
    if (first.fence->GetCompletedValue() < first.number) break;
    free_.push_back(std::move(first.fence));
    underWay_.pop_front();
  }
  return underWay_.empty() || underWay_.front().number > number;
}

void Queue::setEvent(uint64_t number, const platform::Event& event) const {
  const auto signal = std::ranges::find(underWay_, number, &Signal::number);
  check(signal->fence->SetEventOnCompletion(number, event.handle()),
        "ID3D12Fence::SetEventOnCompletion");
}

}  // namespace dmlcts::gpu
