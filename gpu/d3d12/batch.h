#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/d3d12/bound_plans.h"
#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/operators/plan.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

inline constexpr uint64_t kKeptUpload = uint64_t{32} << 20;  // bytes, two batches

// Many requests in one submission, of which a program would need a list of calls each. Their
// buffers share three arenas, so that one copy uploads the inputs, one fills the outputs and one
// reads the outputs back. Keeps its objects from one batch to the next.
class Batch {
 public:
  // Options as for BoundPlans.
  Batch(Device& device, Pipelines& pipelines, const PlanLimits& limits, bool alwaysWindows);

  // Removes all requests. The submission must have ended.
  void clear();

  // True if the batch stays within its limits with this request added. An empty batch accepts even
  // a request that exceeds them.
  bool hasRoomFor(const Request& request, const Plan& plan) const;

  // Adds a request. It and the plan must outlive the batch's use of them.
  void add(const Request& request, const Plan& plan);

  bool empty() const { return placements_.empty(); }
  size_t size() const { return placements_.size(); }

  // Allocates memory and writes the inputs, the outputs' initial content and the constants for
  // upload.
  void writeUpload();

  // Frees an upload buffer of more than `most` bytes. Call it once the upload has executed, unless
  // it will execute again.
  void releaseUpload(uint64_t most = kKeptUpload);

  // Each record function accepts the arenas in any state that another one left.
  void recordUpload(ID3D12GraphicsCommandList* list);
  // With `timestamps`, writes a pair for each stage, from `pair` on.
  void recordDispatches(ID3D12GraphicsCommandList* list, Timestamps* timestamps = nullptr,
                        uint32_t pair = 0);
  // Returns the first shader of each stage of the first request.
  std::vector<Shader> stageShaders() const;
  // Records the read-back of all outputs.
  void recordReadBack(ID3D12GraphicsCommandList* list);
  // Records the read-back of all inputs: a kernel could have overwritten them.
  void recordInputsReadBack(ID3D12GraphicsCommandList* list);

  // Return the buffers of the request added `index`th, guards included, after the read-back.
  std::vector<std::vector<uint8_t>> outputs(size_t index) const;
  std::vector<std::vector<uint8_t>> inputs(size_t index) const;

  const Request& request(size_t index) const { return *placements_[index].request; }

 private:
  struct Placement {
    const Request* request;
    const Plan* plan;
    std::array<uint64_t, 2> inputs{};  // start of each image in its arena
    std::array<uint64_t, 2> outputs{};
    uint64_t temporary = 0;
    uint64_t state = 0;
    uint64_t outputEnd = 0;
  };
  BoundPlans::Placed placed(const Placement& placement) const;
  // Copies images out of the read-back buffer; image i begins at byte `places[i] - base`.
  static std::vector<std::vector<uint8_t>> copies(const Buffer& readBack, uint64_t base,
                                                  std::span<const uint64_t> places,
                                                  std::span<const BufferImage> images);
  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES inputs,
                  D3D12_RESOURCE_STATES outputs, D3D12_RESOURCE_STATES temporaries,
                  D3D12_RESOURCE_STATES states = D3D12_RESOURCE_STATE_UNORDERED_ACCESS);

  std::vector<Placement> placements_;
  std::vector<BoundPlans::Placed> plans_;
  uint64_t constantBytes_ = 0;  // size of the constants within inputBytes_
  uint64_t inputBytes_ = 0;
  uint64_t outputBytes_ = 0;
  uint64_t temporaryBytes_ = 0;
  uint64_t stateBytes_ = 0;
  uint64_t passCount_ = 0;

  Buffer upload_;
  Buffer readBack_;        // of outputs
  Buffer inputsReadBack_;  // of everything after the constants
  Buffer inputs_;          // constants first, then images
  Buffer outputs_;
  Buffer temporaries_;
  Buffer states_;  // zeros between executions
  BoundPlans bound_;
};

}  // namespace dmlcts::gpu
