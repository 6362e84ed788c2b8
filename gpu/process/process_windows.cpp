#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gpu/process/process.h"
#include "gpu/process/start_windows.h"
#include "gpu/process/text_tail.h"

namespace dmlcts::gpu {
namespace {

// A named pipe that nobody else can open, because anonymous pipes lack overlapped transfers. The
// harness's end is overlapped; the worker's is an ordinary one.
struct Pipe {
  Handle ours;
  Handle theirs;
};

// The harness's end of a pipe, with at most one piece in transit.
class Channel {
 public:
  static constexpr size_t kPieceBytes = 64 * 1024;

  Channel() = default;
  ~Channel() { close(); }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void take(Handle pipe);

  bool open() const { return pipe_.open(); }
  bool pending() const { return pending_; }
  bool broken() const { return broken_; }
  HANDLE event() const { return event_.get(); }

  // Returns the bytes that arrived and are not dropped yet.
  std::span<const uint8_t> arrived() const {
    return std::span(piece_).subspan(begin_, end_ - begin_);
  }
  void drop(size_t bytes) { begin_ += bytes; }

  // Requests the next piece, unless one is here or in transit.
  void startRead();

  // Starts writing a piece, unless one is in transit. Returns the bytes taken.
  size_t startWrite(std::span<const uint8_t> bytes);

  // Finishes transfers that have completed.
  void settle();

  void close();

 private:
  template <class Call>
  void start(const Call& call);
  void finish();

