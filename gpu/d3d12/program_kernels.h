#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "gpu/d3d12/bound_plans.h"
#include "gpu/d3d12/pipelines.h"
#include "gpu/d3d12/program_executor.h"

namespace dmlcts::gpu {

// An operator that is accepted or not, and how it is executed if it is.
struct PlannedOperator {
  Answer answer;             // Created, or why not
  std::optional<Plan> plan;  // of an operator that is to be executed
};

// Our kernels in a program. A table is descriptors, constants, a temporary and a state. A program
// has one operator, or with add() many: then a table has the tensors of all, one operator after the
// other, and an execution of it executes all.
class ProgramKernels : public ProgramOperator {
 public:
  using Planner = std::function<PlannedOperator(const call::Create&)>;

  // Options as for BoundPlans.
  ProgramKernels(Device& device, Pipelines& pipelines, const PlanLimits& limits, bool alwaysWindows,
                 Planner planner);

  // Adds an operator that was created already.
  void add(Plan plan, const Descriptor& descriptor);

  Answer create(const call::Create& call) override;
  void bind(const call::Bind& call, ProgramStage& stage) override;
  void execute(const call::Execute& call, ProgramStage& stage, const StageTimes* times) override;
  std::vector<std::string_view> stages() const override;
  uint64_t temporaryBytes() const override;

 private:
  struct Operator {
    Plan plan;
    size_t inputs = 0;
    size_t outputs = 0;
  };
  struct Table {
    std::vector<Buffer*> read = {};     // buffers of the tensors
    std::vector<Buffer*> written = {};  // also those with inputs beside outputs
    BufferPool::Taken staged;           // constants, for upload
    BufferPool::Taken constants;
    BufferPool::Taken state = {};  // null if no plan needs one
    BufferPool::Taken ownTemporary = {};
    Buffer* temporary = nullptr;  // null if no plan needs one
    BoundPlans bound;
  };

  Device& device_;
  Pipelines& pipelines_;
  PlanLimits limits_;
  bool alwaysWindows_;
  Planner planner_;
  std::deque<Operator> operators_;  // a deque: tables point into it
  std::map<uint32_t, std::shared_ptr<Table>> tables_;
};

}  // namespace dmlcts::gpu
