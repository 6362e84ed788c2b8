#include "gpu/directml/target.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "gpu/d3d12/copy.h"
#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/frame_capture.h"
#include "gpu/directml/compiled.h"
#include "gpu/directml/library.h"
#include "gpu/directml/modes.h"
#include "gpu/directml/program.h"

namespace dmlcts::gpu {

namespace {

class DirectMlTarget : public Target {
 public:
  explicit DirectMlTarget(const DirectMlOptions& options)
      : options_(options),
        library_(options.library),
        d3d12_(options.adapter, options.debugLayer),
        device_(library_, d3d12_),
        modeMutant_(findModeMutant(options.modeMutant)),
        modes_(device_, modeMutant_) {}

  Identity identity() override {
    Identity identity;
    identity.target = "directml";
    if (!options_.modeMutant.empty()) identity.target = "mutant:mode." + options_.modeMutant;
    d3d12_.introduce(identity, library_.file());
    identity.implementation = library_.version();
    identity.maxLevel = device_.maxLevel();
    // A device accepts all levels up to its own, whatever minimum it was created with.
    identity.limits["metacommands"] = device_.metacommandsHidden()
                                          ? "none: the runtime does not implement them"
                                          : "as the driver has them";
    std::string unsupported;
    for (const DataTypeInfo& type : kDataTypes) {
      if (type.type == DataType::Unknown || device_.supports(type.type)) continue;
      unsupported += (unsupported.empty() ? "" : ", ") + std::string(type.name);
    }
    identity.limits["unsupported data types"] = unsupported.empty() ? "none" : unsupported;
    return identity;
  }

  std::vector<Answer> run(std::span<const Request> requests) override {
    const FrameCapture capture;
    std::vector<Answer> answers;
    for (const Request& request : requests) {
      answers.push_back(answerTo(request, [&](std::unique_ptr<ProgramOperator> op) {
        return programs_.run(request, std::move(op), modeMutant_);
      }));
    }
    return answers;
  }

  Timing time(const Request& request, uint32_t repetitions, uint64_t evict) override {
    if (!request.modes.empty()) {
      return {Status::NotSupported, "only the ordinary mode is timed", {}, {}, {}};
    }
    Timing timing;
    const Answer answer = answerTo(request, [&](std::unique_ptr<ProgramOperator> op) {
      timing = programs_.time(request, std::move(op), repetitions, evict);
      return Answer{{}, 0, timing.status, 0, timing.message};
    });
    timing.status = answer.status;
    timing.message = answer.message;
    return timing;
  }

  CopyTiming timeCopy(uint64_t bytes, uint32_t repetitions) override {
    try {
      return gpu::timeCopy(d3d12_, bytes, repetitions);
    } catch (const std::exception& error) {
      const Answer failure = failed(error);
      return {failure.status, failure.message, {}, {}, {}};
    }
  }

  std::optional<Answer> runProgram(const Program& program) override {
    const FrameCapture capture;
    return programs_.run(program);
  }

  bool takes(Mode mode) const override { return gpu::takes("directml", mode); }

  double bareSeconds(std::span<const Request> requests) override {
    double seconds = 0;
    for (const Request& request : requests) {
      answerTo(request, [&](std::unique_ptr<ProgramOperator> op) {
        seconds += programs_.bareSeconds(request, std::move(op));
        return Answer();
      });
    }
    return seconds;
  }

 private:
  std::unique_ptr<DirectMlProgram> makeOperator() {
    return std::make_unique<DirectMlProgram>(device_, [this](const call::Create& create) {
      return answerTo({0, create.level, create.descriptor, false, {}, {}},
                      [](std::unique_ptr<ProgramOperator>) { return Answer(); });
    });
  }

  // Answers the request if it need not be executed; otherwise returns the answer of `execute`,
  // which gets the request's operator.
  template <class Execute>
  Answer answerTo(const Request& request, const Execute& execute) {
    Answer answer;
    try {
      answer = create(request, execute);
    } catch (const std::invalid_argument& error) {
      answer.status = Status::NotSupported;
      answer.message = error.what();
    } catch (const std::exception& error) {
      answer = failed(error);
    }
    answer.id = request.id;
    return answer;
  }

  template <class Execute>
  Answer create(const Request& request, const Execute& execute) {
    Answer answer;
    answer.status = Status::NotSupported;
    if (request.level > device_.maxLevel()) {
      answer.message = fmt::format("DML_FEATURE_FEATURE_LEVELS: the device has level {}, not {}",
                                   name(device_.maxLevel()), name(request.level));
      return answer;
    }
    answer.message = whyNot(request.modes, "directml");
    if (!answer.message.empty()) return answer;
    if (!request.execute) {
      answer.hresult = createOperator(device_, request.descriptor).result;
      answer.status = Status::Created;
      return FAILED(answer.hresult) ? rejected(request, answer.hresult) : answer;
    }
    // Compilation takes most of a case's time, so keeps the operator for the same case again.
    DirectMlModes::Taken taken = last_;
    if (!taken.op || !request.modes.empty() || taken.op->descriptor != request.descriptor) {
      taken = modes_.take(request);
      if (FAILED(taken.result)) return rejected(request, taken.result);
    }
    last_ = request.modes.empty() ? taken : DirectMlModes::Taken();
    auto op = makeOperator();
    op->adopt(taken.op);
    answer = execute(std::move(op));
    if (answer.hresult == S_OK) answer.hresult = taken.result;
    return answer;
  }

  Answer rejected(const Request& request, HRESULT result) {
    device_.checkRemoved("IDMLDevice::CreateOperator");
    Answer answer;
    answer.status = Status::Rejected;
    answer.hresult = result;
    for (const TensorSlot& slot : tensors(request.descriptor)) {
      if (slot.desc->type == DataType::Unknown || device_.supports(slot.desc->type)) continue;
      answer.status = Status::NotSupported;
      answer.message = fmt::format("DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT: the device lacks {}",
                                   info(slot.desc->type).dmlName);
    }
    return answer;
  }

  Answer failed(const std::exception& error) const {
    return failedAnswer(error, d3d12_, [this] { device_.checkRemoved("afterwards"); });
  }

  DirectMlOptions options_;
  DirectMlLibrary library_;
  Device d3d12_;
  DirectMlDevice device_;
  const ModeMutant* modeMutant_;
  DirectMlModes modes_;
  DirectMlModes::Taken last_;  // without modes
  ProgramExecutor programs_{d3d12_, [this] { return makeOperator(); },
                            [this](const std::exception& error) { return failed(error); }};
};

}  // namespace

std::unique_ptr<Target> makeDirectMlTarget(const DirectMlOptions& options) {
  return std::make_unique<DirectMlTarget>(options);
}

}  // namespace dmlcts::gpu
