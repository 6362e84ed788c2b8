// A Vulkan driver that loads and cannot be used, as NVIDIA's where a library is missing that it
// opens by itself; with WRONG_DRIVER=crash, one that crashes.

#include <dlfcn.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>

extern "C" int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t*) {
  if (std::getenv("WRONG_DRIVER")) std::raise(SIGSEGV);
  constexpr int32_t kInitializationFailed = -3;
  return dlopen("libno_such_part.so.1", RTLD_LAZY) ? 0 : kInitializationFailed;
}
