// Preloaded into a process, kills it at its DMLCTS_KILL_AT-th file-system call that changes the
// disk, counted from 1. If that call writes a file, half of it is written. Reads, pipes, sockets
// and child processes do not count.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

pid_t victim = 0;
long last = 0;
std::atomic<long> calls = 0;

__attribute__((constructor)) void begin() {
  const char* number = std::getenv("DMLCTS_KILL_AT");
  if (number == nullptr) return;
  last = std::atol(number);
  victim = ::getpid();
  // Child processes must not be killed. A shell has its own, weaker unsetenv().
  char** kept = environ;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const bool ours = std::strncmp(*variable, "DMLCTS_KILL_AT=", 15) == 0 ||
                      std::strncmp(*variable, "LD_PRELOAD=", 11) == 0;
    if (!ours) *kept++ = *variable;
  }
  *kept = nullptr;
}

// Counts a call; true if it is the last one.
bool counted() { return victim != 0 && ::getpid() == victim && ++calls == last; }

void die() {
  ::kill(victim, SIGKILL);
  for (;;) ::pause();
}

void count() {
  if (counted()) die();
}

bool isFile(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool changes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; }
bool changes(const char* mode) { return std::strpbrk(mode, "wa+") != nullptr; }

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// Counts a call, then makes it.
#define COUNTED(result, name, parameters, arguments)          \
  extern "C" result name parameters {                         \
    static auto* const real = next<result parameters>(#name); \
    count();                                                  \
    return real arguments;                                    \
  }

COUNTED(int, rename, (const char* from, const char* to), (from, to))
COUNTED(int, renameat, (int a, const char* from, int b, const char* to), (a, from, b, to))
COUNTED(int, mkdir, (const char* path, mode_t mode), (path, mode))
COUNTED(int, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode))
COUNTED(int, unlink, (const char* path), (path))
COUNTED(int, unlinkat, (int at, const char* path, int flags), (at, path, flags))
COUNTED(int, remove, (const char* path), (path))
COUNTED(int, rmdir, (const char* path), (path))
COUNTED(int, link, (const char* from, const char* to), (from, to))
COUNTED(int, symlink, (const char* from, const char* to), (from, to))
COUNTED(int, ftruncate, (int descriptor, off_t length), (descriptor, length))
COUNTED(int, ftruncate64, (int descriptor, off64_t length), (descriptor, length))
COUNTED(int, fsync, (int descriptor), (descriptor))
COUNTED(int, fdatasync, (int descriptor), (descriptor))
COUNTED(int, creat, (const char* path, mode_t mode), (path, mode))
COUNTED(int, creat64, (const char* path, mode_t mode), (path, mode))

#define COUNTED_OPEN(name)                                                 \
  extern "C" int name(const char* path, int flags, ...) {                  \
    static auto* const real = next<int(const char*, int, mode_t)>(#name);  \
    va_list rest;                                                          \
    va_start(rest, flags);                                                 \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                          \
    if (changes(flags)) count();                                           \
    return real(path, flags, mode);                                        \
  }
COUNTED_OPEN(open)
COUNTED_OPEN(open64)

#define COUNTED_OPENAT(name)                                                   \
  extern "C" int name(int at, const char* path, int flags, ...) {              \
    static auto* const real = next<int(int, const char*, int, mode_t)>(#name); \
    va_list rest;                                                              \
    va_start(rest, flags);                                                     \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;     \
    va_end(rest);                                                              \
    if (changes(flags)) count();                                               \
    return real(at, path, flags, mode);                                        \
  }
COUNTED_OPENAT(openat)
COUNTED_OPENAT(openat64)

#define COUNTED_FOPEN(name)                                                 \
  extern "C" FILE* name(const char* path, const char* mode) {               \
    static auto* const real = next<FILE*(const char*, const char*)>(#name); \
    if (changes(mode)) count();                                             \
    return real(path, mode);                                                \
  }
COUNTED_FOPEN(fopen)
COUNTED_FOPEN(fopen64)

extern "C" ssize_t write(int descriptor, const void* data, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (isFile(descriptor) && counted()) {
    [[maybe_unused]] const ssize_t half = real(descriptor, data, size / 2);
    die();
  }
  return real(descriptor, data, size);
}

#define COUNTED_PWRITE(name, offset_type)                                                      \
  extern "C" ssize_t name(int descriptor, const void* data, size_t size, offset_type offset) { \
    static auto* const real = next<ssize_t(int, const void*, size_t, offset_type)>(#name);     \
    if (isFile(descriptor) && counted()) {                                                     \
      [[maybe_unused]] const ssize_t half = real(descriptor, data, size / 2, offset);          \
      die();                                                                                   \
    }                                                                                          \
    return real(descriptor, data, size, offset);                                               \
  }
COUNTED_PWRITE(pwrite, off_t)
COUNTED_PWRITE(pwrite64, off64_t)

extern "C" ssize_t writev(int descriptor, const struct iovec* parts, int count) {
  static auto* const real = next<ssize_t(int, const struct iovec*, int)>("writev");
  if (isFile(descriptor) && counted()) {
    [[maybe_unused]] const ssize_t half = real(descriptor, parts, count / 2);
    die();
  }
  return real(descriptor, parts, count);
}
