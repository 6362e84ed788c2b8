#define INITGUID
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/platform/platform.h"
#include "gpu/d3d12/platform/vkd3d_adapter.h"

namespace dmlcts::gpu::platform {

namespace {

// Our own event, because libvkd3d 1.2's cannot wait with a timeout.
struct EventState {
  std::mutex mutex;
  std::condition_variable changed;
  bool signalled = false;
};

int32_t signal(void* handle) {
  auto& event = *static_cast<EventState*>(handle);
  // Notifies under the lock: the waiter may destroy the event once it sees the signal.
  const std::lock_guard lock(event.mutex);
  event.signalled = true;
  event.changed.notify_one();
  return 0;
}

}  // namespace

ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer,
                                  AdapterFacts& facts) {
  if (debugLayer) {
    throw std::runtime_error(
        "libvkd3d has no Direct3D 12 debug layer; Vulkan's validation layers are chosen through "
        "the environment: VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation");
  }
  const vkd3d::Created created = vkd3d::createDevice(adapter, signal);
  check(created.result, created.call);
  facts.adapter = created.adapter;
  facts.index = created.index;
  facts.count = created.count;
  facts.runtime = vkd3d::version();
  facts.maxViewTexels = created.maxViewTexels;
  facts.driverFile = created.driverFile;
  ComPtr<ID3D12Device> device;
  device.Attach(static_cast<ID3D12Device*>(created.device));
  return device;
}

void printDebugMessages(ID3D12Device*) {}

std::string removalDetails(ID3D12Device* device) { return vkd3d::vulkanError(device); }

HRESULT serializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC& desc, ID3DBlob** blob,
                               ID3DBlob** messages) {
  return D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, messages);
}

Event::Event() : handle_(new EventState) {}

Event::~Event() { delete static_cast<EventState*>(handle_); }

bool Event::wait(uint32_t milliseconds) const {
  auto& event = *static_cast<EventState*>(handle_);
  std::unique_lock lock(event.mutex);
  const bool signalled = event.changed.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                                [&] { return event.signalled; });
  event.signalled = false;
  return signalled;
}

}  // namespace dmlcts::gpu::platform

namespace dmlcts::gpu {

std::vector<Adapter> adapters() {
  const vkd3d::Listed listed = vkd3d::adapters();
  check(listed.result, listed.call);
  return listed.adapters;
}

}  // namespace dmlcts::gpu
