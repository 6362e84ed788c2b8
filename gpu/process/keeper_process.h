#pragma once

#include "gpu/process/keeper.h"

// What the keeper and the harness say to each other, and the keeper's own part. See keeper.h.

namespace dmlcts::gpu {

// The keeper's notes to the harness, one packet each. The harness sends nothing; the end of the
// connection is its only message.
struct KeeperNote {
  enum class Kind : int { Started, NotStarted, Ended };
  Kind kind = Kind::Started;
  int value = 0;  // the worker's process id, an errno, a status as waitpid() gives it
};

// The life of the keeper, in a process just forked with all signals blocked: `control` is its end
// of the connection.
[[noreturn]] void keep(int control, const KeptCommand& command);

}  // namespace dmlcts::gpu
