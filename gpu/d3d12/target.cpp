#include "gpu/d3d12/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include "gpu/d3d12/batch.h"
#include "gpu/d3d12/copy.h"
#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/frame_capture.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/d3d12/program_kernels.h"
#include "gpu/operators/operators.h"

namespace dmlcts::gpu {

namespace {

constexpr int32_t kInvalidArgument = static_cast<int32_t>(0x80070057);  // E_INVALIDARG
constexpr uint64_t kKeptTimedUpload = uint64_t{2} << 30;                // for the next benchmark
constexpr uint32_t kPassRepetitions = 9;  // enough for a median of each pass

// The answer before execution, and the plan if the request is to be executed.
struct Created {
  Answer answer;
  std::optional<Plan> plan;
};

class D3D12Target : public Target {
 public:
  explicit D3D12Target(const D3D12Options& options)
      : options_(options),
        device_(options.adapter, options.debugLayer),
        pipelines_(device_, options.bytecode, options.shaderModel) {
    const bool alwaysWindows = options_.limits != PlanLimits{};
    if (device_.facts().maxViewTexels != 0) {
      options_.limits.maxViewTexels =
          std::min(options_.limits.maxViewTexels, device_.facts().maxViewTexels);
    }
    modeMutant_ = findModeMutant(options_.modeMutant);
    programs_ = std::make_unique<ProgramExecutor>(
        device_, [this] { return programKernels(); },
        [this](const std::exception& error) { return failed(error); });
    for (std::unique_ptr<Flight>& flight : flights_) {
      flight = std::make_unique<Flight>(device_, pipelines_, options_.limits, alwaysWindows);
    }
  }

  Identity identity() override {
    Identity identity;
    identity.target = "d3d12";
    if (!options_.modeMutant.empty()) identity.target = "mutant:mode." + options_.modeMutant;
    // Replaced bytecode is not this suite's, whatever it is.
    if (!options_.bytecode.empty()) identity.target = "bytecode:" + options_.bytecode;
    device_.introduce(identity);
    identity.implementation = "dmlcts kernels";
    identity.shaderModel = name(pipelines_.shaderModel());
    identity.maxLevel = options_.maxLevel;
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
    // Requests without modes go in batches; while the GPU works on one, the host fills or reads the
    // other. A request with modes goes as a program.
    std::vector<Answer> answers(requests.size());
    size_t current = 0;
    for (size_t i = 0; i < requests.size(); ++i) {
      const Request& request = requests[i];
      Created created = create(request);
      answers[i] = std::move(created.answer);
      if (!created.plan) continue;
      if (!request.modes.empty()) {
        answers[i] = runAsProgram(request);
        continue;
      }
      Flight* flight = flights_[current].get();
      if (!flight->batch.empty() && !flight->fits(request, *created.plan)) {
        launch(*flight, answers);
        current = 1 - current;
        flight = flights_[current].get();
        land(*flight, answers);
      }
      flight->add(request, std::move(*created.plan), i);
    }
    if (!flights_[current]->batch.empty()) launch(*flights_[current], answers);
    land(*flights_[1 - current], answers);
    land(*flights_[current], answers);
    return answers;
  }

  bool takes(Mode mode) const override { return gpu::takes("d3d12", mode); }

  Timing time(const Request& request, uint32_t repetitions, uint64_t evict) override {
    Timing timing;
    Created created = create(request);
    timing.status = created.answer.status;
    timing.message = created.answer.message;
    if (!created.plan) return timing;
    if (!request.modes.empty()) {
      return {Status::NotSupported, "what is timed goes the ordinary mode", {}, {}, {}};
    }
    Flight& flight = *flights_[0];
    try {
      flight.clear();
      flight.add(request, std::move(*created.plan), 0);
      upload(flight);
      executeAndReadBack(flight);
      timing.outputs = flight.batch.outputs(0);
      std::optional<CacheEviction> eviction;
      if (evict != 0) eviction.emplace(device_, evict, pipelines_.shaderModel());
      timing.nanoseconds = settledTimes(
          repetitions, [&](uint32_t count) { return measured(flight, count, eviction); },
          !eviction);
      timing.passes = passTimes(flight, std::min(repetitions, kPassRepetitions), eviction);
      timing.status = Status::Executed;
    } catch (const std::exception& error) {
      const Answer answer = failed(error);
      timing = {answer.status, answer.message, {}, {}, {}};
    }
    flight.clear();
    return timing;
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
    return programs_->run(program);
  }

