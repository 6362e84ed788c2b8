#include "bench/measure.h"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "conformance/inputs/streamed_inputs.h"
#include "conformance/run/environment.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/lane/lane.h"
#include "reference/counted.h"
#include "reports/compare/significance.h"

namespace dmlcts::bench {
namespace {

// Returns the reason why the answer is not a correct one; empty if it is.
std::string faultOf(const PreparedCase& prepared, const gpu::Timing& timing) {
  if (timing.status != gpu::Status::Executed) {
    const char* what = timing.status == gpu::Status::Rejected        ? "rejected"
                       : timing.status == gpu::Status::NotSupported  ? "not supported"
                       : timing.status == gpu::Status::DeviceRemoved ? "device removed"
                                                                     : "failed";
    return timing.message.empty() ? what : fmt::format("{}: {}", what, timing.message);
  }
  const Comparison comparison =
      compareOutputs(prepared.requests[0], prepared.expected, timing.outputs);
  if (comparison.equal()) return {};
  return fmt::format("wrong outputs: {}, {} beside them; {}",
                     counted(comparison.wrongElements, "element"),
                     counted(comparison.paddingBytes + comparison.guardBytes, "byte"),
                     comparison.differences.empty() ? "" : comparison.differences.front().text());
}

// Returns a copy with each FLOAT32 denormal replaced by a normal number of the same mantissa. Zeros
// stay zeros, so the expected outputs stay valid. Null if there are no denormals.
std::unique_ptr<PreparedCase> withoutDenormals(const PreparedCase& prepared) {
  const Case& testCase = *prepared.testCase;
  const DataType type = tensors(testCase.descriptor).front().desc->type;
  if (!comparesValues(testCase) || type != DataType::Float32) return nullptr;
  auto changed = std::make_unique<PreparedCase>(prepared);
  bool any = false;
  gpu::BufferImage& image = changed->requests[0].inputs[0];
  for (uint64_t at = image.offset; at + 4 <= image.offset + image.size; at += 4) {
    uint32_t bits;
    std::memcpy(&bits, &image.bytes[at], sizeof bits);
    if ((bits & 0x7F800000) != 0 || (bits & 0x007FFFFF) == 0) continue;
    bits |= 0x00800000;
    std::memcpy(&image.bytes[at], &bits, sizeof bits);
    any = true;
  }
  return any ? std::move(changed) : nullptr;
}

using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point first, Clock::time_point last) {
  return std::chrono::duration<double>(last - first).count();
}

// Adds the seconds that the call takes.
auto timed(double& seconds, const auto& call) {
  const auto start = Clock::now();
  auto result = call();
  seconds += secondsBetween(start, Clock::now());
  return result;
}

// Keeps freed memory, here and in the worker: fresh pages take longer than copying their contents.
void keepMemory(gpu::WorkerCommand& command) {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_ARENA_MAX, 1);
#endif
  command.environment.insert(
      {{"MALLOC_MMAP_MAX_", "0"}, {"MALLOC_TRIM_THRESHOLD_", "1152921504606846976"}});
}

// Bytes that a benchmark takes: inputs and expected outputs, both also in a message, and poison.
uint64_t memoryOf(const Work& work) { return 4 * tensorBytes(work.testCase); }

// True if the caches may keep some of the tensors between executions.
bool cachesMayHold(const Work& work, const MeasureOptions& options) {
  return tensorBytes(work.testCase) < 2 * options.cacheBytes;
}

}  // namespace

std::string hotName(const Work& work, const MeasureOptions& options) {
  return cachesMayHold(work, options) ? work.name + "/hot" : work.name;
}

double Ceiling::bytesPerSecond() const {
  if (kernel.empty()) return 0;
  const double time = std::min(median(kernel), region.empty() ? median(kernel) : median(region));
  return static_cast<double>(bytes) / (time * 1e-9);
}

Measurer::Measurer(MeasureOptions options, std::vector<Work> works)
    : options_(std::move(options)), works_(std::move(works)), memory_(availableMemory() / 2) {
  uint64_t most = 0;
  for (const Work& work : works_) most = std::max(most, memoryOf(work));
  if (2 * most <= memory_) keepMemory(options_.command);
  timed(spent_.start, [&] {
    start();
    chooseCaches();
    measureCeiling();
    return 0;
  });
}

Measurer::~Measurer() {
  if (worker_ && worker_->usable()) worker_->finish(std::chrono::seconds(5));
}

std::string Measurer::workerWords(const gpu::Failure& failure) {
  std::string text = gpu::describe(failure);
  const std::string message = worker_->takeStderr();
  if (!message.empty()) text += "\n" + message;
  return text;
}

void Measurer::start() {
  worker_.reset();
  worker_.emplace(options_.command);
  worker_->cancelWhen(options_.cancel);
  auto outcome = worker_->hello(options_.startTimeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    throwNotStarted(*failure, worker_->takeStderr());
  }
  gpu::Hello& hello = std::get<gpu::Hello>(outcome);
  const auto capabilities = std::move(hello.capabilities).value_or(std::vector<std::string>{});
  evicts_ = std::ranges::find(capabilities, gpu::kEvict) != capabilities.end();
  identity_ = std::move(hello.identity);
  options_.required.check(identity_);
}

