#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/d3d12/buffer.h"

namespace dmlcts::gpu {

// Pairs of GPU timestamps.
class Timestamps {
 public:
  Timestamps(Device& device, uint32_t pairs);

  void begin(ID3D12GraphicsCommandList* list, uint32_t pair);
  void end(ID3D12GraphicsCommandList* list, uint32_t pair);
  // Records the read-back of all pairs; every one must have been written.
  void resolve(ID3D12GraphicsCommandList* list);

  // Nanoseconds between the two of each pair, once the recorded list has ended.
  std::vector<double> nanoseconds() const;

 private:
  Device& device_;
  uint32_t pairs_;
  ComPtr<ID3D12QueryHeap> heap_;
  Buffer readBack_;
};

// Nanoseconds of `repetitions` of some work, after so many more that the device's clocks are up:
// an idle H200 starts at a sixth of its clock and rises only after 0.2 seconds of work without a
// pause. `measured(n)` submits n repetitions at once and returns their times: of all that it has
// the GPU do, or else (not `allTimed`) of a part.
std::vector<double> settledTimes(uint32_t repetitions,
                                 const std::function<std::vector<double>(uint32_t)>& measured,
                                 bool allTimed = true);

}  // namespace dmlcts::gpu