  double bareSeconds(std::span<const Request> requests) override {
    double seconds = 0;
    for (const Request& request : requests) {
      const bool ordinary = request.modes.empty() && create(request).plan;
      if (ordinary) seconds += programs_->bareSeconds(request, createdKernels(request));
    }
    return seconds;
  }

 private:
  // A batch in flight on the GPU.
  struct Flight {
    Flight(Device& device, Pipelines& pipelines, const PlanLimits& limits, bool alwaysWindows)
        : batch(device, pipelines, limits, alwaysWindows), recorder(device, L"batch") {}

    bool fits(const Request& request, const Plan& plan) const {
      return batch.hasRoomFor(request, plan);
    }
    void add(const Request& request, Plan plan, size_t answer) {
      plans.push_back(std::move(plan));
      batch.add(request, plans.back());
      answerOf.push_back(answer);
    }
    void clear() {
      batch.clear();
      plans.clear();
      answerOf.clear();
      submitted = 0;
    }

    Batch batch;
    Recorder recorder;
    std::deque<Plan> plans;        // a deque: the batch keeps pointers to them
    std::vector<size_t> answerOf;  // index of each request's answer
    uint64_t submitted = 0;        // 0: not submitted
  };

  std::unique_ptr<ProgramOperator> programKernels() {
    return std::make_unique<ProgramKernels>(
        device_, pipelines_, options_.limits, [this](const call::Create& call) {
          return create({0, call.level, call.descriptor, false, {}, {}}).answer;
        });
  }

  std::unique_ptr<ProgramOperator> createdKernels(const Request& request) {
    auto kernels = programKernels();
    kernels->create({request.level, request.descriptor});
    return kernels;
  }

  Created create(const Request& request) {
    Created created;
    Answer& answer = created.answer;
    answer.id = request.id;
    if (request.level > options_.maxLevel) {
      answer.status = Status::NotSupported;
      answer.message = fmt::format("this target implements levels up to {}, not {}",
                                   name(options_.maxLevel), name(request.level));
      return created;
    }
    if (!accepts(request.descriptor, request.level)) {
      answer.status = Status::Rejected;
      answer.hresult = kInvalidArgument;
      return created;
    }
    answer.status = Status::Created;
    if (!request.execute) return created;
    answer.status = Status::Failed;
    answer.message = whyNot(request.modes, "d3d12");
    if (!answer.message.empty()) {
      answer.status = Status::NotSupported;
      return created;
    }
    try {
      Plan plan = planOf(request.descriptor, options_.limits);
      // Creates pipelines here, so that a failure costs only this request, not its batch.
      for (const Pass& pass : plan.passes) pipelines_.get(pass.shader);
      created.plan = std::move(plan);
    } catch (const std::length_error& error) {
      answer.status = Status::NotSupported;
      answer.message = error.what();
    } catch (const std::exception& error) {
      answer = failed(error, request.id);
    }
    return created;
  }

  Answer failed(const std::exception& error, uint64_t id = 0) const {
    Answer answer = failedAnswer(error, device_, [this] { device_.checkRemoved("afterwards"); });
    answer.id = id;
    return answer;
  }

  Answer runAsProgram(const Request& request) {
    try {
      return programs_->run(request, createdKernels(request), modeMutant_);
    } catch (const std::exception& error) {
      return failed(error, request.id);
    }
  }

  void fail(Flight& flight, std::vector<Answer>& answers, const std::exception& error) const {
    const Answer failure = failed(error);
    for (size_t i = 0; i < flight.batch.size(); ++i) {
      Answer answer = failure;
      answer.id = flight.batch.request(i).id;
      answers[flight.answerOf[i]] = std::move(answer);
    }
    flight.clear();
  }

