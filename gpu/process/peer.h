#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/process/streams.h"

// The host of a target, as the client sees it: another process, or a thread of this one.

namespace dmlcts::gpu {

// The command to start. argv[0] is searched in PATH if it has no slash. Adds `environment` to this
// process's own. If `onThread` is set, calls it instead, on a thread of this process, until it
// returns an exit status. That is for debuggers: nothing can end it, and its crash is this
// process's.
struct WorkerCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
  std::function<int(StandardStreams streams)> onThread = {};
};

// The end of a worker.
struct Ending {
  bool clean = false;  // by itself, with exit status 0
  std::string how;     // "exit status 3", "signal 11 (SIGSEGV)"
};

// A running worker at the other end of three pipes: a Process, or InProcess.
class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  struct Transfer {
    size_t written = 0;        // of `toWrite`
    size_t read = 0;           // into `toRead`
    bool outputEnded = false;  // it closed its stdout, which has been read completely
    bool inputEnded = false;   // nobody will read further writes
  };

  // Waits up to `wait` until bytes can move, then moves at most one piece each of stdin and stdout.
  // Also collects stderr. Never blocks otherwise.
  virtual Transfer transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                            std::chrono::milliseconds wait) = 0;

  // Returns the bytes written to its stdin that it has not read; 0 if unknown.
  virtual size_t unreadInput() const = 0;

  virtual void closeInput() = 0;

  // True if it ended. Does not wait.
  virtual bool exited() const = 0;

  // Waits up to `grace` for it to end, then kills it and everything that it started. Returns in
  // bounded time even if the kernel cannot kill it. Call only takeStderr() afterwards.
  virtual Ending end(std::chrono::milliseconds grace) = 0;

  // Returns the last 64 KiB of its stderr since the last call, as UTF-8.
  virtual std::string takeStderr() = 0;

  virtual int64_t id() const = 0;
};

// Throws std::runtime_error, naming the command, if it cannot be started.
std::unique_ptr<Peer> startPeer(const WorkerCommand& command);

}  // namespace dmlcts::gpu