void Measurer::chooseCaches() {
  if (options_.caches == Caches::Cold && !evicts_) {
    throw std::runtime_error(
        fmt::format("--cold: the worker's hello does not name the capability \"{}\"", gpu::kEvict));
  }
  for (Work& work : works_) {
    const bool small = cachesMayHold(work, options_);
    const bool cold =
        options_.caches == Caches::Cold || (options_.caches == Caches::BySize && small && evicts_);
    cold_.push_back(cold);
    if (!cold) work.name = hotName(work, options_);
  }
}

uint64_t Measurer::evictedMiB() const {
  return std::ranges::any_of(cold_, std::identity()) ? options_.cacheBytes >> 20 : 0;
}

void Measurer::measureCeiling() {
  auto outcome = worker_->copy(options_.copyBytes, options_.repetitions, options_.timeout);
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    ceiling_.missing = workerWords(*failure);
    if (!cancelled()) start();
    return;
  }
  auto& copied = std::get<gpu::CopyTiming>(outcome);
  if (copied.status != gpu::Status::Executed || copied.kernel.empty()) {
    ceiling_.missing = copied.message;
    return;
  }
  ceiling_ = {2 * options_.copyBytes, std::move(copied.kernel), std::move(copied.region),
              std::move(copied.dispatch), ""};
}

// Prepares benchmarks from `first` on, while `index` is measured and the one before is compared.
void Measurer::makeReady(size_t first, size_t index) {
  const size_t most = std::max(3u, std::thread::hardware_concurrency()) - 2;
  uint64_t bytes = memoryOf(works_[index]) + (index > 0 ? memoryOf(works_[index - 1]) : 0);
  for (const auto& [other, prepared] : preparing_) bytes += memoryOf(works_[other]);
  for (size_t next = preparing_.empty() ? first : preparing_.back().first + 1;
       next < works_.size() && preparing_.size() < most; ++next) {
    bytes += next == index ? 0 : memoryOf(works_[next]);
    if (next != index && bytes > memory_) break;
    preparing_.emplace_back(
        next, std::async(std::launch::async, [this, next] {
          PreparedCase prepared = prepare(works_[next].testCase, 1);
          gpu::Bytes order = orderOf(prepared, next);
          return std::make_shared<ReadyWork>(ReadyWork{std::move(prepared), std::move(order)});
        }));
  }
}

Measurer::Ready Measurer::ready(size_t index) {
  makeReady(index, index);
  while (preparing_.front().first < index) preparing_.pop_front();
  Ready prepared = preparing_.front().second.get();
  preparing_.pop_front();
  makeReady(index + 1, index);
  return prepared;
}

gpu::Bytes Measurer::orderOf(const PreparedCase& prepared, size_t index) const {
  return gpu::encodeTime(prepared.requests[0], options_.repetitions,
                         cold_[index] ? options_.cacheBytes : 0);
}

// Returns the outputs and times; nothing, with the reason in `result`, if the worker failed.
std::optional<gpu::Timing> Measurer::time(const PreparedCase& prepared, gpu::Bytes order,
                                          Measurement& result) {
  if (!worker_->usable()) start();
  const auto start = Clock::now();
  auto outcome =
      worker_->time(std::move(order), prepared.requests[0], options_.repetitions, options_.timeout);
  const auto [sent, answering] = worker_->moments();
  spent_.sending += secondsBetween(start, sent);
  spent_.worker += secondsBetween(sent, answering);
  spent_.receiving += secondsBetween(answering, Clock::now());
  if (const auto* failure = std::get_if<gpu::Failure>(&outcome)) {
    result.failure = workerWords(*failure);
    result.cancelled = std::holds_alternative<gpu::Cancelled>(*failure);
    return std::nullopt;
  }
  auto& timing = std::get<gpu::Timing>(outcome);
  result.nanoseconds = std::move(timing.nanoseconds);
  result.passes = std::move(timing.passes);
  return std::move(timing);
}

std::future<Measurement> Measurer::measure(size_t index) {
  Measurement result;
  Ready work;
  std::future<std::string> fault;
  try {
    work = timed(spent_.inputs, [&] { return ready(index); });
    result.bytes = bytesMoved(work->prepared);
    result.elements = elementsOf(works_[index].testCase);
    if (auto timing = time(work->prepared, std::move(work->order), result)) {
      fault = std::async(std::launch::async, [work, timing = *std::move(timing)] {
        return faultOf(work->prepared, timing);
      });
    }
  } catch (const gpu::ProtocolError& error) {  // exceeds the message size limit
    result.failure = error.what();
  }
  return std::async(std::launch::deferred, [this, index, work, result = std::move(result),
                                            fault = std::move(fault)]() mutable {
    if (!fault.valid()) return result;  // not answered
    result.failure = timed(spent_.comparing, [&] { return fault.get(); });
    if (result.failure.empty()) return result;
    const auto normal = withoutDenormals(work->prepared);
    if (!normal) return result;
    Measurement again = result;
    const auto timing = time(*normal, orderOf(*normal, index), again);
    if (timing) again.failure = faultOf(*normal, *timing);
    again.withoutDenormals = true;
    return again.failure.empty() || again.cancelled ? again : result;
  });
}

}  // namespace dmlcts::bench
