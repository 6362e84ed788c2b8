#pragma once

#include <functional>
#include <memory>

#include "gpu/process/streams.h"
#include "gpu/target.h"

// The worker's side: hosts a target and answers the harness.

namespace dmlcts::gpu {

// Exit statuses of a worker.
inline constexpr int kExitDone = 0;          // told to exit, or the harness is gone
inline constexpr int kExitMalformed = 2;     // the harness's bytes, or the command line
inline constexpr int kExitTargetBroken = 3;  // it could not be made, or can no longer be used

// Throws std::exception, with a message for the user, when the target cannot be made:
// std::invalid_argument where that is for what it was asked to be.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

// Makes the target, says hello, answers until the harness says bye or closes the stream, releases
// the target. Returns the exit status. Whatever the target throws goes to the harness as a
// message; each frame is handed over whole before the next order is read.
int serve(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out);

}  // namespace dmlcts::gpu
