#include "gpu/d3d12/queue.h"

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

Queue::Queue(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type, const wchar_t* name)
    : type_(type) {
  D3D12_COMMAND_QUEUE_DESC desc{};
  desc.Type = type;
  check(device->CreateCommandQueue(&desc, uuidof<ID3D12CommandQueue>(), &queue_),
        "ID3D12Device::CreateCommandQueue");
  queue_->SetName(name);
  check(device->CreateFence(0, D3D12_FENCE_FLAG_NONE, uuidof<ID3D12Fence>(), &fence_),
        "ID3D12Device::CreateFence");
  fence_->SetName(name);
}

uint64_t Queue::submit(ID3D12CommandList* list) {
  queue_->ExecuteCommandLists(1, &list);
  ++submitted_;
  check(queue_->Signal(fence_.Get(), submitted_), "ID3D12CommandQueue::Signal");
  return submitted_;
}

void Queue::setEvent(uint64_t fenceValue, const platform::Event& event) const {
  check(fence_->SetEventOnCompletion(fenceValue, event.handle()),
        "ID3D12Fence::SetEventOnCompletion");
}

}  // namespace dmlcts::gpu
