// Test only: the oracle in a worker that misbehaves in the manner of its argument, in ways that
// mutants cannot: told by the test, or by the test's clock.
// WRONG_WORKER_FOLDER is shared with the test: `state` is a WrongWorkerState, `told` and `go` are
// FIFOs.

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "conformance/mutants/oracle_target.h"
#include "conformance/run/test/wrong_worker_state.h"
#include "gpu/worker/serve.h"

namespace dmlcts {
namespace {

std::filesystem::path shared(const char* name) {
  return std::filesystem::path(std::getenv("WRONG_WORKER_FOLDER")) / name;
}

WrongWorkerState& state() {
  static WrongWorkerState state(shared("state"));
  return state;
}

bool isU8OfRank7(const gpu::Request& request) {
  const TensorDesc& input = *tensors(request.descriptor).front().desc;
  return request.execute && input.type == DataType::UInt8 && input.sizes.size() == 7;
}

// Answers NotSupported for types of 64 bits, for FLOAT16, and for buffers of more than 16 KiB.
void admitLimits(const gpu::Request& request, gpu::Answer& answer) {
  if (answer.status == gpu::Status::Rejected) return;
  std::string why;
  uint64_t most = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const DataTypeInfo& type = info(slot.desc->type);
    if (type.bytes == 8) why = "types: no 64-bit data";
    if (type.type == DataType::Float16) why = "types: no FLOAT16";
    if (request.execute) most = std::max(most, slot.desc->totalBytes);
  }
  if (why.empty() && most > 16384) why = "memory: no room for " + std::to_string(most) + " bytes";
  if (why.empty()) return;
  const uint64_t id = answer.id;
  answer = {};
  answer.id = id;
  answer.status = gpu::Status::NotSupported;
  answer.message = why;
}

// Answers NotSupported for everything but NONZERO_COORDINATES.
void admitOperator(const gpu::Request& request, gpu::Answer& answer) {
  if (operatorName(request.descriptor) == "nonzero_coordinates") return;
  const uint64_t id = answer.id;
  answer = {};
  answer.id = id;
  answer.status = gpu::Status::NotSupported;
  answer.message = "operators: only NONZERO_COORDINATES";
}

// Waits until the harness has read all answers, so that no earlier message seems overdue.
void waitUntilRead(int answers) {
  for (int unread = 1; ::ioctl(answers, FIONREAD, &unread) == 0 && unread > 0;) {
    std::this_thread::yield();
  }
}

class WrongTarget final : public gpu::Target {
 public:
  WrongTarget(std::string manner, int answers) : manner_(std::move(manner)), answers_(answers) {}

  gpu::Identity identity() override {
    gpu::Identity identity = oracle_->identity();
    identity.target = manner_;
    if (manner_ == "level-4.0") identity.maxLevel = Level::L4_0;
    if (manner_ == "avoids-a-fault") {
      identity.limits["driver fault avoided"] = "its wave operations are wrong: thread 0";
    }
    return identity;
  }

  std::vector<gpu::Answer> run(std::span<const gpu::Request> requests) override {
    ++messages_;
    if (manner_ == "crashes-always") std::raise(SIGSEGV);
    if (manner_ == "hangs-on-two" && requests.size() > 1) hang();
    if (manner_ == "hangs-on-u8" && std::ranges::any_of(requests, isU8OfRank7)) hang();
    if (manner_ == "hangs-once" && state().next() == 0) hang();
    if (manner_ == "crashes-once" && state().next() == 0) std::raise(SIGSEGV);
    if (manner_ == "waits" && messages_ == 3) waitToBeTold();
    if (manner_ == "prints" && messages_ == 3) print();
    if (manner_ == "prints-once" && messages_ == 3 && state().next() == 0) print();
    if (manner_ == "never-answers") {
      std::ofstream(shared("told")) << std::endl;
      for (;;) ::pause();
    }
    if (manner_ == "slow") {
      waitUntilRead(answers_);
      state().pass(59);  // a message may take 60
    }
    auto answers = oracle_->run(requests);
    if (manner_ == "one-operator") {
      for (size_t i = 0; i < requests.size(); ++i) admitOperator(requests[i], answers[i]);
    }
    if (manner_ == "honest-limits") {
      for (size_t i = 0; i < requests.size(); ++i) admitLimits(requests[i], answers[i]);
    }
    if (manner_ == "reads-outside") {
      const gpu::BufferImage& input = requests.front().inputs.front();
      const auto behind = input.bytes.begin() + static_cast<ptrdiff_t>(input.offset + input.size);
      std::copy_n(behind, 4,
                  answers.front().outputs.front().begin() +
                      static_cast<ptrdiff_t>(requests.front().outputs.front().offset));
    }
    if (manner_ == "wrong-once" && !answers.front().outputs.empty() && state().next() == 0) {
      const gpu::BufferImage& image = requests.front().outputs.front();
      answers.front().outputs.front()[image.offset] ^= 1;
    }
    return answers;
  }

  gpu::Timing time(const gpu::Request& request, uint32_t repetitions, uint64_t evict) override {
    return oracle_->time(request, repetitions, evict);
  }
  double bareSeconds(std::span<const gpu::Request> requests) override {
    if (manner_ == "crashes-always") std::raise(SIGSEGV);
    return static_cast<double>(requests.size());
  }

 private:
  // Like a driver that writes to standard output.
  void print() const {
    constexpr std::string_view kText = "vkQueueSubmit failed\n";
    if (::write(answers_, kText.data(), kText.size()) < 0) std::abort();
  }

  [[noreturn]] void hang() {
    waitUntilRead(answers_);
    for (;; std::this_thread::yield()) state().pass(1);
  }

  // The harness may end before this process does.
  static void waitToBeTold() {
    const int go = ::open(shared("go").c_str(), O_RDWR);
    std::ofstream(shared("told")) << std::endl;
    char word = 0;
    if (::read(go, &word, 1) != 1) std::abort();
  }

  std::string manner_;
  int answers_;  // write end of the pipe for answers
  int messages_ = 0;
  std::unique_ptr<gpu::Target> oracle_ = makeOracleTarget("reference");
};

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  const std::string manner = argc > 1 ? argv[1] : "";
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  auto streams = dmlcts::gpu::takeStandardStreams();
  const int status =
      dmlcts::gpu::serve([&] { return std::make_unique<dmlcts::WrongTarget>(manner, answers); },
                         *streams.in, *streams.out);
  return manner == "exits-with-5" ? 5 : status;
}
