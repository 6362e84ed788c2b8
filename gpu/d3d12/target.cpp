#include "gpu/d3d12/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gpu/d3d12/batch.h"
#include "gpu/d3d12/copy.h"
#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/frame_capture.h"
#include "gpu/d3d12/program_kernels.h"
#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

namespace {

constexpr auto kInvalidArgument = static_cast<int32_t>(0x80070057);  // E_INVALIDARG

class D3D12Target : public Target {
 public:
  explicit D3D12Target(const D3D12Options& options)
      : options_(options),
        device_(options.adapter, options.debugLayer),
        pipelines_(device_, options.shaderModel, options.truncated) {
    alwaysWindows_ = options_.limits != PlanLimits{};
    if (device_.facts().maxViewTexels != 0) {
      options_.limits.maxViewTexels =
          std::min(options_.limits.maxViewTexels, device_.facts().maxViewTexels);
    }
    modeMutant_ = findModeMutant(options_.modeMutant);
  }

  Identity identity() override {
    Identity identity;
    identity.target = "d3d12";
    if (!options_.modeMutant.empty()) identity.target = "mutant:mode." + options_.modeMutant;
    device_.introduce(identity);
    identity.implementation = "dmlcts kernels";
    identity.shaderModel = name(pipelines_.shaderModel());
    const PlanLimits& limits = options_.limits;
    identity.limits["max groups per dimension"] = std::to_string(limits.maxGroupsPerDimension);
    identity.limits["max view texels"] = std::to_string(limits.maxViewTexels);
    identity.limits["max view bytes"] = std::to_string(limits.maxViewBytes);
    if (limits.maxUnscannedTiles != PlanLimits{}.maxUnscannedTiles) {
      identity.limits["max unscanned tiles"] = std::to_string(limits.maxUnscannedTiles);
    }
    if (pipelines_.shaderModel() == ShaderModel::Sm6_0) {
      identity.limits["wave lanes"] = device_.waveLanes();
    } else if (!pipelines_.whyNotDxil().empty()) {
      identity.limits["why not shader model 6.0"] = pipelines_.whyNotDxil();
    }
    return identity;
  }

  std::vector<Answer> run(std::span<const Request> requests) override {
    const FrameCapture capture;
    // Requests in the ordinary mode go in batches; while the GPU works on one, the host fills or
    // reads the other. A request in execution modes is a program of its own.
    std::vector<Answer> answers(requests.size());
    Flight* flight = &flights_[0];
    Flight* other = &flights_[1];
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& request = requests[i];
      PlannedOperator planned = plan(request);
      answers[i] = std::move(planned.answer);
      if (!planned.plan) continue;
      if (!request.modes.empty()) {
        answers[i] =
            programs_.run(request, kernels(request, *std::move(planned.plan)), modeMutant_);
        continue;
      }
      if (!flight->batch.hasRoomFor(request, *planned.plan)) {
        launch(*flight);
        std::swap(flight, other);
        land(*flight, answers);
      }
      add(*flight, request, *std::move(planned.plan), i);
    }
    launch(*flight);
    land(*other, answers);
    land(*flight, answers);
    return answers;
  }

  bool takes(Mode mode) const override { return gpu::takes("d3d12", mode); }

  Timing time(const Request& request, uint32_t repetitions, uint64_t evict) override {
    PlannedOperator planned = plan(request);
    if (!planned.plan) return {planned.answer.status, planned.answer.message, {}, {}, {}};
    if (!request.modes.empty()) {
      return {Status::NotSupported, "what is timed goes the ordinary mode", {}, {}, {}};
    }
    return programs_.time(request, kernels(request, *std::move(planned.plan)), repetitions, evict,
                          pipelines_.shaderModel());
  }

  CopyTiming timeCopy(uint64_t bytes, uint32_t repetitions) override {
    try {
      return gpu::timeCopy(device_, bytes, repetitions, pipelines_.shaderModel());
    } catch (const std::exception& error) {
      const Answer answer = failed(error);
      return {answer.status, answer.message, {}, {}, {}};
    }
  }

