#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/operators/plan.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

inline constexpr uint64_t kKeptUpload = uint64_t{32} << 20;  // bytes, two batches

// Options of batch execution.
struct BatchOptions {
  PlanLimits limits;
  bool alwaysWindows = false;  // views show only a pass's window, even if one could show all
};

// Many requests in one submission. Their buffers share three arenas, so that one copy uploads the
// inputs, one fills the outputs and one reads the outputs back. If each arena fits in one view,
// passes differ only in constants; else each pass gets views of its windows. Keeps its objects from
// one batch to the next.
class Batch {
 public:
  Batch(Device& device, Pipelines& pipelines, const BatchOptions& options);

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
  void prepare();

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
  struct PlacedPass {
    const Pass* pass;
    uint32_t constantsAt;  // rows of 16 bytes from the start of the table's constants
    uint32_t table;        // index in the heap
  };

  struct Place {
    Buffer* buffer;
    uint64_t offset;  // of the tensor's first byte
  };
  Place placeOf(const Placement& placement, const Memory& memory);
  // Returns the first row (of 16 bytes) of the pass's constants, which never span two chunks.
  uint64_t addConstants(const Pass& pass);
  void placePass(const Placement& placement, const Pass& pass);
  void writeArenaTables();
  uint32_t newWindowTable(uint32_t chunk);
  // Copies images out of the read-back buffer; image i begins at byte `places[i] - base`.
  static std::vector<std::vector<uint8_t>> copies(const Buffer& readBack, uint64_t base,
                                                  std::span<const uint64_t> places,
                                                  std::span<const BufferImage> images);
  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES inputs,
                  D3D12_RESOURCE_STATES outputs, D3D12_RESOURCE_STATES temporaries,
                  D3D12_RESOURCE_STATES states = D3D12_RESOURCE_STATE_UNORDERED_ACCESS);

  Device& device_;
  Pipelines& pipelines_;
  BatchOptions options_;

  std::vector<Placement> placements_;
  std::vector<PlacedPass> passes_;
  std::vector<uint32_t> order_;  // scratch of recordDispatches
  uint64_t constantRows_ = 0;    // rows in use, of 16 bytes
  uint64_t constantBytes_ = 0;   // size of the constants within inputBytes_
  uint64_t inputBytes_ = 0;
  uint64_t outputBytes_ = 0;
  uint64_t temporaryBytes_ = 0;
  uint64_t stateBytes_ = 0;
  uint64_t passCount_ = 0;
  bool windows_ = false;

  Buffer upload_;
  Buffer readBack_;        // of outputs
  Buffer inputsReadBack_;  // of everything after the constants
  Buffer inputs_;          // constants first, then images
  Buffer outputs_;
  Buffer temporaries_;
  Buffer states_;  // zeros between executions
  std::unique_ptr<DescriptorHeap> heap_;
  DescriptorHeap unbound_;     // one table of views for registers that a pass does not use
  uint32_t arenaTables_ = 0;   // tables of whole arenas, at the heap's start
  uint32_t windowTables_ = 0;  // tables in use after them
};

}  // namespace dmlcts::gpu
