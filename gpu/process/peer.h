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

// What hosts a target, as the client needs it: another process, or a thread of this one.

namespace dmlcts::gpu {

// What to start. argv[0] is searched in PATH when it has no slash. `environment` is added to this
// process's own. Where there is a `hosted`, it is called on a thread of this process instead, until
// it returns an exit status: for debuggers, since nothing can end it and its crash is this
// process's.
struct WorkerCommand {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;
  std::function<int(StandardStreams streams)> hosted = {};
};

// How a worker ended.
struct Ending {
  bool clean = false;  // by itself, with exit status 0
  std::string how;     // "exit status 3", "signal 11 (SIGSEGV)"
};

class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  struct Transfer {
    size_t written = 0;        // of `toWrite`
    size_t read = 0;           // into `toRead`
    bool outputEnded = false;  // it closed its stdout, and all of it was read
    bool inputEnded = false;   // nobody will read what is written
  };

  // Waits up to `wait` until something can move, then moves at most one piece each of stdin and
  // stdout. Collects stderr on the way. Never blocks otherwise.
  virtual Transfer transfer(std::span<const uint8_t> toWrite, std::span<uint8_t> toRead,
                            std::chrono::milliseconds wait) = 0;

  // Bytes written to its stdin that it has not taken out yet; 0 where that is not known.
  virtual size_t unreadInput() const = 0;

  virtual void closeInput() = 0;

  // Whether it ended. Does not wait.
  virtual bool exited() const = 0;

  // Waits up to `grace` for it to end by itself, then kills it and all that it started. Bounded in
  // time also when the kernel cannot kill it. Afterwards only takeStderr() makes sense.
  virtual Ending end(std::chrono::milliseconds grace) = 0;

  // The last 64 KiB of its stderr since the last call, as UTF-8.
  virtual std::string takeStderr() = 0;

  virtual int64_t id() const = 0;
};

// Throws std::runtime_error, naming the command, when it cannot be started.
std::unique_ptr<Peer> startPeer(const WorkerCommand& command);

}  // namespace dmlcts::gpu
