#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/d3d12/device/buffer.h"

namespace dmlcts::gpu {

// Pairs of GPU timestamps.
class Timestamps {
 public:
  Timestamps(Device& device, uint32_t pairs);

  void begin(ID3D12GraphicsCommandList* list, uint32_t pair);
  void end(ID3D12GraphicsCommandList* list, uint32_t pair);
  // Records the read-back of all pairs, all of which must be written.
  void resolve(ID3D12GraphicsCommandList* list);

  // Returns the nanoseconds of each pair, once the recorded list has ended.
  std::vector<double> nanoseconds() const;

 private:
  Device& device_;
  uint32_t pairs_;
  ComPtr<ID3D12QueryHeap> heap_;
  Buffer readBack_;
};

// Says where the times of an execution's stages are written: a pair for each, from `pair` on.
struct StageTimes {
  Timestamps& timestamps;
  uint32_t pair = 0;
};

// Returns the nanoseconds of `repetitions` executions, after a warm-up: an idle H200 starts at a
// sixth of its clock and needs 0.2 seconds of work without a pause. Within a second of the last
// such call, the warm-up is shorter. `measured(n)` submits n repetitions at once and returns their
// times. `allTimed`: those times cover all GPU work; otherwise the host's clock decides when the
// warm-up ends.
std::vector<double> settledTimes(uint32_t repetitions,
                                 const std::function<std::vector<double>(uint32_t)>& measured,
                                 bool allTimed = true);

}  // namespace dmlcts::gpu
