#include "gpu/process/in_process.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "gpu/process/process.h"

namespace dmlcts::gpu {
namespace {

using Lock = std::unique_lock<std::mutex>;
constexpr size_t kPipeBytes = 1 << 20;
constexpr std::chrono::seconds kLeave{5};  // to join an abandoned thread

// The bytes in transit in one direction.
struct Pipe {
  std::vector<uint8_t> bytes;
  size_t taken = 0;
  bool closed = false;  // no more bytes will come

  bool empty() const { return taken == bytes.size(); }
  bool full() const { return bytes.size() - taken >= kPipeBytes; }

  size_t put(std::span<const uint8_t> from) {
    const size_t count = std::min(from.size(), kPipeBytes - (bytes.size() - taken));
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(taken));
    taken = 0;
    bytes.insert(bytes.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }

  size_t take(std::span<uint8_t> into) {
    const size_t count = std::min(into.size(), bytes.size() - taken);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(taken), count, into.begin());
    taken += count;
    return count;
  }
};

}  // namespace

struct InProcess::Pipes {
  std::mutex mutex;
  std::condition_variable changed;
  Pipe in;
  Pipe out;
  bool abandoned = false;     // nobody reads `out`
  std::optional<int> status;  // set once it has returned
};

class InProcess::Source final : public ByteSource {
 public:
  explicit Source(std::shared_ptr<Pipes> pipes) : pipes_(std::move(pipes)) {}

  size_t read(std::span<uint8_t> into) override {
    Lock lock(pipes_->mutex);
    pipes_->changed.wait(lock, [&] { return !pipes_->in.empty() || pipes_->in.closed; });
    const size_t count = pipes_->in.take(into);
    pipes_->changed.notify_all();
    return count;
  }

 private:
  std::shared_ptr<Pipes> pipes_;
};

class InProcess::Sink final : public ByteSink {
 public:
  explicit Sink(std::shared_ptr<Pipes> pipes) : pipes_(std::move(pipes)) {}

  bool write(std::span<const uint8_t> bytes) override {
    Lock lock(pipes_->mutex);
    while (!bytes.empty() && !pipes_->abandoned) {
      pipes_->changed.wait(lock, [&] { return !pipes_->out.full() || pipes_->abandoned; });
      bytes = bytes.subspan(pipes_->out.put(bytes));
      pipes_->changed.notify_all();
    }
    return !pipes_->abandoned;
  }

 private:
  std::shared_ptr<Pipes> pipes_;
};

InProcess::InProcess(const std::function<int(StandardStreams streams)>& serve)
    : pipes_(std::make_shared<Pipes>()) {
  thread_ = std::thread([pipes = pipes_, serve] {
    const int status = serve({std::make_unique<Source>(pipes), std::make_unique<Sink>(pipes)});
    const Lock lock(pipes->mutex);
    pipes->status = status;
    pipes->changed.notify_all();
  });
}

InProcess::~InProcess() {
  if (thread_.joinable()) end({});
}

Peer::Transfer InProcess::transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                                   std::chrono::milliseconds wait) {
  Pipes& pipes = *pipes_;
  Lock lock(pipes.mutex);
  pipes.changed.wait_for(lock, wait, [&] {
    return (!toWrite.empty() && !pipes.in.full()) || (!toRead.empty() && !pipes.out.empty()) ||
           pipes.status;
  });
  Transfer moved;
  moved.inputEnded = pipes.status.has_value();
  if (!moved.inputEnded) moved.written = pipes.in.put(toWrite);
  moved.read = pipes.out.take(toRead);
  moved.outputEnded = pipes.status && pipes.out.empty();
  pipes.changed.notify_all();
  return moved;
}

size_t InProcess::unreadInput() const {
  const Lock lock(pipes_->mutex);
  return pipes_->in.bytes.size() - pipes_->in.taken;
}

void InProcess::closeInput() {
  const Lock lock(pipes_->mutex);
  pipes_->in.closed = true;
  pipes_->changed.notify_all();
}

bool InProcess::exited() const {
  const Lock lock(pipes_->mutex);
  return pipes_->status.has_value();
}

Ending InProcess::end(std::chrono::milliseconds grace) {
  if (!thread_.joinable()) return {false, "it had ended already"};
  Pipes& pipes = *pipes_;
  Lock lock(pipes.mutex);
  const auto ended = [&] { return pipes.status.has_value(); };
  pipes.changed.wait_for(lock, grace, ended);
  pipes.in = {{}, 0, true};
  pipes.abandoned = true;
  pipes.changed.notify_all();
  pipes.changed.wait_for(lock, kLeave, ended);
  const std::optional<int> status = pipes.status;
  lock.unlock();
  if (!status) {
    thread_.detach();
    return {false, "a thread that cannot be ended, and runs on"};
  }
  thread_.join();
  return {*status == 0, "exit status " + std::to_string(*status)};
}

std::unique_ptr<Peer> startPeer(const WorkerCommand& command) {
  if (command.onThread) return std::make_unique<InProcess>(command.onThread);
  return std::make_unique<Process>(command);
}

}  // namespace dmlcts::gpu
