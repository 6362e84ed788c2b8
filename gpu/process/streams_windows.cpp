#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "gpu/process/streams.h"

namespace dmlcts::gpu {
namespace {

constexpr int kStdin = 0;
constexpr int kStdout = 1;
constexpr int kStderr = 2;
constexpr size_t kLargestCall = 1 << 20;  // the C runtime takes an unsigned count, pipes less

[[noreturn]] void fail(const char* what) {
  throw std::runtime_error(std::string("cannot ") + what + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { ::_close(fd_); }
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
    const size_t wanted = std::min(into.size(), kLargestCall);
    const int count = ::_read(fd_.get(), into.data(), static_cast<unsigned>(wanted));
    if (count >= 0) return static_cast<size_t>(count);
    if (errno == EPIPE) return 0;
    fail("read the harness's messages");
  }

 private:
  Descriptor fd_;
};

class DescriptorSink : public ByteSink {
 public:
  explicit DescriptorSink(int fd) : fd_(fd) {}

  bool write(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      const size_t wanted = std::min(bytes.size(), kLargestCall);
      const int count = ::_write(fd_.get(), bytes.data(), static_cast<unsigned>(wanted));
      if (count > 0) {
        bytes = bytes.subspan(static_cast<size_t>(count));
      } else if (errno == EPIPE || errno == EINVAL) {
        return false;  // the C runtime gives EINVAL for some broken pipes
      } else {
        fail("write to the harness");
      }
    }
    return true;
  }

 private:
  Descriptor fd_;
};

// Little stack may be left, and locks may be held.
LONG WINAPI reportAndTerminate(EXCEPTION_POINTERS* exception) {
  const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
  char line[96];
  const int length =
      std::snprintf(line, sizeof line, "exception 0x%08lX at address %p\n",
                    static_cast<unsigned long>(record.ExceptionCode), record.ExceptionAddress);
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, static_cast<DWORD>(length), &written, nullptr);
  TerminateProcess(GetCurrentProcess(), record.ExceptionCode);
  return EXCEPTION_EXECUTE_HANDLER;
}

}  // namespace

void holdStandardStreams() {}  // handles of files take no number of a stream

StandardStreams takeStandardStreams() {
  const int in = ::_dup(kStdin);
  if (in < 0) fail("take stdin");
  StandardStreams streams;
  streams.in = std::make_unique<DescriptorSource>(in);
  const int out = ::_dup(kStdout);
  if (out < 0) fail("take stdout");
  streams.out = std::make_unique<DescriptorSink>(out);
  if (::_setmode(in, _O_BINARY) < 0 || ::_setmode(out, _O_BINARY) < 0) fail("set binary mode");

  const int nothing = ::_open("NUL", _O_RDONLY);
  if (nothing < 0 || ::_dup2(nothing, kStdin) < 0) fail("empty stdin");
  ::_close(nothing);
  std::fflush(stdout);
  if (::_dup2(kStderr, kStdout) < 0) fail("lead stdout to stderr");
  return streams;
}

void installCrashHandler() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  SetUnhandledExceptionFilter(reportAndTerminate);
}

void leave(int status) {
  std::fflush(nullptr);
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
  std::abort();  // not reached
}

}  // namespace dmlcts::gpu
