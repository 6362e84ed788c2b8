#pragma once

#include <functional>

#include "gpu/process/streams.h"

namespace dmlcts::gpu {

// What `dmlcts-worker` does, whether it is a program or a library in the harness: whatever the
// command line asks for, above all hosting a target on the streams that `take` gives. Returns the
// exit status.
int host(int argc, const char* const* argv, const std::function<StandardStreams()>& take);

}  // namespace dmlcts::gpu
