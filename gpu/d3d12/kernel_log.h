#pragma once

#include <string>
#include <string_view>

namespace dmlcts::gpu {

// What a record of /dev/kmsg ("6,1234,5678901,-;TEXT") says of a GPU that failed: the TEXT of
// NVIDIA's Xid lines and of Intel's and AMD's resets; else nothing.
std::string gpuError(std::string_view record);

// Linux's kernel log from the moment that this was made. Where it may not be read (which takes
// root rights on most systems), and on Windows, it is empty.
class KernelLog {
 public:
  KernelLog();
  ~KernelLog();
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;

  // The lines about GPUs since the last call, at most 8, a "; " between them. Waits a moment for
  // the first one.
  std::string gpuErrors() const;

 private:
  int fd_ = -1;
};

}  // namespace dmlcts::gpu
