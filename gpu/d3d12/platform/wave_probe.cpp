#include "gpu/d3d12/platform/wave_probe.h"

#include <fmt/format.h>

#include <cstring>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/pipelines.h"

namespace dmlcts::gpu {

namespace {

// Direct3D 12's limits of WaveLaneCountMin and WaveLaneCountMax.
constexpr uint32_t kLeastLanes = 4;
constexpr uint32_t kMostLanes = 128;

}  // namespace

std::vector<uint32_t> probeValues(uint32_t groupThreads) {
  std::vector<uint32_t> values;
  uint32_t state = 1;
  for (uint32_t i = 0; i < groupThreads; ++i) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    values.push_back(state >> 12);
  }
  return values;
}

std::string checkWaveAnswers(std::span<const uint32_t> values,
                             std::span<const ProbedThread> threads, bool waves) {
  uint32_t total = 0;
  for (uint32_t value : values) total += value;
  uint32_t before = 0;
  uint32_t wave = 0;  // its first thread
  for (uint32_t i = 0; i < values.size(); ++i) {
    const ProbedThread& thread = threads[i];
    if (i == wave + threads[wave].lanes) wave = i;
    const uint32_t lanes = threads[wave].lanes;
    if (waves ? lanes < kLeastLanes || lanes > kMostLanes || lanes % kLeastLanes != 0
              : lanes != 1) {
      return fmt::format("thread {} says that its wave has {} lanes", i, thread.lanes);
    }
    if (thread.lanes != lanes || thread.lane != i - wave) {
      return fmt::format("thread {} is lane {} of {} and not lane {} of {}", i, thread.lane,
                         thread.lanes, i - wave, lanes);
    }
    if (thread.before != before || thread.total != total) {
      return fmt::format("thread {} has the sums {} and {}, not {} and {}, in waves of {} lanes", i,
                         thread.before, thread.total, before, total, lanes);
    }
    before += values[i];
  }
  return "";
}

WaveProbe probeWaves(Device& device, Pipelines& pipelines, uint32_t groupThreads, bool waves) {
  ID3D12PipelineState* pipeline = pipelines.get(Shader::WaveProbe);
  const std::vector<uint32_t> values = probeValues(groupThreads);
  std::vector<ProbedThread> threads(groupThreads);
  const uint64_t inputBytes = values.size() * sizeof values[0];
  const uint64_t outputBytes = threads.size() * sizeof threads[0];

  // The probe has no constants, but the root signature needs a view of some.
  Buffer staging(device, D3D12_HEAP_TYPE_UPLOAD, L"wave probe staging");
  Buffer input(device, D3D12_HEAP_TYPE_DEFAULT, L"wave probe input");
  Buffer output(device, D3D12_HEAP_TYPE_DEFAULT, L"wave probe output");
  Buffer readBack(device, D3D12_HEAP_TYPE_READBACK, L"wave probe read-back");
  staging.reserve(inputBytes + outputBytes);
  input.reserve(kConstantsViewBytes);
  output.reserve(outputBytes);
  readBack.reserve(outputBytes);
  std::memcpy(staging.data(), values.data(), inputBytes);
  std::memset(staging.data() + inputBytes, 0, outputBytes);  // marks missing answers
  DescriptorHeap heap(device, Pipelines::kTableSize, true, L"wave probe views");
  writeConstantsView(device, heap.cpu(0), input.get(), 0);
  for (uint32_t i = 0; i < kRegisters; ++i) {
    const auto where = static_cast<Register>(i);
    const bool reads = where < Register::OutTexels;
    writeView(device, heap.cpu(1 + i), where, reads ? input.get() : output.get(), 0,
              reads ? inputBytes : outputBytes);
  }

  Recorder recorder(device, L"wave probe");
  ID3D12GraphicsCommandList* list = recorder.begin();
  input.enter(list, D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(input.get(), 0, staging.get(), 0, inputBytes);
  output.enter(list, D3D12_RESOURCE_STATE_COPY_DEST);
  list->CopyBufferRegion(output.get(), 0, staging.get(), inputBytes, outputBytes);
  input.enter(list, kShaderReadable);
  output.enter(list, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
  ID3D12DescriptorHeap* heaps = heap.get();
  list->SetDescriptorHeaps(1, &heaps);
  list->SetComputeRootSignature(pipelines.rootSignature());
  list->SetPipelineState(pipeline);
  list->SetComputeRootDescriptorTable(Pipelines::kTable, heap.gpu(0));
  list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, 0, 0);
  list->Dispatch(1, 1, 1);
  output.enter(list, D3D12_RESOURCE_STATE_COPY_SOURCE);
  list->CopyBufferRegion(readBack.get(), 0, output.get(), 0, outputBytes);
  device.wait(recorder.submit());

  std::memcpy(threads.data(), readBack.data(), outputBytes);
  return {checkWaveAnswers(values, threads, waves), threads[0].lanes};
}

}  // namespace dmlcts::gpu
