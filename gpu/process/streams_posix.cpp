#include <fcntl.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "gpu/process/streams.h"

namespace dmlcts::gpu {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("cannot ") + what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class DescriptorSource : public ByteSource {
 public:
  explicit DescriptorSource(int fd) : fd_(fd) {}

  size_t read(std::span<uint8_t> into) override {
    for (;;) {
      const ssize_t count = ::read(fd_.get(), into.data(), into.size());
      if (count >= 0) return static_cast<size_t>(count);
      if (errno != EINTR) fail("read the harness's messages");
    }
  }

 private:
  Descriptor fd_;
};

class DescriptorSink : public ByteSink {
 public:
  explicit DescriptorSink(int fd) : fd_(fd) {}

  bool write(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      const int64_t count = writeToPipe(fd_.get(), bytes);
      if (count >= 0) {
        bytes = bytes.subspan(static_cast<size_t>(count));
      } else if (errno == EPIPE) {
        return false;
      } else if (errno != EINTR) {
        fail("write to the harness");
      }
    }
    return true;
  }

 private:
  Descriptor fd_;
};

}  // namespace

int64_t writeToPipe(int fd, std::span<const uint8_t> bytes) {
  constexpr size_t kMany = 4 << 20;
  const int held = bytes.size() < kMany ? -1 : ::fcntl(fd, F_GETPIPE_SZ);
  // The last bytes, as many as the pipe holds, are copied: they push all others out.
  if (held > 0 && bytes.size() > static_cast<size_t>(held)) {
    const iovec lent{const_cast<uint8_t*>(bytes.data()), bytes.size() - static_cast<size_t>(held)};
    const ssize_t count = ::vmsplice(fd, &lent, 1, 0);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM && errno != EINVAL)) return count;
  }
  return ::write(fd, bytes.data(), bytes.size());
}

void holdStandardStreams() {
  // Ascending: the lowest closed number is the one that open() gives.
  for (const auto& [stream, mode] :
       {std::pair(STDIN_FILENO, O_WRONLY), {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    if (::open("/dev/null", mode) == -1) return;
  }
}

StandardStreams takeStandardStreams() {
  // Above 2, so that reopening a standard stream cannot hit them.
  const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (in < 0) fail("take stdin");
  StandardStreams streams;
  streams.in = std::make_unique<DescriptorSource>(in);
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (out < 0) fail("take stdout");
  streams.out = std::make_unique<DescriptorSink>(out);

  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) fail("empty stdin");
  ::close(nothing);
  std::fflush(stdout);
  if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) fail("lead stdout to stderr");

  ::signal(SIGPIPE, SIG_IGN);  // the end of the harness shows as EPIPE
  return streams;
}

void installCrashHandler() {}

void leave(int status) { std::exit(status); }

}  // namespace dmlcts::gpu