  Handle pipe_;
  Handle event_;
  OVERLAPPED overlapped_{};
  std::vector<uint8_t> piece_;
  size_t begin_ = 0;  // unread part of piece_: start
  size_t end_ = 0;
  bool pending_ = false;
  bool broken_ = false;
};

constexpr DWORD kPipeBytes = 1024 * 1024;

// Creates a pipe that the harness writes (`weWrite`) or reads. The worker's end can be inherited.
// Throws std::runtime_error.
Pipe makePipe(bool weWrite) {
  static std::atomic<uint64_t> counter{0};
  const std::wstring name = L"\\\\.\\pipe\\dmlcts-" + std::to_wstring(GetCurrentProcessId()) +
                            L"-" + std::to_wstring(counter++) + L"-" +
                            std::to_wstring(GetTickCount64());
  Pipe pipe;
  pipe.ours = Handle(
      CreateNamedPipeW(name.c_str(),
                       (weWrite ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) |
                           FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                       PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                       1, kPipeBytes, kPipeBytes, 0, nullptr));
  if (!pipe.ours.open()) fail("cannot make a pipe", GetLastError());
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  pipe.theirs = Handle(CreateFileW(name.c_str(), weWrite ? GENERIC_READ : GENERIC_WRITE, 0,
                                   &inheritable, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!pipe.theirs.open()) fail("cannot open a pipe", GetLastError());
  return pipe;
}

void Channel::take(Handle pipe) {
  pipe_ = std::move(pipe);
  event_ = Handle(CreateEventW(nullptr, TRUE, FALSE, nullptr));
  if (!event_.open()) fail("cannot make an event", GetLastError());
  piece_.resize(kPieceBytes);
}

template <class Call>
void Channel::start(const Call& call) {
  overlapped_ = {};
  overlapped_.hEvent = event_.get();
  ResetEvent(event_.get());
  if (!call(&overlapped_)) {
    const DWORD error = GetLastError();
    if (error != ERROR_IO_PENDING) {
      broken_ = true;
      return;
    }
  }
  pending_ = true;
  settle();
}

void Channel::startRead() {
  if (!open() || pending_ || broken_ || begin_ < end_) return;
  begin_ = end_ = 0;
  start([this](OVERLAPPED* overlapped) {
    return ReadFile(pipe_.get(), piece_.data(), static_cast<DWORD>(piece_.size()), nullptr,
                    overlapped);
  });
}

size_t Channel::startWrite(std::span<const uint8_t> bytes) {
  if (!open() || pending_ || broken_) return 0;
  const size_t count = std::min(bytes.size(), piece_.size());
  std::copy_n(bytes.begin(), count, piece_.begin());
  start([&](OVERLAPPED* overlapped) {
    return WriteFile(pipe_.get(), piece_.data(), static_cast<DWORD>(count), nullptr, overlapped);
  });
  return broken_ ? 0 : count;
}

void Channel::settle() {
  if (!pending_ || WaitForSingleObject(event_.get(), 0) != WAIT_OBJECT_0) return;
  finish();
}

void Channel::close() {
  if (pending_) {
    // The system must release the buffer before it is destroyed.
    CancelIoEx(pipe_.get(), &overlapped_);
    finish();
  }
  pipe_.close();
}

void Channel::finish() {
  DWORD bytes = 0;
  if (GetOverlappedResult(pipe_.get(), &overlapped_, &bytes, TRUE)) {
    end_ = begin_ + bytes;
  } else {
    broken_ = true;
  }
  pending_ = false;
}

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr size_t kStderrBytes = 64 * 1024;
constexpr size_t kLastStderrBytes = 1024 * 1024;  // limit of reading after the process has ended
constexpr milliseconds kKillPatience{5000};
constexpr DWORD kExitPatience = 500;  // ms from the end of a process's streams to its own
constexpr UINT kKilled = 0x4b494c4c;  // exit status of processes killed here

constexpr std::pair<DWORD, const char*> kExceptions[] = {
    {0x80000003, "breakpoint"},
    {0xC0000005, "access violation"},
    {0xC0000006, "page could not be read"},
    {0xC000001D, "illegal instruction"},
    {0xC0000094, "integer division by zero"},
    {0xC00000FD, "stack overflow"},
    {0xC0000135, "a DLL was not found"},
    {0xC0000139, "a DLL lacks a function"},
    {0xC000013A, "Ctrl-C"},
    {0xC0000374, "heap corruption"},
    {0xC0000409, "stack overrun, or fail-fast"},
    {0xE06D7363, "C++ exception"},
};

Ending ending(DWORD code) {
  if (code == kKilled) return {false, "killed"};
  if (code < 0x80000000) return {code == 0, "exit status " + std::to_string(code)};
  char hex[11];
  std::snprintf(hex, sizeof hex, "0x%08lX", static_cast<unsigned long>(code));
  std::string text = std::string("exception ") + hex;
  for (const auto& [known, name] : kExceptions) {
    if (known == code) text += std::string(" (") + name + ")";
  }
  return {false, text};
}

}  // namespace

struct Process::State {
  Handle job;
  Handle process;  // closed: gone or given up
  DWORD id = 0;
  Channel in;
  Channel out;
  Channel err;
  Handle unread;  // the worker's end of `in`, to count its unread bytes
  bool inputClosing = false;
  TextTail stderrTail{kStderrBytes};

  // Reads one piece of stderr; returns the bytes moved.
  size_t readStderr() {
    err.startRead();
    err.settle();
    const auto text = err.arrived();
    if (!text.empty()) {
      stderrTail.append({reinterpret_cast<const char*>(text.data()), text.size()});
    }
    err.drop(text.size());
    return text.size();
  }

  void closeInputOnceWritten() {
    in.settle();
    if (inputClosing && !in.pending()) in.close();
  }
};

Process::Process(const WorkerCommand& command) : state_(std::make_unique<State>()) {
  if (command.argv.empty()) throw std::runtime_error("a worker's command line is empty");
  const std::string what = "cannot start the worker " + command.argv.front();

  std::wstring line = commandLine(command.argv);
  std::wstring environment = mergedEnvironment(command.environment);
  Pipe in = makePipe(true);
  Pipe out = makePipe(false);
  Pipe err = makePipe(false);
  state_->job = makeJob();
  StartAttributes attributes({in.theirs.get(), out.theirs.get(), err.theirs.get()},
                             state_->job.get());
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = in.theirs.get();
  startup.StartupInfo.hStdOutput = out.theirs.get();
  startup.StartupInfo.hStdError = err.theirs.get();
  startup.lpAttributeList = attributes.get();
  PROCESS_INFORMATION started{};
  // A separate group: the harness handles Ctrl-C.
  const DWORD flags =
      EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP;
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, flags, environment.data(),
                      nullptr, &startup.StartupInfo, &started)) {
    fail(what, GetLastError());
  }
  CloseHandle(started.hThread);
  state_->process = Handle(started.hProcess);
  state_->id = started.dwProcessId;
  state_->in.take(std::move(in.ours));
  state_->out.take(std::move(out.ours));
  state_->err.take(std::move(err.ours));
  state_->unread = std::move(in.theirs);
}

