#include "gpu/directml/target.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "gpu/d3d12/copy.h"
#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/device/frame_capture.h"
#include "gpu/d3d12/device/timestamps.h"
#include "gpu/directml/batch.h"
#include "gpu/directml/compiled.h"
#include "gpu/directml/library.h"
#include "gpu/directml/modes.h"
#include "gpu/directml/sequence_operators.h"

namespace dmlcts::gpu {

namespace {

class DirectMlTarget : public Target {
 public:
  explicit DirectMlTarget(const DirectMlOptions& options)
      : options_(options),
        library_(options.library),
        d3d12_(options.adapter, options.debugLayer),
        device_(library_, d3d12_),
        operators_(device_),
        batch_(device_),
        modes_(device_, findModeMutant(options.modeMutant)),
        recorder_(std::make_unique<Recorder>(d3d12_, L"batch")) {}

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
    std::vector<Answer> answers(requests.size());
    for (size_t i = 0; i < requests.size(); ++i) {
      answers[i] = prepare(requests[i], [&](std::shared_ptr<CompiledOperator> compiled) {
        batch_.add(requests[i], std::move(compiled));
        waiting_.push_back(i);
      });
      if (batch_.full()) execute(requests, answers);
    }
    if (!batch_.empty()) execute(requests, answers);
    return answers;
  }

