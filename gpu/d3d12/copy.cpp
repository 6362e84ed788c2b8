#include "gpu/d3d12/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/operators/plan.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {

namespace {

using namespace constants;

// The source repeats this pattern; a short one needs little host memory. Its length has few factors
// of 2, so that data shifted by a power of 2 shows.
constexpr uint64_t kPatternBytes = 16 * 4093;
constexpr uint64_t kConstantBytes = kConstantsViewBytes;
constexpr uint32_t kNothingAt = 16;  // row of the constants that make a kernel store nothing

enum class By : uint8_t {
  Kernel,
  Region,    // CopyBufferRegion
  Dispatch,  // an empty dispatch after a copy, so with flushed caches
};

class Copier {
 public:
  Copier(Device& device, uint64_t bytes, std::optional<ShaderModel> model)
      : device_(device),
        pipelines_(device, model),
        bytes_(bytes),
        recorder_(device, L"copies"),
        staging_(device, D3D12_HEAP_TYPE_UPLOAD, L"copy staging"),
        constants_(device, D3D12_HEAP_TYPE_DEFAULT, L"copy constants"),
        source_(device, D3D12_HEAP_TYPE_DEFAULT, L"copy source"),
        target_(device, D3D12_HEAP_TYPE_DEFAULT, L"copy target"),
        readBack_(device, D3D12_HEAP_TYPE_READBACK, L"copy read-back"),
        heap_(device, Pipelines::kTableSize, true, L"copy views") {
    source_.reserve(bytes);
    target_.reserve(bytes);
    constants_.reserve(kConstantBytes);
    staging_.reserve(kConstantBytes + 2 * kPatternBytes);
    readBack_.reserve(std::min(bytes, kPatternBytes));
    writeStaging();
    writeConstantsView(device, heap_.cpu(0), constants_.get(), 0);
    for (uint32_t i = 0; i < kRegisters; ++i) {
      const auto where = static_cast<Register>(i);
      const bool input = where < Register::OutTexels;
      const uint64_t shown = isTyped(where) ? bytes : std::min<uint64_t>(bytes, 256);
      writeView(device, heap_.cpu(1 + i), where, input ? source_.get() : target_.get(), 0, shown);
    }
  }

  // Uploads the constants and the buffers' initial content.
  void fill() {
    ID3D12GraphicsCommandList* list = recorder_.begin();
    transition(list, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_DEST);
    constants_.enter(list, D3D12_RESOURCE_STATE_COPY_DEST);
    list->CopyBufferRegion(constants_.get(), 0, staging_.get(), 0, kConstantBytes);
    constants_.enter(list, D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER);
    for (uint64_t at = 0; at < bytes_; at += kPatternBytes) {
      const uint64_t bytes = std::min(kPatternBytes, bytes_ - at);
      list->CopyBufferRegion(source_.get(), at, staging_.get(), kConstantBytes, bytes);
      list->CopyBufferRegion(target_.get(), at, staging_.get(), kConstantBytes + kPatternBytes,
                             bytes);
    }
    device_.wait(recorder_.submit());
  }

  // Records a copy by the kernel and a barrier behind it. Requires fill().
  void record(ID3D12GraphicsCommandList* list) {
    bindKernel(list);
    list->Dispatch(grid_.x, grid_.y, 1);
    recordBarrier(list);
  }

  // Returns the nanoseconds of each repetition; empty if bytes were lost.
  std::vector<double> timed(By by, uint32_t repetitions) {
    fill();
    std::vector<double> times = settledTimes(
        repetitions, [&](uint32_t count) { return measured(by, count); }, by != By::Dispatch);
    if (!copied()) return {};
    return times;
  }

 private:
  uint64_t texels() const { return bytes_ / 16; }

  // Writes the constants, the source's pattern, and its complement as the target's initial content.
  void writeStaging() {
    grid_ = gridOf((texels() + kCopyTexels - 1) / kCopyTexels, PlanLimits{});
    auto* constants = reinterpret_cast<uint32_t*>(staging_.data());
    constants[kFirst] = 0;
    constants[kEnd] = static_cast<uint32_t>(texels());
    constants[kGroupsPerRow] = grid_.x;
    constants[kNothingAt * 4 + kFirst] = 0;
    constants[kNothingAt * 4 + kEnd] = 0;
    constants[kNothingAt * 4 + kGroupsPerRow] = 1;
    uint32_t state = 1;
    for (uint64_t i = 0; i < kPatternBytes; ++i) {
      state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
      pattern()[i] = static_cast<uint8_t>(state >> 24);
      pattern()[kPatternBytes + i] = static_cast<uint8_t>(~pattern()[i]);
    }
  }