Process::~Process() {
  if (state_->process.open()) end(milliseconds(0));
}

Peer::Transfer Process::transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                                 milliseconds wait) {
  State& state = *state_;
  Transfer moved;
  const auto move = [&] {
    state.closeInputOnceWritten();
    if (!toWrite.empty() && !state.inputClosing && moved.written == 0) {
      moved.written = state.in.startWrite(toWrite);
    }
    if (!toRead.empty() && moved.read == 0) {
      state.out.startRead();
      state.out.settle();
      const auto arrived = state.out.arrived();
      moved.read = std::min(arrived.size(), toRead.size());
      std::copy_n(arrived.begin(), moved.read, toRead.begin());
      state.out.drop(moved.read);
    }
    return state.readStderr() > 0 || moved.written > 0 || moved.read > 0;
  };
  if (!move() && wait.count() > 0) {
    std::array<HANDLE, 3> events{};
    DWORD count = 0;
    const bool writing = !toWrite.empty() || state.inputClosing;
    if (state.in.pending() && writing) events[count++] = state.in.event();
    if (state.out.pending() && !toRead.empty()) events[count++] = state.out.event();
    if (state.err.pending()) events[count++] = state.err.event();
    const auto patience = static_cast<DWORD>(wait.count());
    if (count == 0) {
      Sleep(patience);
    } else {
      WaitForMultipleObjects(count, events.data(), FALSE, patience);
    }
    move();
  }
  moved.outputEnded = state.out.broken() && state.out.arrived().empty();
  moved.inputEnded = state.in.broken();
  return moved;
}

size_t Process::unreadInput() const {
  // The system answers only once nobody reads there.
  DWORD bytes = 0;
  if (!state_->unread.open() ||
      WaitForSingleObject(state_->process.get(), kExitPatience) != WAIT_OBJECT_0 ||
      !PeekNamedPipe(state_->unread.get(), nullptr, 0, nullptr, &bytes, nullptr)) {
    return 0;
  }
  return bytes;
}

void Process::closeInput() {
  state_->inputClosing = true;
  state_->closeInputOnceWritten();
}

bool Process::exited() const {
  return !state_->process.open() || WaitForSingleObject(state_->process.get(), 0) == WAIT_OBJECT_0;
}

Ending Process::end(milliseconds grace) {
  State& state = *state_;
  if (!state.process.open()) return {false, "it had ended already"};
  const auto waitForExit = [&](milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    for (;;) {
      while (state.readStderr() == Channel::kPieceBytes && Clock::now() < deadline) {
      }
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      const auto slice = std::clamp<int64_t>(left.count(), 0, 5);
      if (WaitForSingleObject(state.process.get(), static_cast<DWORD>(slice)) == WAIT_OBJECT_0) {
        return true;
      }
      if (Clock::now() >= deadline) return false;
    }
  };
  waitForExit(grace);
  TerminateJobObject(state.job.get(), kKilled);
  Ending result{false, "it could not be killed"};
  DWORD code = 0;
  if (waitForExit(kKillPatience) && GetExitCodeProcess(state.process.get(), &code)) {
    result = ending(code);
  }
  for (size_t drained = 0; drained < kLastStderrBytes;) {
    const size_t count = state.readStderr();
    if (count == 0) break;
    drained += count;
  }
  state.in.close();
  state.out.close();
  state.err.close();
  state.unread.close();
  state.process.close();
  state.job.close();
  return result;
}

std::string Process::takeStderr() { return state_->stderrTail.take(); }

int64_t Process::id() const {
  return state_->process.open() ? static_cast<int64_t>(state_->id) : -1;
}

}  // namespace dmlcts::gpu
