#include "gpu/d3d12/device/frame_capture.h"

#include <cstdint>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace dmlcts::gpu {
namespace {

// Version 1.0.0 of RenderDoc's API (renderdoc_app.h), which later versions keep: a table of
// function pointers.
constexpr int kVersion = 10000;
struct Api {
  void (*others[19])();
  void (*start)(void* device, void* window);
  uint32_t (*isCapturing)();
  uint32_t (*end)(void* device, void* window);
};
using GetApi = int (*)(int version, void** api);

const Api* api() {
  static const Api* const found = [] {
#ifdef _WIN32
    const HMODULE library = GetModuleHandleA("renderdoc.dll");
    void* get =
        library ? reinterpret_cast<void*>(GetProcAddress(library, "RENDERDOC_GetAPI")) : nullptr;
#else
    void* library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);
    void* get = library ? dlsym(library, "RENDERDOC_GetAPI") : nullptr;
#endif
    void* table = nullptr;
    if (get && reinterpret_cast<GetApi>(get)(kVersion, &table) != 1) table = nullptr;
    return static_cast<const Api*>(table);
  }();
  return found;
}

}  // namespace

FrameCapture::FrameCapture() {
  if (api()) api()->start(nullptr, nullptr);
}

FrameCapture::~FrameCapture() {
  if (api()) api()->end(nullptr, nullptr);
}

}  // namespace dmlcts::gpu
