#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/d3d12/device.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// See Target::timeCopy. The destination is read back once: a copy that lost bytes is
// Status::Failed. NotSupported where one view cannot show that many bytes. Throws what a failing
// call throws. `model` as Pipelines has it.
CopyTiming timeCopy(Device& device, uint64_t bytes, uint32_t repetitions,
                    std::optional<ShaderModel> model = {});

// Empties the device's caches of what a request uses, for times as after other work: copies
// `bytes`, a multiple of 16 that one view can show, between two buffers of its own. Constructors
// throw what a failing call throws.
class CacheEviction {
 public:
  CacheEviction(Device& device, uint64_t bytes, std::optional<ShaderModel> model = {});
  ~CacheEviction();

  // Sets heap, root signature and pipeline; what is recorded later waits for it.
  void record(ID3D12GraphicsCommandList* list);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dmlcts::gpu
