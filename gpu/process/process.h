#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// A child process with its three standard streams, as the client needs it. One implementation per
// platform.

namespace dmlcts::gpu {

// What to start. argv[0] is searched in PATH when it has no slash. `environment` is added to this
// process's own.
struct WorkerCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
};

// How a process ended.
struct Ending {
  bool clean = false;  // by itself, with exit status 0
  std::string how;     // "exit status 3", "signal 11 (SIGSEGV)"
};

class Process {
 public:
  // Throws std::runtime_error, naming the command, when it cannot be started.
  //
  // The process, and whatever it starts in turn, ends with this object and with this process,
  // however that ends; keeper.h says with which exceptions on Linux. On Windows a job does it.
  explicit Process(const WorkerCommand& command);

  // Kills it if it is still there.
  ~Process();

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  struct Transfer {
    size_t written = 0;        // of `toWrite`
    size_t read = 0;           // into `toRead`
    bool outputEnded = false;  // the process closed its stdout, and all of it was read
    bool inputEnded = false;   // nobody will read what is written
  };

  // Waits up to `wait` until something can move, then moves at most one piece each of stdin and
  // stdout. Collects stderr on the way. Never blocks otherwise.
  Transfer transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                    std::chrono::milliseconds wait);

  // Bytes written to its stdin that it has not taken out yet; 0 where that is not known.
  size_t unreadInput() const;

  void closeInput();

  // Whether it ended. Does not wait.
  bool exited() const;

  // Waits up to `grace` for it to end by itself, then kills it and all that it started. Bounded in
  // time also when the kernel cannot kill it. Afterwards only takeStderr() makes sense.
  Ending end(std::chrono::milliseconds grace);

  // The last 64 KiB of its stderr since the last call, as UTF-8.
  std::string takeStderr();

  int64_t id() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dmlcts::gpu
