#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "gpu/operators/plan.h"
#include "gpu/shaders/test/machine.h"
#include "gpu/shaders/test/program.h"
#include "gpu/target.h"

// Runs our kernels on the interpreter of machine.h: a target without a device.

namespace dmlcts::gpu::test {

class CheckedTarget final : public Target {
 public:
  // Uses shader model 5.1.
  explicit CheckedTarget(const PlanLimits& limits = {}) : limits_(limits) {}

  Identity identity() override { return {}; }
  // Failed, with a description, if a kernel misbehaves.
  std::vector<Answer> run(std::span<const Request> requests) override;
  Timing time(const Request&, uint32_t, uint64_t) override { return {}; }
  double bareSeconds(std::span<const Request>) override { return 0; }

  void order(const Schedule& schedule) { schedule_ = schedule; }
  const Program& programFor(Shader shader);
  void replace(Shader shader, Program program) { programs_[shader] = std::move(program); }

  // Returns the instructions of each shader, over all of the last run().
  const std::map<Shader, uint64_t>& instructions() const { return instructions_; }

 private:
  Answer runOne(const Request& request);

  PlanLimits limits_;
  Schedule schedule_;
  std::map<Shader, Program> programs_;
  std::map<Shader, uint64_t> instructions_;
};

}  // namespace dmlcts::gpu::test
