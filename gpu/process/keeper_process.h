#pragma once

#include "gpu/process/keeper.h"

// The messages between keeper and harness, and the keeper's main function. See keeper.h.

namespace dmlcts::gpu {

// The keeper's notes to the harness, one packet each. The harness only ever closes the connection.
struct KeeperNote {
  enum class Kind : int { Started, NotStarted, Ended };
  Kind kind = Kind::Started;
  int value = 0;  // Started: the worker's process id; NotStarted: errno; Ended: waitpid() status
};

// Runs the keeper in a process just forked with all signals blocked. `control` is its end of the
// connection.
[[noreturn]] void keep(int control, const KeptCommand& command);

}  // namespace dmlcts::gpu