  std::optional<Answer> runProgram(const Program& program) override {
    const FrameCapture capture;
    return programs_.run(program);
  }

  double bareSeconds(std::span<const Request> requests) override {
    double seconds = 0;
    for (const Request& request : requests) {
      PlannedOperator planned = plan(request);
      if (!planned.plan || !request.modes.empty()) continue;
      seconds += programs_.bareSeconds(request, kernels(request, *std::move(planned.plan)));
    }
    return seconds;
  }

 private:
  // A batch that is filled, then launched. Flights end before their target: see ~ProgramExecutor.
  struct Flight {
    Batch batch;
    std::unique_ptr<ProgramKernels> kernels;  // of the batch, until it is launched
    ProgramExecutor executor;
  };

  std::unique_ptr<ProgramKernels> kernels() {
    return std::make_unique<ProgramKernels>(device_, pipelines_, options_.limits, alwaysWindows_,
                                            [this](const call::Create& call) {
                                              Request request;
                                              request.level = call.level;
                                              request.descriptor = call.descriptor;
                                              return plan(request);
                                            });
  }

  std::unique_ptr<ProgramKernels> kernels(const Request& request, Plan plan) {
    auto kernels = this->kernels();
    kernels->add(std::move(plan), request.descriptor);
    return kernels;
  }

  ProgramExecutor executor() {
    return {device_, [this] { return kernels(); },
            [this](const std::exception& error) { return failed(error); }};
  }

  // Plans the request's operator if it is accepted and to be executed.
  PlannedOperator plan(const Request& request) {
    PlannedOperator planned;
    Answer& answer = planned.answer;
    answer.id = request.id;
    if (!accepts(request.descriptor, request.level)) {
      answer.status = Status::Rejected;
      answer.hresult = kInvalidArgument;
      return planned;
    }
    answer.status = Status::Created;
    if (!request.execute) return planned;
    answer.message = whyNot(request.modes, "d3d12");
    if (!answer.message.empty()) {
      answer.status = Status::NotSupported;
      return planned;
    }
    try {
      Plan plan = planOf(request.descriptor, options_.limits);
      // Creates pipelines here, so that a failure costs only this request, not its batch.
      for (const Pass& pass : plan.passes) pipelines_.get(pass.shader);
      planned.plan = std::move(plan);
    } catch (const std::length_error& error) {
      answer.status = Status::NotSupported;
      answer.message = error.what();
    } catch (const std::exception& error) {
      answer = failed(error, request.id);
    }
    return planned;
  }

  Answer failed(const std::exception& error, uint64_t id = 0) const {
    Answer answer = failedAnswer(error, device_, [this] { device_.checkRemoved("afterwards"); });
    answer.id = id;
    return answer;
  }

  void add(Flight& flight, const Request& request, Plan plan, size_t answer) {
    if (!flight.kernels) flight.kernels = kernels();
    flight.batch.add(request, plan, answer);
    flight.kernels->add(std::move(plan), request.descriptor);
  }

  // Does nothing for an empty flight.
  void launch(Flight& flight) {
    if (flight.kernels) flight.executor.launch(flight.batch.program(), std::move(flight.kernels));
  }

  // Waits for a launched batch and answers its requests. Does nothing for an empty flight.
  void land(Flight& flight, std::vector<Answer>& answers) {
    if (flight.batch.empty()) return;
    Answer answer = flight.executor.land();
    // A batch needs so little memory that a device without has lost some.
    if (answer.hresult == kOutOfMemory) answer.status = Status::Failed;
    flight.batch.answer(std::move(answer), answers);
    flight.batch.clear();
  }

  D3D12Options options_;
  Device device_;
  Pipelines pipelines_;
  const ModeMutant* modeMutant_ = nullptr;
  bool alwaysWindows_ = false;
  ProgramExecutor programs_ = executor();  // of requests in modes, and of messages
  std::array<Flight, 2> flights_{{{{}, {}, executor()}, {{}, {}, executor()}}};
};

}  // namespace

std::unique_ptr<Target> makeD3D12Target(const D3D12Options& options) {
  return std::make_unique<D3D12Target>(options);
}

}  // namespace dmlcts::gpu
