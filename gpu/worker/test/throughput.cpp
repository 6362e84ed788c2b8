#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "gpu/wire/test/example_messages.h"
#include "gpu/worker/client.h"

// Not a test: prints the cost of the protocol and a second process, with a target that does
// nothing.
// Usage: worker_throughput WORKER…, for instance worker_null.

namespace dmlcts::gpu {
namespace {

using namespace std::chrono_literals;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Call>
double microseconds(size_t repetitions, Call call) {
  const double start = seconds();
  for (size_t i = 0; i < repetitions; ++i) call();
  return (seconds() - start) / static_cast<double>(repetitions) * 1e6;
}

std::span<const uint8_t> payload(const Bytes& frame) {
  return std::span(frame).subspan(kFrameHeaderBytes);
}

void codec() {
  const std::vector requests{exampleRequest(1)};
  const std::vector answers{untouched(requests[0])};
  const Bytes run = encodeRun(requests);
  const Bytes reply = encodeAnswers(answers);
  constexpr size_t kTimes = 100'000;
  std::printf("a request of %zu bytes: encode %.2f us, decode %.2f us\n", run.size(),
              microseconds(kTimes, [&] { encodeRun(requests); }),
              microseconds(kTimes, [&] { decodeOrder(payload(run)); }));
  std::printf("an answer of %zu bytes: encode %.2f us, decode %.2f us\n", reply.size(),
              microseconds(kTimes, [&] { encodeAnswers(answers); }),
              microseconds(kTimes, [&] { decodeReply(payload(reply)); }));
}

void throughput(const WorkerCommand& command, size_t batchSize, size_t depth, uint32_t rows,
                size_t batches) {
  Worker worker(command);
  const auto hello = worker.hello(60s);
  if (const auto* failure = std::get_if<Failure>(&hello)) {
    std::printf("%s\n", describe(*failure).c_str());
    std::exit(1);
  }
  const std::vector<Request> batch(batchSize, exampleRequest(1, rows));
  size_t bytes = 0;
  for (const BufferImage& image : batch[0].inputs) bytes += 2 * image.bytes.size();
  for (const BufferImage& image : batch[0].outputs) bytes += 2 * image.bytes.size();
  const double start = seconds();
  for (size_t sent = 0, received = 0; received < batches; ++received) {
    for (; sent < batches && worker.inFlight() < depth; ++sent) worker.send(batch);
    const auto outcome = worker.receive(60s);
    if (const auto* failure = std::get_if<Failure>(&outcome)) {
      std::printf("%s\n", describe(*failure).c_str());
      std::exit(1);
    }
  }
  const double taken = seconds() - start;
  const auto requests = static_cast<double>(batches * batchSize);
  std::printf("batches of %3zu, %zu in flight: %8.0f requests/s, %7.1f us each, %6.0f MB/s\n",
              batchSize, depth, requests / taken, taken / requests * 1e6,
              requests * static_cast<double>(bytes) / taken * 1e-6);
  worker.finish(60s);
}

}  // namespace
}  // namespace dmlcts::gpu

int main(int argc, char** argv) {
  using namespace dmlcts::gpu;
  if (argc < 2) {
    std::fprintf(stderr, "usage: worker_throughput WORKER [ARGUMENT…]\n");
    return 2;
  }
  const WorkerCommand command{{argv + 1, argv + argc}, {}};
  codec();
  throughput(command, 1, 1, 2, 20'000);
  throughput(command, 1, 2, 2, 20'000);
  throughput(command, 50, 1, 2, 2'000);
  throughput(command, 50, 2, 2, 2'000);
  throughput(command, 1, 2, 1'000'000, 10);
  return 0;
}
