#include <cstdlib>

#include "gpu/worker/leave.h"

namespace dmlcts::gpu {

void crashAtOnce() {}

void leave(int status) { std::exit(status); }

}  // namespace dmlcts::gpu
