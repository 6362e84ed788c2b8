#pragma once

#include <string>
#include <string_view>

namespace dmlcts::gpu {

// Returns the TEXT of a /dev/kmsg record ("6,1234,5678901,-;TEXT") that reports a GPU failure:
// NVIDIA's Xid, or a reset of Intel or AMD. Else empty.
std::string gpuError(std::string_view record);

// Linux's kernel log since this object was created. Empty on Windows, and if the log may not be
// read (most systems require root).
class KernelLog {
 public:
  KernelLog();
  ~KernelLog();
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;

  // Returns the GPU lines since the last call, at most 8, joined by "; ". Waits briefly for the
  // first.
  std::string gpuErrors() const;

 private:
  int fd_ = -1;
};

}  // namespace dmlcts::gpu
