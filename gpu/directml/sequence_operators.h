#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>

#include "gpu/d3d12/sequence_executor.h"
#include "gpu/directml/compiled.h"
#include "gpu/directml/library.h"
#include "gpu/misuse.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// DirectML in a sequence: each call makes the DirectML call of that name. Reset reuses one
// initializer for everything, and keeps a table's object. Each operator has its persistent
// resource, each binding its descriptors and temporary.
class DirectMlSequence : public SequenceOperators {
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
  DirectMlSequence(const DirectMlDevice& device, std::function<Answer(const AskedOperator&)> ask);

  Answer create(uint32_t number, const AskedOperator& asked) override;
  void compile(uint32_t number) override;
  void initialize(const std::vector<uint32_t>& numbers) override;
  void release(uint32_t number) override { operators_.erase(number); }
  void bind(const SequenceCall& call, SequenceStage& stage) override;
  void execute(const SequenceCall& call, SequenceStage& stage) override;
  uint64_t temporaryBytes(uint32_t number) const override {
    return operators_.at(number)->compiled->properties.temporaryResourceSize;
  }
  // Makes an operator, initialised already, number 0.
  void adopt(std::shared_ptr<Operator> op) {
    operators_[0] = std::move(op);
    call_ = "IDMLCommandRecorder::RecordDispatch";
  }
  void checkRemoved() override { device_.checkRemoved(call_); }

 private:
  // Resources of one binding of a table, kept until its executions have ended.
  struct Bound {
    explicit Bound(Device& device)
        : temporary(device, D3D12_HEAP_TYPE_DEFAULT, L"temporary of a table") {}
    std::shared_ptr<Operator> op;
    ComPtr<dml::BindingTable> table;
    std::shared_ptr<DescriptorHeap> heap;
    Buffer temporary;
    std::vector<Place> from;
    std::vector<Place> to;
    BindingList inputs;
    BindingList outputs;
  };

  void makeTable(const SequenceCall& call, SequenceStage& stage);

 protected:
  const DirectMlDevice& device_;
  std::map<uint32_t, std::shared_ptr<Operator>> operators_;

 private:
  std::function<Answer(const AskedOperator&)> ask_;
  const char* call_ = "the program";  // named if the device is gone
  std::map<uint32_t, std::shared_ptr<Bound>> tables_;
  Initialization initialization_;
};

// The end of a program that misuses an operator.
struct MisuseAnswer : std::exception {
  explicit MisuseAnswer(Answer end) : answer(std::move(end)) {}
  Answer answer;
};

// Returns the operators of a program that misuses operator 0, whose calls throw MisuseAnswer.
// NotSupported if the operator has nothing to misuse this way.
std::unique_ptr<SequenceOperators> misuser(const DirectMlDevice& device, Misuse misuse);

}  // namespace dmlcts::gpu
