#pragma once

#include <sys/types.h>

#include <cerrno>
#include <optional>

// On Linux a small process of ours, the keeper, stands between the harness and each worker. It is
// the reaper of whatever the worker starts, so that nothing gets away from it: neither what leaves
// the worker's process group and session, nor what outlives its own parent. It ends them all when
// the harness says so, and when the harness is gone, in whatever way.
//
// What it cannot do: when the keeper itself is killed, the worker dies with it, but what the worker
// started in turn goes on. A process with more rights than ours (setuid) cannot be killed, and one
// that hangs in the kernel dies once it leaves that.

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
  // std::system_error with the system's words when it cannot be started.
  explicit Keeper(const KeptCommand& command);

  // The keeper ends what it keeps.
  ~Keeper();

  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  pid_t worker() const { return worker_; }

  // Whether the worker ended. Does not wait.
  bool workerEnded();

  // As waitpid() gives it; nothing when the keeper was killed before it could tell, or does not
  // know yet.
  std::optional<int> workerStatus() const { return status_; }

  // Tells the keeper to end everything that it keeps, itself last. Does not wait.
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
  bool silent_ = false;      // it will say no more
};

}  // namespace dmlcts::gpu
