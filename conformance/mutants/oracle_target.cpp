#include "conformance/mutants/oracle_target.h"

#include <chrono>

#include "gpu/identity/loaded_files.h"
#include "reference/evaluate.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

std::vector<uint8_t> tensorBytes(const gpu::BufferImage& image) {
  const auto begin = image.bytes.begin() + static_cast<ptrdiff_t>(image.offset);
  return {begin, begin + static_cast<ptrdiff_t>(image.size)};
}

class OracleTarget final : public gpu::Target {
 public:
  OracleTarget(std::string name, Mutation mutation)
      : name_(std::move(name)), mutation_(std::move(mutation)) {}

  ~OracleTarget() override {
    if (mutation_.atExit) mutation_.atExit();
  }

  gpu::Identity identity() override {
    gpu::Identity identity;
    identity.target = name_;
    identity.adapter = "CPU, scalar code";
    identity.implementation = "dmlcts reference";
    identity.files = gpu::implementationFiles();
    if (mutation_.identity) mutation_.identity(identity);
    return identity;
  }

  std::vector<gpu::Answer> run(std::span<const gpu::Request> requests) override {
    if (mutation_.onMessage) mutation_.onMessage(requests);
    std::vector<gpu::Answer> answers;
    answers.reserve(requests.size());
    for (const gpu::Request& request : requests) answers.push_back(answer(request));
    if (mutation_.onAnswers) mutation_.onAnswers(requests, answers);
    return answers;
  }

  gpu::Timing time(const gpu::Request& request, uint32_t repetitions, uint64_t evict) override {
    gpu::Timing timing;
    timing.status = gpu::Status::Executed;
    gpu::Answer answered = answer(request);
    if (answered.status != gpu::Status::Executed) {
      return {answered.status, answered.message, {}, {}, {}};
    }
    timing.outputs = std::move(answered.outputs);
    std::vector<uint8_t> others(evict);
    for (uint32_t i = 0; i < repetitions; ++i) {
      for (uint8_t& other : others) ++other;
      const auto start = std::chrono::steady_clock::now();
      answer(request);
      const std::chrono::duration<double, std::nano> elapsed =
          std::chrono::steady_clock::now() - start;
      timing.nanoseconds.push_back(elapsed.count());
    }
    return timing;
  }

  double bareSeconds(std::span<const gpu::Request>) override { return 0; }

 private:
  gpu::Answer answer(const gpu::Request& request) {
    gpu::Answer answer;
    answer.id = request.id;
    const auto broken = check(request.descriptor, request.level);
    const bool valid = broken.empty();
    const bool accepted = mutation_.accepts ? mutation_.accepts(request, valid) : valid;
    if (!accepted) {
      answer.status = gpu::Status::Rejected;
      answer.hresult = kInvalidArgument;
      answer.message = valid ? "rejected by the mutation" : broken.front().message;
      return answer;
    }
    answer.status = gpu::Status::Created;
    if (!request.execute) return answer;
    if (!request.modes.empty()) {
      answer.status = gpu::Status::NotSupported;
      answer.message = gpu::whyNot(request.modes, name_);
      return answer;
    }
    if (!removed_) execute(request, answer);
    if (removed_) {
      answer.status = gpu::Status::DeviceRemoved;
      answer.message = "the mutation removed the device";
    }
    return answer;
  }

  void execute(const gpu::Request& request, gpu::Answer& answer) {
    Passage passage{request,
                    request.descriptor,
                    {},
                    request.outputs,
                    request.inputs,
                    served_,
                    served_ > 0 ? &previous_ : nullptr};
    for (const gpu::BufferImage& image : request.inputs) {
      passage.inputs.push_back(tensorBytes(image));
    }
    if (mutation_.before) mutation_.before(passage);
    removed_ = passage.deviceRemoved;
    if (removed_) return;
    const auto expected = evaluate(passage.descriptor, passage.inputs);
    for (size_t i = 0; i < expected.size(); ++i) {
      gpu::BufferImage& image = passage.outputs[i];
      for (size_t at = 0; at < expected[i].bytes.size() && at < image.size; ++at) {
        if (expected[i].status[at] == ByteStatus::Defined) {
          image.bytes[image.offset + at] = expected[i].bytes[at];
        }
      }
    }
    if (mutation_.after) mutation_.after(passage);
    answer.status = gpu::Status::Executed;
    for (auto& image : passage.outputs) answer.outputs.push_back(std::move(image.bytes));
    for (auto& image : passage.inputImages) answer.inputs.push_back(std::move(image.bytes));
    ++served_;
    if (mutation_.after) previous_ = answer;
  }

  std::string name_;
  Mutation mutation_;
  bool removed_ = false;
  uint64_t served_ = 0;
  gpu::Answer previous_;
};

}  // namespace

std::unique_ptr<gpu::Target> makeOracleTarget(std::string name, Mutation mutation) {
  return std::make_unique<OracleTarget>(std::move(name), std::move(mutation));
}

}  // namespace dmlcts