  uint8_t* pattern() const { return staging_.data() + kConstantBytes; }

  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES source,
                  D3D12_RESOURCE_STATES target) {
    source_.enter(list, source);
    target_.enter(list, target);
  }

  void bindKernel(ID3D12GraphicsCommandList* list) {
    transition(list, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE,
               D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    ID3D12DescriptorHeap* heap = heap_.get();
    list->SetDescriptorHeaps(1, &heap);
    list->SetComputeRootSignature(pipelines_.rootSignature());
    list->SetPipelineState(pipelines_.get(Shader::Copy));
    list->SetComputeRootDescriptorTable(Pipelines::kTable, heap_.gpu(0));
    list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, 0, 0);
  }

  std::vector<double> measured(By by, uint32_t repetitions) {
    Timestamps timestamps(device_, repetitions);
    ID3D12GraphicsCommandList* list = recorder_.begin();
    if (by == By::Region) {
      transition(list, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_COPY_DEST);
    } else {
      bindKernel(list);
    }
    for (uint32_t i = 0; i < repetitions; ++i) {
      if (by == By::Dispatch) {
        record(list);
        list->SetPipelineState(pipelines_.get(Shader::RowEnds));
        list->SetComputeRoot32BitConstant(Pipelines::kConstantsAt, kNothingAt, 0);
      }
      timestamps.begin(list, i);
      switch (by) {
        case By::Kernel:
          list->Dispatch(grid_.x, grid_.y, 1);
          break;
        case By::Region:
          list->CopyBufferRegion(target_.get(), 0, source_.get(), 0, bytes_);
          break;
        case By::Dispatch:
          list->Dispatch(1, 1, 1);
          break;
      }
      timestamps.end(list, i);
      recordBarrier(list);
    }
    timestamps.resolve(list);
    device_.wait(recorder_.submit());
    return timestamps.nanoseconds();
  }

  // True if the last bytes arrived. Texels at a distance of a power of 2 differ in the pattern.
  bool copied() {
    const uint64_t bytes = std::min(bytes_, kPatternBytes);
    const uint64_t from = bytes_ - bytes;
    ID3D12GraphicsCommandList* list = recorder_.begin();
    transition(list, D3D12_RESOURCE_STATE_COPY_SOURCE, D3D12_RESOURCE_STATE_COPY_SOURCE);
    list->CopyBufferRegion(readBack_.get(), 0, target_.get(), from, bytes);
    device_.wait(recorder_.submit());
    for (uint64_t i = 0; i < bytes; ++i) {
      if (readBack_.data()[i] != pattern()[(from + i) % kPatternBytes]) return false;
    }
    return true;
  }

  Device& device_;
  Pipelines pipelines_;
  uint64_t bytes_;
  Recorder recorder_;
  Buffer staging_;
  Buffer constants_;
  Buffer source_;
  Buffer target_;
  Buffer readBack_;
  DescriptorHeap heap_;
  GroupGrid grid_{};
};

}  // namespace

struct CacheEviction::State {
  Copier copier;
};

CacheEviction::CacheEviction(Device& device, uint64_t bytes, std::optional<ShaderModel> model)
    : state_(new State{Copier(device, bytes, model)}) {
  state_->copier.fill();
}

CacheEviction::~CacheEviction() = default;

void CacheEviction::record(ID3D12GraphicsCommandList* list) { state_->copier.record(list); }

CopyTiming timeCopy(Device& device, uint64_t bytes, uint32_t repetitions,
                    std::optional<ShaderModel> model) {
  PlanLimits limits;
  if (device.facts().maxViewTexels != 0) {
    limits.maxViewTexels = std::min(limits.maxViewTexels, device.facts().maxViewTexels);
  }
  CopyTiming timing;
  if (bytes > limits.typedWindow()) {
    timing.status = Status::NotSupported;
    timing.message =
        fmt::format("a view shows {} bytes at most, not {}", limits.typedWindow(), bytes);
    return timing;
  }
  Copier copier(device, bytes, model);
  timing.kernel = copier.timed(By::Kernel, repetitions);
  timing.region = copier.timed(By::Region, repetitions);
  timing.dispatch = copier.timed(By::Dispatch, repetitions);
  timing.status = Status::Executed;
  if (timing.kernel.empty() || timing.region.empty()) {
    timing = {Status::Failed, "the copy lost bytes", {}, {}, {}};
  }
  return timing;
}

}  // namespace dmlcts::gpu
