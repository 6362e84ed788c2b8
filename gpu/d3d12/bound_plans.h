#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/pipelines.h"

namespace dmlcts::gpu {

// Plans bound to memory: writes their constants and views, and records their dispatches and the
// barriers between stages. A table of a program has one (program_kernels.h): of one plan, or in a
// batch of the plans of many requests, whose passes it dispatches stage by stage.
//
//   staged = stage.memory().take(D3D12_HEAP_TYPE_UPLOAD, BoundPlans::constantBytes(plans));
//   bound.bind(plans, {&constants, staged->data(), shown});
//   bound.record(list, [&](bool readsTemporaries) { … transitions … });
class BoundPlans {
 public:
  struct Region {
    const Buffer* buffer = nullptr;
    uint64_t at = 0;  // start of the tensor, temporary or state
  };
  // A plan and its memory, tensors in slot order.
  struct Placed {
    const Plan* plan = nullptr;
    std::array<Region, 2> inputs = {};
    std::array<Region, 2> outputs = {};
    Region temporary = {};
    Region state = {};
  };
  // Constants begin at the start of their buffer. A register that a pass does not bind shows the
  // buffer in `unbound`.
  struct Shared {
    const Buffer* constants;
    uint8_t* staged;  // the host writes constants here; the caller copies them if it is elsewhere
    std::array<const Buffer*, kRegisters> unbound;
  };
  // Records the transitions before a stage.
  using Enter = std::function<void(bool readsTemporaries)>;

  // `alwaysWindows`: views show only a pass's window, even if one could show the whole buffer.
  BoundPlans(Device& device, Pipelines& pipelines, const PlanLimits& limits, bool alwaysWindows);

  // Returns the bytes of the plans' constants, and the bytes that a buffer of them needs.
  static uint64_t constantBytes(std::span<const Placed> plans);
  static uint64_t constantCapacity(uint64_t constantBytes);

  // Call it once. Plans and buffers must outlive their use. Passes that need no window and no
  // buffer but those of `unbound` share a table of views. Throws std::length_error if a heap has no
  // room for the views.
  void bind(std::span<const Placed> plans, const Shared& shared);

  // Records the passes, and barriers between stages. `times`: of the stages, or null.
  void record(ID3D12GraphicsCommandList* list, const Enter& enter, const StageTimes* times) const;

 private:
  struct BoundPass {
    const Pass* pass;
    uint32_t constantsAt;  // rows of 16 bytes from the start of the table's constants
    uint32_t table;        // index in the heap
  };
  struct View {
    const Buffer* buffer;
    uint64_t first;
    uint64_t end;
  };

  void writeTable(uint64_t number, uint64_t chunk, const Shared& shared);
  View viewOf(const Region& region, const Binding& binding) const;
  bool sharesTable(const Placed& placed, const Pass& pass, const Shared& shared) const;
  void bindPass(const Placed& placed, const Pass& pass, uint64_t row, const Shared& shared);

  Device& device_;
  Pipelines& pipelines_;
  uint64_t viewLimit_;  // bytes
  bool alwaysWindows_;
  std::shared_ptr<DescriptorHeap> heap_;
  uint64_t sharedTables_ = 0;      // written at the heap's start, one per chunk of constants
  uint64_t ownTables_ = 0;         // the next table of a single pass
  std::vector<BoundPass> passes_;  // in the order of their recording
};

}  // namespace dmlcts::gpu
