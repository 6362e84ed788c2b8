#pragma once

#include <functional>
#include <memory>

#include "gpu/process/streams.h"
#include "gpu/target.h"

// The worker's side: hosts a target and answers the harness.

namespace dmlcts::gpu {

// Exit statuses of a worker.
inline constexpr int kExitDone = 0;          // told to exit, or harness gone
inline constexpr int kExitMalformed = 2;     // harness's bytes or command line
inline constexpr int kExitTargetBroken = 3;  // not created, or unusable now

// Throws std::exception, with a message for the user, if the target cannot be created. Throws
// std::invalid_argument if its options are at fault.
using TargetFactory = std::function<std::unique_ptr<Target>()>;

// Creates the target, says hello, answers until the harness says bye or closes the stream, and
// releases the target. Returns the exit status. Sends any exception of the target to the harness as
// a message. Writes each frame completely before it reads the next order.
int serve(const TargetFactory& makeTarget, ByteSource& in, ByteSink& out);

}  // namespace dmlcts::gpu
