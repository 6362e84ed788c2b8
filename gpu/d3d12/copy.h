#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/d3d12/device/device.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// See Target::timeCopy. Reads the destination back once: lost bytes are Status::Failed.
// NotSupported if no view can show that many bytes. Throws as failing calls do. `model` as in
// Pipelines.
CopyTiming timeCopy(Device& device, uint64_t bytes, uint32_t repetitions,
                    std::optional<ShaderModel> model = {});

// Flushes the device's caches, for times as after other work: copies `bytes` (a multiple of 16,
// within one view) between two buffers of its own. Constructors throw as failing calls do.
class CacheEviction {
 public:
  CacheEviction(Device& device, uint64_t bytes, std::optional<ShaderModel> model = {});
  ~CacheEviction();

  // Sets heap, root signature and pipeline. Commands recorded later wait for the copy.
  void record(ID3D12GraphicsCommandList* list);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dmlcts::gpu
