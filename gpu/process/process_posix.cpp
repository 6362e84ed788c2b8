#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "gpu/process/keeper.h"
#include "gpu/process/process.h"
#include "gpu/process/text_tail.h"

extern char** environ;

namespace dmlcts::gpu {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kStderrBytes = 64 * 1024;
constexpr size_t kPieceBytes = 64 * 1024;
constexpr size_t kLastStderrBytes = 1024 * 1024;  // limit of reading after the process has ended
constexpr int kPipeBytes = 1024 * 1024;
constexpr milliseconds kKillPatience{5000};

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + std::strerror(error));
}

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  FileDescriptor readEnd;
  FileDescriptor writeEnd;
};

// Both ends close on exec and are above the standard descriptors, for a safe dup2 onto those.
Pipe makePipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  Pipe pipe{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
  for (FileDescriptor* end : {&pipe.readEnd, &pipe.writeEnd}) {
    if (end->get() > STDERR_FILENO) continue;
    FileDescriptor moved(::fcntl(end->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!moved.open()) fail("cannot move a pipe", errno);
    *end = std::move(moved);
  }
  return pipe;
}

void makeNonBlocking(const FileDescriptor& fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) < 0) {
    fail("cannot make a pipe non-blocking", errno);
  }
}

void enlarge(const FileDescriptor& pipe) {
  ::fcntl(pipe.get(), F_SETPIPE_SZ, kPipeBytes);  // optional: the default also works
}

// Turns a write to a dead worker into EPIPE without changing this process's SIGPIPE handling. The
// signal goes to the writing thread, which blocks and removes it.
class SigpipeBlocked {
 public:
  SigpipeBlocked() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    wasPending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }

  ~SigpipeBlocked() {
    sigset_t pending;
    sigpending(&pending);
    if (!wasPending_ && sigismember(&pending, SIGPIPE) == 1) {
      int taken = 0;
      sigwait(&sigpipe_, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

  SigpipeBlocked(const SigpipeBlocked&) = delete;
  SigpipeBlocked& operator=(const SigpipeBlocked&) = delete;

 private:
  sigset_t sigpipe_{};
  sigset_t before_{};
  bool wasPending_ = false;
};

Ending ending(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const name = ::sigabbrev_np(signal);
    return {false,
            "signal " + std::to_string(signal) + (name ? " (SIG" + std::string(name) + ")" : "")};
  }
  const int code = WEXITSTATUS(status);
  return {code == 0, "exit status " + std::to_string(code)};
}

std::vector<std::string> mergedEnvironment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!added.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + '=' + value);
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

bool wouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

struct Process::State {
  std::optional<Keeper> keeper;  // none: gone or given up
  FileDescriptor in;
  FileDescriptor out;
  FileDescriptor err;
  bool outputEnded = false;
  bool inputEnded = false;
  TextTail stderrTail{kStderrBytes};
  std::array<char, kPieceBytes> piece;

  // Reads one piece of stderr; returns the bytes moved.
  size_t readStderr() {
    const ssize_t count = ::read(err.get(), piece.data(), piece.size());
    if (count > 0) {
      stderrTail.append({piece.data(), static_cast<size_t>(count)});
      return static_cast<size_t>(count);
    }
    if (count == 0 || !wouldBlock(errno)) err.close();
    return 0;
  }

  size_t readOutput(std::span<uint8_t> into) {
    const ssize_t count = ::read(out.get(), into.data(), into.size());
    if (count > 0) return static_cast<size_t>(count);
    if (count == 0 || !wouldBlock(errno)) outputEnded = true;
    return 0;
  }

  size_t writeInput(std::span<const uint8_t> from) {
    const SigpipeBlocked blocked;
    const int64_t count = writeToPipe(in.get(), from);
    if (count >= 0) return static_cast<size_t>(count);
    if (!wouldBlock(errno)) inputEnded = true;
    return 0;
  }
};

