#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/d3d12/device.h"

namespace dmlcts::gpu {

class Pipelines;

// What a thread of wave_probe.hlsl answers.
struct ProbedThread {
  uint32_t before = 0;  // sum of the values of the threads before it
  uint32_t total = 0;   // of all threads
  uint32_t lane = 0;    // its place in its wave
  uint32_t lanes = 0;   // threads of its wave
};

// One for each thread of a group, to be added up: no two sums of neighbours are the same.
std::vector<uint32_t> probeValues(uint32_t groupThreads);

// What the threads of a group that were given these values answered wrong; "" for nothing. Without
// `waves` each thread must be its own.
std::string wrongOfWaves(std::span<const uint32_t> values, std::span<const ProbedThread> threads,
                         bool waves);

struct WaveProbe {
  std::string wrong;   // "" if all is as it must be
  uint32_t lanes = 0;  // of the first wave
};

// Executes wave_probe.hlsl once, of `pipelines`, in a group of so many threads. Throws as
// Pipelines::get() does and DeviceRemoved.
WaveProbe probeWaves(Device& device, Pipelines& pipelines, uint32_t groupThreads, bool waves);

}  // namespace dmlcts::gpu
