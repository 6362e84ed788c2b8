#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/d3d12/modes/operator.h"
#include "gpu/directml/compiled.h"

namespace dmlcts::gpu {

// An operator of DirectML, compiled, initialised and bound in the modes that a request names.
class DirectMlModeOperator : public ModeOperator {
 public:
  // `mutant`: null, or what to do wrong.
  DirectMlModeOperator(const DirectMlDevice& device, const ModeMutant* mutant);

  // Creates, compiles and initialises the operator that all other calls are about from now on. The
  // result of IDMLDevice::CreateOperator; nothing may follow where it is a failure. Throws
  // D3D12Error or DeviceRemoved; std::invalid_argument where the request cannot go its modes.
  HRESULT take(const Request& request);

  uint64_t temporaryBytes() const override { return compiled_->properties.temporaryResourceSize; }
  D3D12_RESOURCE_STATES inputState() const override {
    return D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  }
  void bind(size_t binding, const Request& request, ModeMemory& memory) override;
  void record(ID3D12GraphicsCommandList* list, size_t binding, bool lost) override;

 private:
  struct Bound {
    std::unique_ptr<DescriptorHeap> heap;
    ComPtr<dml::BindingTable> table;
    BindingList inputs;
    BindingList outputs;
    bool late = false;  // bound to them behind the recording

    void bindTensors() const;
  };
  // A tensor in memory of its own that stands for an input.
  struct Own {
    size_t input = 0;
    uint64_t bytes = 0;
  };

  bool isWrong(const Request& request, Mode mode) const {
    return request.modes.has(mode) && does(mutant_, mode);
  }
  std::shared_ptr<CompiledOperator> compileGraph(const Request& request, dml::Operator* op) const;
  std::shared_ptr<CompiledOperator> compileNonzeroGraph(const Request& request, dml::Operator* op);
  void initialise(const Request& request);
  // An operator that only shares initializers and binding tables with the one at hand.
  CompiledOperator& other(size_t index);
  void stageOwn(std::span<const uint8_t> bytes);
  // Copies what stageOwn() staged, or with `zeros` the bytes behind it.
  void copyToOwn(bool zeros);
  // Makes the table the operator's, with nothing bound; by Reset where there is one.
  void takeTable(Bound& bound, CompiledOperator& compiled);

  const DirectMlDevice& device_;
  const ModeMutant* mutant_;
  std::shared_ptr<CompiledOperator> compiled_;
  uint32_t executionFlags_ = dml::kExecutionFlagNone;
  std::optional<Own> owned_;  // bound at initialization
  std::optional<Own> ones_;   // has no zeros, and the input is its coordinates
  Buffer ownBuffer_;          // of either
  Buffer upload_;             // what it holds, then as many bytes of 0
  std::vector<std::shared_ptr<CompiledOperator>> others_;
  Buffer otherBuffer_;
  Initialization reused_;
  std::vector<Bound> bound_;
  bool lost_ = false;  // every dispatch
};

}  // namespace dmlcts::gpu
