// Preloaded into a process, kills it at a file-system call: DMLCTS_KILL_AT=n, counting from 1 those
// calls that change what is on the disk. A write to a file is first done by half. Reads, pipes and
// sockets do not count, and neither do the processes that it starts.
//
// With DMLCTS_POWER_CUT=1, the kill also takes back what was not brought to the disk: what was
// written to a file since its last fsync, and new names since their folder's.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

using Inode = std::pair<dev_t, ino_t>;

// Tracks the files that a power cut would lose.
class Unsynced {
 public:
  // Before a write to a file.
  void write(int descriptor, const struct stat& file) {
    const std::lock_guard lock(mutex_);
    if (files_.contains({file.st_dev, file.st_ino})) return;
    // Kept open by a number of its own: the file may be closed and renamed.
    const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 300);
    if (own >= 0) files_[{file.st_dev, file.st_ino}] = {own, file.st_size};
  }

  void sync(int descriptor) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) return;
    const Inode inode{status.st_dev, status.st_ino};
    const std::lock_guard lock(mutex_);
    if (const auto found = files_.find(inode); found != files_.end()) {
      ::close(found->second.first);
      files_.erase(found);
    }
    std::erase_if(names_, [&](const Name& each) { return each.folder == inode; });
  }

  // After a rename to a name that was not there.
  void rename(const std::string& from, const std::string& name) {
    const size_t slash = name.rfind('/');
    struct stat status{};
    if (::stat(slash == name.npos ? "." : name.substr(0, slash + 1).c_str(), &status) != 0) return;
    const std::lock_guard lock(mutex_);
    names_.push_back({{status.st_dev, status.st_ino}, from, name});
  }

  void lose() {
    const std::lock_guard lock(mutex_);
    for (const auto& [inode, file] : files_) ::syscall(SYS_ftruncate, file.first, file.second);
    std::reverse(names_.begin(), names_.end());
    for (const Name& each : names_) {
      ::syscall(SYS_renameat2, AT_FDCWD, each.to.c_str(), AT_FDCWD, each.from.c_str(), 0);
    }
  }

 private:
  struct Name {
    Inode folder;
    std::string from;
    std::string to;
  };
  std::mutex mutex_;
  std::map<Inode, std::pair<int, off_t>> files_;  // and how much of each is on the disk
  std::vector<Name> names_;
};

// Never destroyed: the process writes until its very end.
Unsynced* unsynced = nullptr;

pid_t victim = 0;
long last = 0;
std::atomic<long> calls = 0;

__attribute__((constructor)) void begin() {
  const char* number = std::getenv("DMLCTS_KILL_AT");
  if (number == nullptr) return;
  last = std::atol(number);
  victim = ::getpid();
  const char* cut = std::getenv("DMLCTS_POWER_CUT");
  if (cut != nullptr && *cut != '\0') unsynced = new Unsynced;
  // Its children are not killed. A shell has an unsetenv() of its own, which does less.
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
  if (unsynced != nullptr) unsynced->lose();
  ::kill(victim, SIGKILL);
  for (;;) ::pause();
}

void count() {
  if (counted()) die();
}

bool ours() { return unsynced != nullptr && ::getpid() == victim; }

// True if a descriptor that is about to be written to is of a file.
bool isFile(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (ours()) unsynced->write(descriptor, status);
  return true;
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

COUNTED(int, mkdir, (const char* path, mode_t mode), (path, mode))
COUNTED(int, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode))
COUNTED(int, unlink, (const char* path), (path))
COUNTED(int, unlinkat, (int at, const char* path, int flags), (at, path, flags))
COUNTED(int, ftruncate, (int descriptor, off_t length), (descriptor, length))
COUNTED(int, ftruncate64, (int descriptor, off64_t length), (descriptor, length))
COUNTED(int, creat, (const char* path, mode_t mode), (path, mode))
COUNTED(int, creat64, (const char* path, mode_t mode), (path, mode))

// A name in an open folder, as a path.
std::string pathAt(int folder, const char* name) {
  if (folder == AT_FDCWD || *name == '/') return name;
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(folder);
  const ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return std::string(path, static_cast<size_t>(size < 0 ? 0 : size)) + "/" + name;
}

extern "C" int renameat(int a, const char* from, int b, const char* to) {
  static auto* const real = next<int(int, const char*, int, const char*)>("renameat");
  count();
  struct stat status{};
  const bool isNew = ::fstatat(b, to, &status, AT_SYMLINK_NOFOLLOW) != 0;
  const int result = real(a, from, b, to);
  if (result == 0 && isNew && ours()) unsynced->rename(pathAt(a, from), pathAt(b, to));
  return result;
}

#define COUNTED_SYNC(name)                                 \
  extern "C" int name(int descriptor) {                    \
    static auto* const real = next<int(int)>(#name);       \
    count();                                               \
    const int result = real(descriptor);                   \
    if (result == 0 && ours()) unsynced->sync(descriptor); \
    return result;                                         \
  }
COUNTED_SYNC(fsync)
COUNTED_SYNC(fdatasync)

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
