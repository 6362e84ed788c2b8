#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/directml/compiled.h"
#include "gpu/directml/program.h"

namespace dmlcts::gpu {

// Creates, compiles and initialises DirectML operators in a request's execution modes, if any.
class DirectMlModes {
 public:
  // `mutant`: the deliberate fault, or null.
  DirectMlModes(const DirectMlDevice& device, const ModeMutant* mutant);

  // The result of IDMLDevice::CreateOperator, and if it succeeded the operator. One in modes is
  // usable until the next call.
  struct Taken {
    HRESULT result = S_OK;
    std::shared_ptr<DirectMlProgram::Operator> op = nullptr;
  };
  // Throws D3D12Error, DeviceRemoved, or std::invalid_argument if the request does not support its
  // modes.
  Taken take(const Request& request);

 private:
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
};

}  // namespace dmlcts::gpu
