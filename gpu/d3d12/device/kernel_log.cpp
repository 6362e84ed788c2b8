#include "gpu/d3d12/device/kernel_log.h"

#include <algorithm>
#include <array>

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace dmlcts::gpu {

std::string gpuError(std::string_view record) {
  constexpr size_t kMostBytes = 300;
  constexpr std::array<std::string_view, 4> kSigns{"NVRM: Xid", "GPU HANG", "GPU reset",
                                                   "ring gfx"};
  const size_t begin = record.find(';');
  if (begin == record.npos) return {};
  // The lines after it are the record's dictionary.
  std::string_view text = record.substr(begin + 1);
  text = text.substr(0, std::min(text.find('\n'), kMostBytes));
  const bool tells = std::ranges::any_of(
      kSigns, [text](std::string_view sign) { return text.find(sign) != text.npos; });
  return tells ? std::string(text) : std::string();
}

#ifdef __linux__

KernelLog::KernelLog() : fd_(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  if (fd_ >= 0) ::lseek(fd_, 0, SEEK_END);
}

KernelLog::~KernelLog() {
  if (fd_ >= 0) ::close(fd_);
}

std::string KernelLog::gpuErrors() const {
  constexpr int kMost = 8;
  constexpr int kMoment = 100;         // ms: the line may follow the driver's own error
  constexpr int kMostRecords = 10000;  // limit in case the kernel never stops writing
  std::string text;
  int lines = 0;
  for (int records = 0; fd_ >= 0 && lines < kMost && records < kMostRecords;) {
    char record[8192];
    const ssize_t size = ::read(fd_, record, sizeof record);
    if (size < 0) {
      if (errno == EPIPE) continue;  // records were lost; the next call returns the oldest one left
      pollfd more{fd_, POLLIN, 0};
      if (errno == EAGAIN && text.empty() && ::poll(&more, 1, kMoment) > 0) continue;
      break;
    }
    ++records;
    const std::string error = gpuError({record, static_cast<size_t>(size)});
    if (error.empty()) continue;
    text += (text.empty() ? "" : "; ") + error;
    ++lines;
  }
  return text;
}

#else

KernelLog::KernelLog() = default;
KernelLog::~KernelLog() = default;
std::string KernelLog::gpuErrors() const { return {}; }

#endif

}  // namespace dmlcts::gpu
