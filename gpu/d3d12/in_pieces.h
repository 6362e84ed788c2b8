#pragma once

#include <functional>
#include <memory>

#include "gpu/d3d12/sequence_executor.h"
#include "gpu/in_pieces.h"

namespace dmlcts::gpu {

// A sequence of one operator whose buffers are written and read in pieces. Each tensor has its own
// buffer, because some runtimes cannot view a place far inside a shared one.
class D3D12InPieces : public InPieces {
 public:
  // Returns Created, or as Target::run would answer, before memory is allocated.
  using Ask = std::function<Step(const LargeRequest&)>;
  using MakeOperators = std::function<std::unique_ptr<SequenceOperators>()>;
  // Returns the step for a call that failed with `error`.
  using Explain = std::function<Step(const std::exception& error)>;

  D3D12InPieces(Device& device, Ask ask, MakeOperators makeOperators, Explain explain)
      : device_(device),
        ask_(std::move(ask)),
        makeOperators_(std::move(makeOperators)),
        explain_(std::move(explain)) {}

  Step open(const LargeRequest& request) override;
  Step put(size_t buffer, uint64_t at, std::span<const uint8_t> bytes) override;
  Step get(size_t buffer, uint64_t at, std::span<uint8_t> bytes) override;
  Step execute() override;
  void close() override;

 private:
  template <class Call>
  Step guarded(Status done, const Call& call);

  Device& device_;
  Ask ask_;
  MakeOperators makeOperators_;
  Explain explain_;
  std::unique_ptr<SequenceOperators> operators_;  // of the open request
  std::unique_ptr<SequenceStage> stage_;
};

}  // namespace dmlcts::gpu
