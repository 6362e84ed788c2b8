// Test only: the oracle in a worker that misbehaves as processes do, in the manner of its argument.

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "conformance/mutants/oracle_target.h"
#include "gpu/worker/serve.h"

namespace dmlcts {
namespace {

class WrongTarget final : public gpu::Target {
 public:
  explicit WrongTarget(std::string manner) : manner_(std::move(manner)) {}

  gpu::Identity identity() override {
    gpu::Identity identity = oracle_->identity();
    identity.target = manner_;
    if (manner_ == "another-each-time") identity.adapter += " " + std::to_string(getpid());
    if (manner_ == "level-4.0") identity.maxLevel = Level::L4_0;
    return identity;
  }

  std::vector<gpu::Answer> run(std::span<const gpu::Request> requests) override {
    const bool several = requests.size() > 1;
    if (manner_ == "crashes-on-two" && several) std::raise(SIGSEGV);
    if (manner_ == "crashes-always") std::raise(SIGSEGV);
    if (manner_ == "hangs-on-two" && several) std::this_thread::sleep_for(std::chrono::hours(1));
    if (manner_ == "crashes-at-random" && random_() % 4 == 0) std::raise(SIGSEGV);
    if (manner_ == "crashes-once" && once()) std::raise(SIGSEGV);
    if (manner_ == "dies-after-each-answer") {
      std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        _exit(7);
      }).detach();
    }
    auto answers = oracle_->run(requests);
    if (manner_ == "nonsense-on-two" && several) answers.back().id += 1;
    if (manner_ == "wrong-once" && !answers.front().outputs.empty() && once()) {
      const gpu::BufferImage& image = requests.front().outputs.front();
      answers.front().outputs.front()[image.offset] ^= 1;
    }
    if (manner_ == "no-inputs") {
      for (gpu::Answer& answer : answers) answer.inputs.clear();
    }
    if (manner_ == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return answers;
  }

  gpu::Timing time(const gpu::Request& request, uint32_t repetitions, uint64_t evict) override {
    return oracle_->time(request, repetitions, evict);
  }
  double bareSeconds(std::span<const gpu::Request>) override {
    if (manner_ == "crashes-always") std::raise(SIGSEGV);
    return 0;
  }

 private:
  // Whether no process has done it before; WRONG_WORKER_ONCE names the file that says so.
  static bool once() {
    const char* file = std::getenv("WRONG_WORKER_ONCE");
    return file && mkdir(file, 0700) == 0;
  }

  std::string manner_;
  std::unique_ptr<gpu::Target> oracle_ = makeOracleTarget("reference");
  std::random_device random_;
};

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  const std::string manner = argc > 1 ? argv[1] : "";
  auto streams = dmlcts::gpu::takeStandardStreams();
  const int status = dmlcts::gpu::serve(
      [&]() -> std::unique_ptr<dmlcts::gpu::Target> {
        return std::make_unique<dmlcts::WrongTarget>(manner);
      },
      *streams.in, *streams.out);
  if (manner == "crashes-at-exit") std::raise(SIGSEGV);
  if (manner == "exits-with-5") return 5;
  return status;
}
