#include <cstdio>
#include <exception>
#include <utility>

#include "gpu/worker/host.h"
#include "gpu/worker/serve.h"

// dmlcts-worker as a library for --in-process. Only then does the harness contain driver libraries
// and our kernels.

extern "C"
#ifdef _WIN32
    __declspec(dllexport)
#else
    __attribute__((visibility("default")))
#endif
    int
    dmlctsHost(int argc, const char* const* argv, dmlcts::gpu::StandardStreams* streams) {
  using namespace dmlcts::gpu;
  try {
    return host(argc, argv, [&] { return std::move(*streams); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitTargetBroken;
  }
}