  Timing time(const Request& request, uint32_t repetitions, uint64_t evict) override {
    Timing timing;
    if (!request.modes.empty()) {
      return {Status::NotSupported, "only the ordinary mode is timed", {}, {}, {}};
    }
    const Answer answer = prepare(request, [&](std::shared_ptr<CompiledOperator> compiled) {
      batch_.add(request, std::move(compiled));
    });
    timing.status = answer.status;
    timing.message = answer.message;
    if (batch_.empty()) return timing;
    try {
      upload();
      executeAndReadBack();
      timing.outputs = batch_.outputs(0);
      std::optional<CacheEviction> eviction;
      if (evict != 0) eviction.emplace(d3d12_, evict);
      timing.nanoseconds = settledTimes(
          repetitions, [&](uint32_t count) { return measured(count, eviction); }, !eviction);
      timing.status = Status::Executed;
      timing.message.clear();
    } catch (const std::exception& error) {
      const Answer failure = failed(error);
      timing = {failure.status, failure.message, {}, {}, {}};
      newRecorder();
    }
    batch_.clear();
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

  std::optional<Answer> runProgram(const Sequence& program) override {
    const FrameCapture capture;
    if (const SequenceCall* wrong = misusedCall(program)) {
      return programs_.run(program, misuser(device_, *wrong->misuse));
    }
    return programs_.run(program);
  }

  bool takes(Mode mode) const override { return gpu::takes("directml", mode); }

  bool hasBindingTables() const override { return true; }

  double bareSeconds(std::span<const Request> requests) override {
    double seconds = 0;
    for (const Request& request : requests) {
      prepare(request, [&](std::shared_ptr<CompiledOperator> compiled) {
        auto operators = makeOperators();
        operators->adopt(std::make_shared<DirectMlSequence::Operator>(
            DirectMlSequence::Operator{request.descriptor, nullptr, std::move(compiled)}));
        seconds += programs_.bareSeconds(request, std::move(operators));
      });
    }
    return seconds;
  }

 private:
  std::unique_ptr<DirectMlSequence> makeOperators() {
    return std::make_unique<DirectMlSequence>(device_, [this](const AskedOperator& asked) {
      return prepare({0, asked.level, asked.descriptor, false, {}, {}},
                     [](const std::shared_ptr<CompiledOperator>&) {});
    });
  }

  // Answers the request if it need not be executed; otherwise passes the operator to `ready`.
  template <class Ready>
  Answer prepare(const Request& request, const Ready& ready) {
    Answer answer;
    try {
      answer = create(request, ready);
    } catch (const std::invalid_argument& error) {
      answer.status = Status::NotSupported;
      answer.message = error.what();
    } catch (const std::exception& error) {
      answer = failed(error);
      newRecorder();
    }
    answer.id = request.id;
    return answer;
  }

  template <class Ready>
  Answer create(const Request& request, const Ready& ready) {
    Answer answer;
    if (request.level > device_.maxLevel()) {
      answer.status = Status::NotSupported;
      answer.message = fmt::format("DML_FEATURE_FEATURE_LEVELS: the device has level {}, not {}",
                                   name(device_.maxLevel()), name(request.level));
      return answer;
    }
    answer.message = whyNot(request.modes, "directml");
    if (!answer.message.empty()) {
      answer.status = Status::NotSupported;
      return answer;
    }
    answer.status = Status::Created;
    if (request.execute && !request.modes.empty()) return byMode(request);
    std::shared_ptr<CompiledOperator> compiled;
    if (request.execute) compiled = operators_.find(request.descriptor);
    if (!compiled) {
      const CreatedOperator created = createOperator(device_, request.descriptor);
      if (FAILED(created.result)) return rejected(request, created.result);
      answer.hresult = created.result;  // S_OK, by its page
      if (!request.execute) return answer;
      compiled = operators_.compile(request.descriptor, created.op.Get());
    }
    ready(std::move(compiled));
    return answer;
  }

  Answer byMode(const Request& request) {
    DirectMlModes::Taken taken = modes_.take(request);
    if (FAILED(taken.result)) return rejected(request, taken.result);
    auto operators = makeOperators();
    operators->adopt(std::move(taken.op));
    Answer answer =
        programs_.run(request, std::move(operators), findModeMutant(options_.modeMutant));
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
    if (const auto* end = dynamic_cast<const MisuseAnswer*>(&error)) return end->answer;
    return failedAnswer(error, d3d12_, [this] { device_.checkRemoved("afterwards"); });
  }

  // A list whose recording failed cannot be used again.
  void newRecorder() {
    try {
      recorder_ = std::make_unique<Recorder>(d3d12_, L"batch");
    } catch (const std::exception&) {
      // The device is gone, as the next call will report.
    }
  }

  // Executes the batch and answers its requests. Retries them one by one if the batch fails.
  void execute(std::span<const Request> requests, std::vector<Answer>& answers) {
    try {
      executeOnce(answers);
    } catch (const std::exception& error) {
      const Answer failure = failed(error);
      newRecorder();
      const std::vector<size_t> together = std::exchange(waiting_, {});
      batch_.clear();
      for (size_t index : together) {
        answers[index] = failure;
        answers[index].id = requests[index].id;
        if (together.size() > 1 && failure.status != Status::DeviceRemoved) {
          answers[index] = runAlone(requests[index]);
        }
      }
    }
  }

  Answer runAlone(const Request& request) {
    std::vector<Answer> answer = run({&request, 1});
    return std::move(answer[0]);
  }

  void executeOnce(std::vector<Answer>& answers) {
    batch_.prepare();
    ID3D12GraphicsCommandList* list = recorder_->begin();
    batch_.recordUpload(list);
    batch_.recordHeap(list);
    for (size_t i = 0; i < batch_.size(); ++i) batch_.recordDispatch(list, i);
    batch_.recordReadBack(list);
    d3d12_.wait(recorder_->submit());
    device_.checkRemoved("IDMLCommandRecorder::RecordDispatch");
    for (size_t i = 0; i < batch_.size(); ++i) {
      Answer& answer = answers[waiting_[i]];
      answer.status = Status::Executed;
      answer.inputs = batch_.inputs(i);
      answer.outputs = batch_.outputs(i);
    }
    batch_.clear();
    waiting_.clear();
  }

  void upload() {
    batch_.prepare();
    batch_.recordUpload(recorder_->begin());
    d3d12_.wait(recorder_->submit());
  }

  void executeAndReadBack() {
    ID3D12GraphicsCommandList* list = recorder_->begin();
    batch_.recordHeap(list);
    batch_.recordDispatch(list, 0);
    batch_.recordReadBack(list);
    d3d12_.wait(recorder_->submit());
    device_.checkRemoved("IDMLCommandRecorder::RecordDispatch");
  }

  // Returns the nanoseconds of each of `repetitions` executions of the batch's only request.
  std::vector<double> measured(uint32_t repetitions, std::optional<CacheEviction>& eviction) {
    Timestamps timestamps(d3d12_, repetitions);
    ID3D12GraphicsCommandList* list = recorder_->begin();
    for (uint32_t i = 0; i < repetitions; ++i) {
      if (eviction) eviction->record(list);
      batch_.recordHeap(list);
      timestamps.begin(list, i);
      batch_.recordDispatch(list, 0);
      timestamps.end(list, i);
      recordBarrier(list);
    }
    timestamps.resolve(list);
    d3d12_.wait(recorder_->submit());
    device_.checkRemoved("IDMLCommandRecorder::RecordDispatch");
    return timestamps.nanoseconds();
  }

  DirectMlOptions options_;
  DirectMlLibrary library_;
  Device d3d12_;
  DirectMlDevice device_;
  OperatorCache operators_;
  DirectMlBatch batch_;
  DirectMlModes modes_;
  std::vector<size_t> waiting_;  // index of the answer to each of the batch's requests
  std::unique_ptr<Recorder> recorder_;
  ProgramExecutor programs_{d3d12_, [this] { return makeOperators(); },
                            [this](const std::exception& error) { return failed(error); }};
};

}  // namespace

std::unique_ptr<Target> makeDirectMlTarget(const DirectMlOptions& options) {
  return std::make_unique<DirectMlTarget>(options);
}

}  // namespace dmlcts::gpu
