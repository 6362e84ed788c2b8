#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/d3d12/device/queue.h"
#include "gpu/d3d12/platform/platform.h"

namespace dmlcts::gpu {

class DescriptorHeap;
struct Identity;

// A Direct3D 12 device with a direct queue, the default for submissions.
class Device {
 public:
  // Throws as platform::createDevice does.
  Device(const std::string& adapter, bool debugLayer);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  ID3D12Device* get() const { return device_.Get(); }
  const platform::AdapterFacts& facts() const { return facts_; }

  // Fills in the device's part of a target's identity: adapter, driver, runtime, and their files.
  // Adds the files of this program and, unless empty, of the library `implementation`.
  void introduce(Identity& identity, const std::string& implementation = {}) const;

  // Waits for the list of that number, by default on the direct queue. Throws DeviceRemoved if the
  // device is removed meanwhile.
  void wait(uint64_t number) { wait(queue_, number); }
  void wait(Queue& queue, uint64_t number);

  Queue& queue() { return queue_; }

  // Returns a heap of at least that many descriptors, visible to shaders. Keeps it for the next
  // caller, once this one has released it: a new one costs Wine 512 MB and tens of milliseconds.
  // Throws std::length_error if a heap cannot have so many.
  std::shared_ptr<DescriptorHeap> heap(uint64_t descriptors);

  // True if the device reports support for bytecode of that model.
  bool reports(D3D_SHADER_MODEL model) const;
  // True if the device reports the wave operations of shader model 6.0.
  bool reportsWaves() const;
  // Returns the threads per wave as the device reports them: "32", or "16 to 32".
  std::string waveLanes() const;

  // Returns the ticks per second of timestamp queries.
  uint64_t timestampFrequency() const;

  // Throws DeviceRemoved, naming `call` and the reason, if the device is gone.
  void checkRemoved(const char* call) const;

 private:
  D3D12_FEATURE_DATA_D3D12_OPTIONS1 waveOptions() const;

  platform::AdapterFacts facts_;
  bool debugLayer_;
  ComPtr<ID3D12Device> device_;
  Queue queue_;
  platform::Event event_;
  std::vector<std::shared_ptr<DescriptorHeap>> heaps_;
};

// A command allocator and its list, for repeated recording.
class Recorder {
 public:
  Recorder(Device& device, const wchar_t* name) : Recorder(device, device.queue(), name) {}
  Recorder(Device& device, Queue& queue, const wchar_t* name);

  // Begins a new list; the last submission must have ended.
  ID3D12GraphicsCommandList* begin();
  // Closes and submits the list; returns its number on the queue.
  uint64_t submit();
  // Submits the last list again.
  uint64_t resubmit() { return queue_.submit(list_.Get()); }

 private:
  Queue& queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
};

}  // namespace dmlcts::gpu
