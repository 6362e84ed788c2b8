#pragma once

#include <sys/types.h>

#include <cerrno>
#include <optional>

// On Linux a small process of ours, the keeper, stands between the harness and each worker. It is
// the reaper of whatever the worker starts, so that nothing escapes it: neither what leaves
// the worker's process group and session, nor what outlives its own parent. It kills them all when
// the harness says so, and when the harness has ended, for whatever reason.
//
// What it cannot do: when the keeper itself is killed, the worker dies with it, but what the worker
// started in turn keeps running. A process with more rights than ours (setuid) cannot be killed,
// and one that hangs in the kernel dies only when it returns from there.

namespace dmlcts::gpu {

struct KeptCommand {
  int in = -1;  // the worker's ends of its streams, none of them 0, 1 or 2
  int out = -1;
  int err = -1;
  char* const* argv = nullptr;   // ended by a null pointer; argv[0] is searched in PATH
  char** environment = nullptr;  // likewise
};

class Keeper {
 public:
  // Starts a keeper, which starts the command. Returns once the program runs. Throws
  // std::system_error with the system's message when it cannot be started.
  explicit Keeper(const KeptCommand& command);

  // The keeper ends what it keeps.
  ~Keeper();

  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  pid_t worker() const { return worker_; }

  // Whether the worker ended. Does not wait.
  bool workerEnded();

  // As waitpid() gives it; nothing when the keeper was killed before it could say, or does not
  // know yet.
  std::optional<int> workerStatus() const { return status_; }

  // Tells the keeper to kill everything that it keeps, then itself. Does not wait.
  void dismiss();

  // Whether the keeper is gone, and with it all that it kept. Does not wait.
  bool gone();

 private:
  void hear(bool wait);

  pid_t pid_ = -1;  // -1: gone
  int control_ = -1;
  pid_t worker_ = -1;
  std::optional<int> status_;
  int startError_ = ECHILD;  // why the worker could not be started
  bool silent_ = false;      // no more notes will come
};

}  // namespace dmlcts::gpu
