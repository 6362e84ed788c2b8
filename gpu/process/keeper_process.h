#pragma once

// The messages between keeper and harness, and the keeper's main function. See keeper.h.

namespace dmlcts::gpu {

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
