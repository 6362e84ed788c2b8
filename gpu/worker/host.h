#pragma once

#include <functional>

#include "gpu/process/streams.h"

namespace dmlcts::gpu {

// Implements `dmlcts-worker`, both the program and the library in the harness. Follows the command
// line, usually by hosting a target on the streams that `take` returns. Returns the exit status.
int host(int argc, const char* const* argv, const std::function<StandardStreams()>& take);

}  // namespace dmlcts::gpu
