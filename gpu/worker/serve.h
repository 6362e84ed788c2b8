#pragma once

#include <functional>
#include <memory>

#include "gpu/process/streams.h"
#include "gpu/target.h"

// The worker's side: hosts a target and answers the harness.

namespace dmlcts::gpu {

// Exit statuses of a worker.
inline constexpr int kExitDone = 0;          // told to leave, or the harness went away
inline constexpr int kExitMalformed = 2;     // the harness's bytes, or the command line
inline constexpr int kExitTargetBroken = 3;  // it could not be made, or is beyond use

// Throws std::exception with words for the user when the target cannot be made.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

// Makes the target, says hello, answers until the harness says bye or closes the stream, releases
// the target. Returns the exit status. Whatever the target throws goes to the harness in its own
// words; each frame is handed over whole before the next order is read.
int serve(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out);

}  // namespace dmlcts::gpu
