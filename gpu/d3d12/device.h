#pragma once

#include <cstdint>
#include <string>

#include "gpu/d3d12/kernel_log.h"
#include "gpu/d3d12/platform.h"
#include "gpu/d3d12/queue.h"

namespace dmlcts::gpu {

struct Identity;

// A Direct3D 12 device with the direct queue that we submit to, unless told otherwise.
class Device {
 public:
  // Throws as platform::createDevice does.
  Device(const std::string& adapter, bool debugLayer);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  ID3D12Device* get() const { return device_.Get(); }
  const platform::AdapterFacts& facts() const { return facts_; }

  // Fills in what of a target's identity is the device's: adapter, driver, runtime, and the files
  // of these, of this program, and of `implementation`, a library, unless that is empty.
  void introduce(Identity& identity, const std::string& implementation = {}) const;

  // Waits for the list of that number on the direct queue, or on another. Throws DeviceRemoved when
  // the device is removed meanwhile.
  void wait(uint64_t number) { wait(queue_, number); }
  void wait(Queue& queue, uint64_t number);

  Queue& queue() { return queue_; }

  // Whether it says that it takes bytecode of that model.
  bool reports(D3D_SHADER_MODEL model) const;
  // Whether it says that it has the wave operations of shader model 6.0.
  bool reportsWaves() const;

  // Ticks per second of timestamp queries.
  uint64_t timestampFrequency() const;

  // Throws DeviceRemoved, naming `call` and the reason, if the device is gone.
  void checkRemoved(const char* call) const;

  // What runtime, driver and kernel say about the removal of the device; "" for nothing.
  std::string removalDetails() const;

 private:
  KernelLog kernelLog_;  // begins before the device is created
  platform::AdapterFacts facts_;
  bool debugLayer_;
  ComPtr<ID3D12Device> device_;
  Queue queue_;
  platform::Event event_;
};

// A command allocator and its list, recorded again and again.
class Recorder {
 public:
  Recorder(Device& device, const wchar_t* name) : Recorder(device, device.queue(), name) {}
  Recorder(Device& device, Queue& queue, const wchar_t* name);

  // Begins anew; the last submission must have ended.
  ID3D12GraphicsCommandList* begin();
  // Ends and submits; returns the number that the queue gives the list.
  uint64_t submit();
  // Submits what was submitted last once more.
  uint64_t resubmit() { return queue_.submit(list_.Get()); }

 private:
  Queue& queue_;
  ComPtr<ID3D12CommandAllocator> allocator_;
  ComPtr<ID3D12GraphicsCommandList> list_;
};

}  // namespace dmlcts::gpu
