#include <cstdio>
#include <exception>
#include <utility>

#include "gpu/worker/host.h"
#include "gpu/worker/serve.h"

// dmlcts-worker as a library, which the harness loads for --in-process: libraries of drivers, and
// our kernels, are in the harness only then.

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
