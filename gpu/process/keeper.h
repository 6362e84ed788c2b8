#pragma once

#include <sys/types.h>

#include <cerrno>
#include <optional>

// On Linux a small process, the keeper, stands between the harness and each worker. It is the
// subreaper of everything that the worker starts, so that nothing escapes: no other process group
// or session, no orphan. It kills them all when told to, or when the harness ends for any reason.
//
// Limits: if the keeper itself is killed, the worker dies too, but processes that the worker
// started keep running. A process with more rights (setuid) cannot be killed. One that hangs in the
// kernel dies only when it returns.

namespace dmlcts::gpu {

struct KeptCommand {
  int in = -1;  // the worker's ends of its streams, none of them 0, 1 or 2
  int out = -1;
  int err = -1;
  char* const* argv = nullptr;         // null-terminated; argv[0] is searched in PATH
  char* const* environment = nullptr;  // the same
};

// The harness's end of one keeper.
class Keeper {
 public:
  // Starts a keeper, which starts the command. Returns once the program runs. Throws
  // std::system_error, with the system's message, if it cannot start.
  explicit Keeper(const KeptCommand& command);

  // Makes the keeper end all its processes.
  ~Keeper();

  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  pid_t worker() const { return worker_; }

  // True if the worker ended. Does not wait.
  bool workerEnded();

  // Returns the status as waitpid() gives it; empty while unknown, or if the keeper was killed too
  // early.
  std::optional<int> workerStatus() const { return status_; }

  // Tells the keeper to kill all its processes and then itself. Does not wait.
  void dismiss();

  // True if the keeper and all its processes are gone. Does not wait.
  bool gone();

 private:
  void receiveNote(bool wait);

  pid_t pid_ = -1;  // -1: gone
  int control_ = -1;
  pid_t worker_ = -1;
  std::optional<int> status_;
  int startError_ = ECHILD;    // reason why the worker did not start
  bool disconnected_ = false;  // no more notes will come
};

// The keeper's notes to the harness, one packet each. The harness only ever closes the connection.
struct KeeperNote {
  enum class Kind : int { Started, NotStarted, Ended };
  Kind kind = Kind::Started;
  int value = 0;  // Started: the worker's process id; NotStarted: errno; Ended: waitpid() status
};

// A keeper is the harness's program with this name; it becomes one before main().
inline constexpr char kKeeperName[] = "dmlcts-keeper";
inline constexpr int kControl = 3;  // its end of the connection, behind the worker's streams

// Runs the keeper of a null-terminated command in a process with all signals blocked.
[[noreturn]] void keep(char** argv);

}  // namespace dmlcts::gpu
