#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "gpu/d3d12/modes/bound_plan.h"
#include "gpu/d3d12/modes/memory.h"
#include "gpu/in_pieces.h"

namespace dmlcts::gpu {

// Executes one request at a time and moves its buffers through a small staging buffer. Each tensor
// has its own buffer, because some runtimes cannot view a place far inside a shared one.
class D3D12InPieces : public InPieces {
 public:
  // The result of planning a request before memory is allocated: Created with a plan, or the reason
  // against it.
  struct Planned {
    Step step;
    std::optional<Plan> plan;
  };
  using Planner = std::function<Planned(const LargeRequest&)>;
  // Returns the step for a call that failed with `error`.
  using Explain = std::function<Step(const std::exception& error)>;

  D3D12InPieces(Device& device, Pipelines& pipelines, const PlanLimits& limits, Planner planner,
                Explain explain);

  Step open(const LargeRequest& request) override;
  Step put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) override;
  Step get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) override;
  Step execute() override;
  void close() override;

 private:
  template <class Call>
  Step guarded(Status done, const Call& call);
  BoundPlan::Regions regionsOf(const LargeRequest& request) const;

  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  Planner planner_;
  Explain explain_;
  Recorder recorder_;
  Buffer upload_;
  Buffer readBack_;
  Plan plan_;
  std::unique_ptr<ModeMemory> memory_;  // of the open request
  std::unique_ptr<BoundPlan> bound_;
};

}  // namespace dmlcts::gpu
