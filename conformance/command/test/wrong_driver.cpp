// A Vulkan driver that loads and cannot be used, as NVIDIA's where a library is missing that it
// opens by itself; with WRONG_DRIVER=crash, one that crashes; with prints, one that works.

#include <dlfcn.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t*) {
  if (const char* manner = std::getenv("WRONG_DRIVER")) {
    if (*manner == 'p') return std::puts("a driver that prints") < 0 || std::fflush(stdout) != 0;
    std::raise(SIGSEGV);
  }
  constexpr int32_t kInitializationFailed = -3;
  return dlopen("libno_such_part.so.1", RTLD_LAZY) ? 0 : kInitializationFailed;
}
