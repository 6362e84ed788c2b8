#pragma once

#include <functional>
#include <map>
#include <memory>

#include "gpu/d3d12/device/views.h"
#include "gpu/d3d12/program_executor.h"
#include "gpu/directml/compiled.h"
#include "gpu/directml/library.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// DirectML in a program. The operator has its persistent resource, each table its descriptors and
// temporary.
class DirectMlProgram : public ProgramOperator {
 public:
  struct Operator {
    Descriptor descriptor;
    ComPtr<dml::Operator> created;
    std::shared_ptr<CompiledOperator> compiled;

    // Set by execution modes:
    std::optional<size_t> elsewhere = {};       // an input that is bound so:
    ID3D12Resource* elsewhereBuffer = nullptr;  // from its beginning
    uint64_t elsewhereBytes = 0;                // 0: not bound
    CompiledOperator* before = nullptr;         // the table serves it first
    ID3D12Resource* others = nullptr;           // tensors of `before` and a further output
    bool further = false;                       // there is one
    bool late = false;                          // tensors are bound after the recording
    bool lost = false;                          // the mutant skips every dispatch
  };
  // Further tensors of one element, at multiples of kOtherRange in their buffer.
  static constexpr uint64_t kOtherBytes = 4;
  static constexpr uint64_t kOtherRange = 256;

  // `ask` returns why an operator is not accepted.
  DirectMlProgram(const DirectMlDevice& device, std::function<Answer(const call::Create&)> ask);

  Answer create(const call::Create& call) override;
  void bind(const call::Bind& call, ProgramStage& stage) override;
  void execute(const call::Execute& call, ProgramStage& stage, const StageTimes* times) override;
  uint64_t temporaryBytes() const override {
    return operator_->compiled->properties.temporaryResourceSize;
  }
  // Takes an operator that is initialised already.
  void adopt(std::shared_ptr<Operator> op) {
    operator_ = std::move(op);
    call_ = "IDMLCommandRecorder::RecordDispatch";
  }
  void checkRemoved() override { device_.checkRemoved(call_); }

 private:
  // A table, kept until its executions have ended.
  struct Bound {
    ComPtr<dml::BindingTable> table;
    std::shared_ptr<DescriptorHeap> heap;
    BufferPool::Taken temporary;    // null if the call has one, or none is needed
    std::vector<uint32_t> buffers;  // of the tensors
    BindingList inputs;
    BindingList outputs;
  };

  std::shared_ptr<Bound> makeTable(const call::Bind& call, ProgramStage& stage) const;
  static void bindTensors(const Bound& bound);

  const DirectMlDevice& device_;
  std::shared_ptr<Operator> operator_;
  std::function<Answer(const call::Create&)> ask_;
  const char* call_ = "the program";  // named if the device is gone
  std::map<uint32_t, std::shared_ptr<Bound>> tables_;
  Initialization initialization_;
};

}  // namespace dmlcts::gpu
