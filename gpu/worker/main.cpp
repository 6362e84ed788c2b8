#include <cstdio>
#include <exception>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "gpu/process/leave.h"
#include "gpu/worker/host.h"
#include "gpu/worker/serve.h"

// dmlcts-worker: hosts a target for the harness, which starts it and speaks with it on stdin and
// stdout. By hand only --adapters, --list and --help are of use.

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Freed blocks of large cases go back to the system: by default, glibc keeps more and more of
  // them. Smaller ones stay: each case would fault their pages in again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
  using namespace dmlcts::gpu;
  int status = kExitTargetBroken;
  try {
    status = host(argc, argv, takeStandardStreams);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dmlcts-worker: %s\n", error.what());
  }
  leave(status);
}