Process::Process(const WorkerCommand& command) : state_(std::make_unique<State>()) {
  if (command.argv.empty()) throw std::runtime_error("a worker's command line is empty");
  const std::string what = "cannot start the worker " + command.argv.front();

  std::vector<std::string> arguments = command.argv;
  std::vector<std::string> environment = mergedEnvironment(command.environment);
  const std::vector<char*> argv = pointers(arguments);
  std::vector<char*> envp = pointers(environment);
  Pipe in = makePipe();
  Pipe out = makePipe();
  Pipe err = makePipe();
  makeNonBlocking(in.writeEnd);  // this side only: the worker's ends stay blocking
  makeNonBlocking(out.readEnd);
  makeNonBlocking(err.readEnd);
  enlarge(in.writeEnd);
  enlarge(out.readEnd);

  try {
    state_->keeper.emplace(KeptCommand{in.readEnd.get(), out.writeEnd.get(), err.writeEnd.get(),
                                       argv.data(), envp.data()});
  } catch (const std::system_error& error) {
    fail(what, error.code().value());
  }
  state_->in = std::move(in.writeEnd);
  state_->out = std::move(out.readEnd);
  state_->err = std::move(err.readEnd);
}

Process::~Process() {
  if (state_->keeper) end(milliseconds(0));
}

Peer::Transfer Process::transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                                 milliseconds wait) {
  State& state = *state_;
  // poll() ignores entries with a negative descriptor.
  const bool writing = state.in.open() && !state.inputEnded && !toWrite.empty();
  const bool reading = state.out.open() && !state.outputEnded && !toRead.empty();
  std::array<pollfd, 3> fds{{{writing ? state.in.get() : -1, POLLOUT, 0},
                             {reading ? state.out.get() : -1, POLLIN, 0},
                             {state.err.get(), POLLIN, 0}}};
  Transfer moved;
  if (::poll(fds.data(), fds.size(), static_cast<int>(wait.count())) > 0) {
    if (fds[0].revents != 0) moved.written = state.writeInput(toWrite);
    if (fds[1].revents != 0) moved.read = state.readOutput(toRead);
    if (fds[2].revents != 0) state.readStderr();
  }
  moved.outputEnded = state.outputEnded;
  moved.inputEnded = state.inputEnded;
  return moved;
}

size_t Process::unreadInput() const {
  int count = 0;
  if (!state_->in.open() || ::ioctl(state_->in.get(), FIONREAD, &count) != 0) return 0;
  return static_cast<size_t>(std::max(count, 0));
}

void Process::closeInput() { state_->in.close(); }

bool Process::exited() const { return !state_->keeper || state_->keeper->workerEnded(); }

Ending Process::end(milliseconds grace) {
  State& state = *state_;
  if (!state.keeper) return {false, "it had ended already"};
  Keeper& keeper = *state.keeper;
  const auto waitUntil = [&](const auto& happened, milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    for (auto pause = std::chrono::microseconds(50); !happened();) {
      if (Clock::now() >= deadline) return;
      while (state.err.open() && state.readStderr() == kPieceBytes && Clock::now() < deadline) {
      }
      std::this_thread::sleep_for(pause);
      pause = std::min<std::chrono::microseconds>(2 * pause, milliseconds(5));
    }
  };
  waitUntil([&] { return keeper.workerEnded(); }, grace);
  keeper.dismiss();
  waitUntil([&] { return keeper.gone(); }, kKillPatience);
  Ending result{false, "it could not be killed"};
  if (keeper.workerEnded()) {
    const std::optional<int> status = keeper.workerStatus();
    result = status ? ending(*status) : Ending{false, "killed, with the process that keeps it"};
  }
  state.keeper.reset();
  for (size_t drained = 0; state.err.open() && drained < kLastStderrBytes;) {
    const size_t count = state.readStderr();
    if (count == 0) break;
    drained += count;
  }
  state.in.close();
  state.out.close();
  state.err.close();
  return result;
}

std::string Process::takeStderr() { return state_->stderrTail.take(); }

int64_t Process::id() const { return state_->keeper ? state_->keeper->worker() : -1; }

}  // namespace dmlcts::gpu
