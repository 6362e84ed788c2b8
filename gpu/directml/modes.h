#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/d3d12/modes/memory.h"
#include "gpu/directml/compiled.h"

namespace dmlcts::gpu {

// A DirectML operator, compiled, initialised and bound in the request's execution modes.
class DirectMlModeOperator : public ModeOperator {
 public:
  // `mutant`: the deliberate fault, or null.
  DirectMlModeOperator(const DirectMlDevice& device, const ModeMutant* mutant);

  // Creates, compiles and initialises the operator for all later calls. Returns the result of
  // IDMLDevice::CreateOperator; make no further calls if it is a failure. Throws D3D12Error,
  // DeviceRemoved, or std::invalid_argument if the request does not support its modes.
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
    bool late = false;  // bound after the recording

    void bindTensors() const;
  };
  // A tensor in separate memory that replaces an input.
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
  // Returns an operator that only shares initializers and binding tables with the current one.
  CompiledOperator& other(size_t index);
  void stageOwn(std::span<const uint8_t> bytes);
  // Copies the bytes that stageOwn() staged, or with `zeros` the zeros behind them.
  void copyToOwn(bool zeros);
  // Assigns the table to the operator, with nothing bound; uses Reset if the table exists.
  void takeTable(Bound& bound, CompiledOperator& compiled);

  const DirectMlDevice& device_;
  const ModeMutant* mutant_;
  std::shared_ptr<CompiledOperator> compiled_;
  uint32_t executionFlags_ = dml::kExecutionFlagNone;
  std::optional<Own> owned_;  // bound at initialization
  std::optional<Own> ones_;   // without zeros; its coordinates are the replaced input
  Buffer ownBuffer_;          // of owned_ or ones_
  Buffer upload_;             // its content, then as many zeros
  std::vector<std::shared_ptr<CompiledOperator>> others_;
  Buffer otherBuffer_;
  Initialization reused_;
  std::vector<Bound> bound_;
  bool lost_ = false;  // skip every dispatch
};

}  // namespace dmlcts::gpu
