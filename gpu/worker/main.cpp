#include <cstdio>
#include <cstdlib>
#include <exception>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "gpu/process/streams.h"
#include "gpu/worker/host.h"
#include "gpu/worker/serve.h"

// dmlcts-worker: hosts a target for the harness, which starts it and talks to it on stdin and
// stdout. By hand only --adapters and --help are useful.

int main(int argc, char** argv) {
  dmlcts::gpu::holdStandardStreams();
#ifdef __GLIBC__
  // Returns freed blocks of large cases to the system, of which glibc would keep more and more.
  // Keeps smaller ones, so that cases do not fault their pages in again. Benchmarks keep all.
  if (!std::getenv("MALLOC_TRIM_THRESHOLD_")) {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
  }
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
