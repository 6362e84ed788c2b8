#include "gpu/d3d12/device/device.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <stdexcept>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/identity/loaded_files.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

namespace {

constexpr uint32_t kWaitSlice = 1000;          // ms between checks for removal
constexpr uint32_t kFewestDescriptors = 1024;  // of a heap
constexpr uint32_t kMostDescriptors = 1000000;

}  // namespace

Device::Device(const std::string& adapter, bool debugLayer)
    : debugLayer_(debugLayer),
      device_(platform::createDevice(adapter, debugLayer, facts_)),
      queue_(device_.Get(), D3D12_COMMAND_LIST_TYPE_DIRECT, L"dmlcts queue") {
  device_->SetName(L"dmlcts device");
}

Device::~Device() {
  if (debugLayer_) platform::printDebugMessages(device_.Get());
}

void Device::introduce(Identity& identity, const std::string& implementation) const {
  identity.adapter = facts_.adapter.name;
  identity.vendorId = facts_.adapter.vendorId;
  identity.deviceId = facts_.adapter.deviceId;
  identity.driver = facts_.adapter.driver;
  identity.runtime = facts_.runtime;
  identity.limits["adapter index"] =
      std::to_string(facts_.index) + " of " + std::to_string(facts_.count);
  if (!facts_.adapter.id.empty()) identity.limits["adapter id"] = facts_.adapter.id;
  if (debugLayer_) identity.limits["debug layer"] = "on";
  if (facts_.extendedData) identity.limits["device removed extended data"] = "on";
  std::vector<std::filesystem::path> files;
  for (const std::string& file : {implementation, facts_.driverFile}) {
    if (!file.empty()) files.emplace_back(std::u8string(file.begin(), file.end()));
  }
  identity.files = implementationFiles(files);
}

void Device::wait(Queue& queue, uint64_t number) {
  if (!queue.passed(number)) {
    queue.setEvent(number, event_);
    while (!event_.wait(kWaitSlice)) checkRemoved("ID3D12Fence::SetEventOnCompletion");
  }
  if (debugLayer_) platform::printDebugMessages(device_.Get());
  checkRemoved("ID3D12CommandQueue::ExecuteCommandLists");
}

std::shared_ptr<DescriptorHeap> Device::heap(uint64_t descriptors) {
  if (descriptors > kMostDescriptors) {
    throw std::length_error("more passes than a descriptor heap can serve");
  }
  const auto unused = std::ranges::find_if(heaps_, [&](const auto& heap) {
    return heap.use_count() == 1 && heap->capacity() >= descriptors;
  });
  if (unused != heaps_.end()) return *unused;
  const auto least = std::max(static_cast<uint32_t>(descriptors), kFewestDescriptors);
  const uint32_t capacity = std::min(std::bit_ceil(least), kMostDescriptors);
  return heaps_.emplace_back(std::make_shared<DescriptorHeap>(*this, capacity, true, L"views"));
}

void Device::checkRemoved(const char* call) const {
  const HRESULT reason = device_->GetDeviceRemovedReason();
  if (FAILED(reason)) throw DeviceRemoved(call, reason);
}

bool Device::reports(D3D_SHADER_MODEL model) const {
  // CheckFeatureSupport fails for a model that the runtime does not know.
  D3D12_FEATURE_DATA_SHADER_MODEL highest{model};
  return SUCCEEDED(
             device_->CheckFeatureSupport(D3D12_FEATURE_SHADER_MODEL, &highest, sizeof highest)) &&
         highest.HighestShaderModel >= model;
}

bool Device::reportsWaves() const { return waveOptions().WaveOps; }

std::string Device::waveLanes() const {
  const D3D12_FEATURE_DATA_D3D12_OPTIONS1 options = waveOptions();
  std::string lanes = std::to_string(options.WaveLaneCountMin);
  if (options.WaveLaneCountMax > options.WaveLaneCountMin) {
    lanes += " to " + std::to_string(options.WaveLaneCountMax);
  }
  return lanes;
}

// Returns zeros for a runtime that does not know these options.
D3D12_FEATURE_DATA_D3D12_OPTIONS1 Device::waveOptions() const {
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 options{};
  const HRESULT result =
      device_->CheckFeatureSupport(D3D12_FEATURE_D3D12_OPTIONS1, &options, sizeof options);
  return SUCCEEDED(result) ? options : D3D12_FEATURE_DATA_D3D12_OPTIONS1{};
}

uint64_t Device::timestampFrequency() const {
  UINT64 frequency = 0;
  check(queue_.get()->GetTimestampFrequency(&frequency),
        "ID3D12CommandQueue::GetTimestampFrequency");
  return frequency;
}

Recorder::Recorder(Device& device, Queue& queue, const wchar_t* name) : queue_(queue) {
  const D3D12_COMMAND_LIST_TYPE type = queue.type();
  check(device.get()->CreateCommandAllocator(type, uuidof<ID3D12CommandAllocator>(), &allocator_),
        "ID3D12Device::CreateCommandAllocator");
  check(device.get()->CreateCommandList(0, type, allocator_.Get(), nullptr,
                                        uuidof<ID3D12GraphicsCommandList>(), &list_),
        "ID3D12Device::CreateCommandList");
  allocator_->SetName(name);
  list_->SetName(name);
  check(list_->Close(), "ID3D12GraphicsCommandList::Close");
}

ID3D12GraphicsCommandList* Recorder::begin() {
  check(allocator_->Reset(), "ID3D12CommandAllocator::Reset");
  check(list_->Reset(allocator_.Get(), nullptr), "ID3D12GraphicsCommandList::Reset");
  return list_.Get();
}

uint64_t Recorder::submit() {
  check(list_->Close(), "ID3D12GraphicsCommandList::Close");
  return queue_.submit(list_.Get());
}

}  // namespace dmlcts::gpu