  void launch(Flight& flight, std::vector<Answer>& answers) const {
    try {
      flight.batch.writeUpload();
      ID3D12GraphicsCommandList* list = flight.recorder.begin();
      flight.batch.recordUpload(list);
      flight.batch.recordDispatches(list);
      flight.batch.recordReadBack(list);
      flight.batch.recordInputsReadBack(list);
      flight.submitted = flight.recorder.submit();
    } catch (const std::exception& error) {
      fail(flight, answers, error);
    }
  }

  // Waits for a launched batch and answers its requests. Does nothing for an empty flight.
  void land(Flight& flight, std::vector<Answer>& answers) {
    if (flight.submitted == 0) return;
    try {
      device_.wait(flight.submitted);
      flight.batch.releaseUpload();
    } catch (const std::exception& error) {
      fail(flight, answers, error);
      return;
    }
    for (size_t i = 0; i < flight.batch.size(); ++i) {
      Answer& answer = answers[flight.answerOf[i]];
      answer.status = Status::Executed;
      answer.message.clear();
      answer.outputs = flight.batch.outputs(i);
      answer.inputs = flight.batch.inputs(i);
    }
    flight.clear();
  }

  void upload(Flight& flight) {
    flight.batch.writeUpload();
    flight.batch.recordUpload(flight.recorder.begin());
    device_.wait(flight.recorder.submit());
    flight.batch.releaseUpload(kKeptTimedUpload);
  }

  void executeAndReadBack(Flight& flight) {
    ID3D12GraphicsCommandList* list = flight.recorder.begin();
    flight.batch.recordDispatches(list);
    flight.batch.recordReadBack(list);
    device_.wait(flight.recorder.submit());
  }

  std::vector<double> measured(Flight& flight, uint32_t repetitions,
                               std::optional<CacheEviction>& eviction) {
    Timestamps timestamps(device_, repetitions);
    ID3D12GraphicsCommandList* list = flight.recorder.begin();
    for (uint32_t i = 0; i < repetitions; ++i) {
      if (eviction) eviction->record(list);
      timestamps.begin(list, i);
      flight.batch.recordDispatches(list);
      timestamps.end(list, i);
      recordBarrier(list);
    }
    timestamps.resolve(list);
    device_.wait(flight.recorder.submit());
    return timestamps.nanoseconds();
  }

  // Returns the median of each stage, named by its shader; adds up stages that share a shader.
  std::vector<PassTime> passTimes(Flight& flight, uint32_t repetitions,
                                  std::optional<CacheEviction>& eviction) {
    const std::vector<Shader> shaders = flight.batch.stageShaders();
    const auto stages = static_cast<uint32_t>(shaders.size());
    if (stages == 0) return {};
    Timestamps timestamps(device_, repetitions * stages);
    ID3D12GraphicsCommandList* list = flight.recorder.begin();
    for (uint32_t i = 0; i < repetitions; ++i) {
      if (eviction) eviction->record(list);
      flight.batch.recordDispatches(list, &timestamps, i * stages);
      recordBarrier(list);
    }
    timestamps.resolve(list);
    device_.wait(flight.recorder.submit());
    const std::vector<double> times = timestamps.nanoseconds();
    std::vector<PassTime> passes;
    for (uint32_t stage = 0; stage < stages; ++stage) {
      std::vector<double> some;
      some.reserve(repetitions);
      for (uint32_t i = 0; i < repetitions; ++i) some.push_back(times[i * stages + stage]);
      std::nth_element(some.begin(), some.begin() + repetitions / 2, some.end());
      const std::string_view shader = name(shaders[stage]);
      auto same = std::find_if(passes.begin(), passes.end(),
                               [&](const PassTime& pass) { return pass.name == shader; });
      if (same == passes.end()) same = passes.insert(same, {std::string(shader), 0});
      same->nanoseconds += some[repetitions / 2];
    }
    return passes;
  }

  D3D12Options options_;
  Device device_;
  Pipelines pipelines_;
  const ModeMutant* modeMutant_ = nullptr;
  std::unique_ptr<ProgramExecutor> programs_;
  std::array<std::unique_ptr<Flight>, 2> flights_;
};

}  // namespace

std::unique_ptr<Target> makeD3D12Target(const D3D12Options& options) {
  return std::make_unique<D3D12Target>(options);
}

}  // namespace dmlcts::gpu
