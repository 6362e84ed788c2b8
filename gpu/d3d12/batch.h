#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/buffer.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/timestamps.h"
#include "gpu/d3d12/views.h"
#include "gpu/operators/plan.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// How a batch executes its requests; see D3D12Options.
struct BatchOptions {
  PlanLimits limits;
  bool alwaysWindows = false;  // views show a pass's window only, even where one of all would do
  bool poisonTemporaries = false;
  bool serial = false;
};

// Many requests as one submission: their buffers lie side by side in three arenas, so that one copy
// brings the inputs, one the outputs' first content, and one takes the outputs back. Where the
// arenas fit one view each, all passes see them whole and differ in constants alone; else every
// pass has views of its windows. Objects are kept from one batch to the next.
class Batch {
 public:
  Batch(Device& device, Pipelines& pipelines, const BatchOptions& options);

  // Forgets all requests. The submission must have ended.
  void clear();

  // Whether the batch stays within its limits with this request added. A request that
  // does not fit an empty batch may still be added to it.
  bool hasRoomFor(const Request& request, const Plan& plan) const;

  // Adds a request. Both must outlive the batch's use of them.
  void add(const Request& request, const Plan& plan);

  bool empty() const { return placements_.empty(); }
  size_t size() const { return placements_.size(); }

  // Makes room, and writes inputs, outputs' first content and constants where the GPU will fetch
  // them from.
  void prepare();

  // Call it once the upload has been executed, unless it will be executed again: a large prepare()
  // would otherwise keep its data in memory twice.
  void forgetUpload();

  // Records. Each begins in any state of the arenas that another of them left.
  void recordUpload(ID3D12GraphicsCommandList* list);
  // Dispatches of all requests, or of those in [first, end).
  void recordDispatches(ID3D12GraphicsCommandList* list);
  void recordDispatches(ID3D12GraphicsCommandList* list, size_t first, size_t end);
  // Dispatches of the first request, with a pair of timestamps, from `pair` on, around each stage.
  void recordTimedDispatches(ID3D12GraphicsCommandList* list, Timestamps& timestamps,
                             uint32_t pair);
  // The shader, or the first of them, of each stage of the first request.
  std::vector<Shader> stageShaders() const;
  // The outputs of all requests, or of those in [first, end).
  void recordReadBack(ID3D12GraphicsCommandList* list);
  void recordReadBack(ID3D12GraphicsCommandList* list, size_t first, size_t end);
  // The inputs of all requests: they lie where a kernel could have written.
  void recordInputsReadBack(ID3D12GraphicsCommandList* list);

  // Of the request added `index`th, guards included, once read back.
  std::vector<std::vector<uint8_t>> outputs(size_t index) const;
  std::vector<std::vector<uint8_t>> inputs(size_t index) const;
  // The outputs without a copy, and with what lies between them.
  std::span<const uint8_t> outputBytes(size_t index) const;

  const Request& request(size_t index) const { return *placements_[index].request; }

 private:
  struct Placement {
    const Request* request;
    const Plan* plan;
    std::array<uint64_t, 2> inputs{};  // where an image begins in its arena
    std::array<uint64_t, 2> outputs{};
    uint64_t temporary = 0;
    uint64_t outputEnd = 0;
    uint32_t firstPass = 0;  // in passes_
    uint32_t endPass = 0;
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
  // The row, of 16 bytes, that its constants begin at: no pass's lie across two chunks.
  uint64_t addConstants(const Pass& pass);
  void placePass(const Placement& placement, const Pass& pass);
  void writeArenaTables();
  uint32_t newWindowTable(uint32_t chunk);
  void recordStages(ID3D12GraphicsCommandList* list, size_t first, size_t end,
                    Timestamps* timestamps = nullptr, uint32_t pair = 0);
  void beginDispatches(ID3D12GraphicsCommandList* list);
  // Copies of what was read back, for images of which one begins `places[i] - base` bytes into it.
  static std::vector<std::vector<uint8_t>> copies(const Buffer& readBack, uint64_t base,
                                                  std::span<const uint64_t> places,
                                                  std::span<const BufferImage> images);
  void transition(ID3D12GraphicsCommandList* list, D3D12_RESOURCE_STATES inputs,
                  D3D12_RESOURCE_STATES outputs, D3D12_RESOURCE_STATES temporaries);

  Device& device_;
  Pipelines& pipelines_;
  BatchOptions options_;

  std::vector<Placement> placements_;
  std::vector<PlacedPass> passes_;
  std::vector<uint32_t> order_;  // scratch of recordStages
  uint64_t constantRows_ = 0;    // used, of 16 bytes
  uint64_t constantBytes_ = 0;   // what they take of inputBytes_
  uint64_t inputBytes_ = 0;
  uint64_t outputBytes_ = 0;
  uint64_t temporaryBytes_ = 0;
  uint64_t passCount_ = 0;
  bool windows_ = false;

  Buffer upload_;
  Buffer readBack_;        // of outputs
  Buffer inputsReadBack_;  // of what follows the constants
  Buffer inputs_;          // constants first, then images
  Buffer outputs_;
  Buffer temporaries_;
  Buffer poison_;
  std::unique_ptr<DescriptorHeap> heap_;
  DescriptorHeap unbound_;     // a table's worth of views for registers a pass does not use
  uint32_t arenaTables_ = 0;   // tables at the heap's start that show whole arenas
  uint32_t windowTables_ = 0;  // tables after them in use
};

}  // namespace dmlcts::gpu
