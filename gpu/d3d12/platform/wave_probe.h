#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/d3d12/device/device.h"

namespace dmlcts::gpu {

class Pipelines;

// The answer of one thread of wave_probe.hlsl.
struct ProbedThread {
  uint32_t before = 0;  // sum of the values of the threads before it
  uint32_t total = 0;   // of all threads
  uint32_t lane = 0;    // its place in its wave
  uint32_t lanes = 0;   // threads of its wave
};

// Returns one value per thread of a group, to be summed: no two sums of neighbours are equal.
std::vector<uint32_t> probeValues(uint32_t groupThreads);

// Checks the answers of a group with these values; returns the first error or "". Without `waves`
// each thread must be its own wave.
std::string checkWaveAnswers(std::span<const uint32_t> values,
                             std::span<const ProbedThread> threads, bool waves);

struct WaveProbe {
  std::string wrong;   // the first error; "" if there is none
  uint32_t lanes = 0;  // of the first wave
};

// Executes wave_probe.hlsl of `pipelines` once, in a group of this size. Throws as Pipelines::get()
// does, and DeviceRemoved.
WaveProbe probeWaves(Device& device, Pipelines& pipelines, uint32_t groupThreads, bool waves);

}  // namespace dmlcts::gpu
