#include "gpu/process/keeper_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <utility>

extern char** environ;

// The keeper is a copy of a threaded harness with only one of its threads: locks held by others
// stay locked. So nothing here may allocate, throw, or call functions that might.

namespace dmlcts::gpu {
namespace {

constexpr int kControl = 0;         // the connection's descriptor; all others are closed
constexpr int kLongestPause = 100;  // ms
// A killed process that survives this long will die later, or never.
constexpr time_t kPatience = 60;  // seconds

#ifdef __has_feature  // clang; gcc defines __SANITIZE_ADDRESS__ instead
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr bool kGivesBack = false;  // the sanitizer's own memory is as large, and in use
#else
constexpr bool kGivesBack = true;
#endif

void tell(int control, KeeperNote::Kind kind, int value) {
  const KeeperNote note{kind, value};
  ::send(control, &note, sizeof note, MSG_NOSIGNAL);
}

// Parses the number at `at`, advances it past the number, and stops at `end`.
uint64_t number(const char*& at, const char* end, unsigned base) {
  uint64_t value = 0;
  for (; at != end; ++at) {
    unsigned digit = base;
    if (*at >= '0' && *at <= '9') digit = static_cast<unsigned>(*at - '0');
    if (*at >= 'a' && *at <= 'f') digit = static_cast<unsigned>(*at - 'a') + 10;
    if (digit >= base) break;
    value = value * base + digit;
  }
  return value;
}

// Calls visit(number, name, folder's descriptor) for each entry with a numeric name.
template <class Visit>
void forEachNumber(const char* folder, Visit visit) {
  const int fd = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  alignas(dirent64) char entries[4096];
  for (ssize_t size = 0; (size = ::getdents64(fd, entries, sizeof entries)) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const char* end = entry->d_name;
      const uint64_t value = number(end, end + 10, 10);
      if (end != entry->d_name && *end == '\0') visit(static_cast<int>(value), entry->d_name, fd);
    }
  }
  ::close(fd);
}

// Returns the parent of process `name` in /proc, open as `proc`. Its stat file contains "PID (NAME)
// STATE PARENT …", where NAME may contain anything.
pid_t parentOf(const char* name, int proc) {
  const int folder = ::openat(proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -1;
  const int fd = ::openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  ::close(folder);
  if (fd < 0) return -1;
  char text[512];
  const char* end = text + std::max<ssize_t>(::read(fd, text, sizeof text), 0);
  ::close(fd);
  const char* at = end;
  while (at != text && at[-1] != ')') --at;
  if (end - at < 4) return -1;
  at += 3;
  return static_cast<pid_t>(number(at, end, 10));
}

// No id can be reused meanwhile: only this process reaps its children.
void killChildren() {
  const pid_t self = ::getpid();
  forEachNumber("/proc", [self](int pid, const char* name, int proc) {
    if (parentOf(name, proc) == self) ::kill(pid, SIGKILL);
  });
}

void closeAllBut(int kept) {
  if (::dup2(kept, kControl) < 0) ::_exit(1);
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, kControl + 1, ~0U, 0) == 0) return;
#endif
  forEachNumber("/proc/self/fd", [](int fd, const char*, int folder) {
    if (fd > kControl && fd != folder) ::close(fd);
  });
}

// Releases the pages in [begin, end), except around this thread's stack pointer and errno.
void giveBack(uintptr_t begin, uintptr_t end) {
  constexpr uintptr_t kPage = 65536;  // the largest page size
  constexpr uintptr_t kSpared = 4 * kPage;
  const int onStack = 0;
  std::array spared{reinterpret_cast<uintptr_t>(&onStack), reinterpret_cast<uintptr_t>(&errno)};
  std::sort(spared.begin(), spared.end());
  const auto drop = [](uintptr_t from, uintptr_t to) {
    from = (from + kPage - 1) / kPage * kPage;
    to = to / kPage * kPage;
    if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
  };
  for (const uintptr_t spot : spared) {
    if (spot < begin || spot >= end) continue;
    drop(begin, std::max(begin, spot - kSpared));
    begin = std::min(end, spot + kSpared);
  }
  drop(begin, end);
}

// Frees the memory shared with the harness, which may be gigabytes. Otherwise every page that the
// harness later writes or frees would stay in memory here.
void giveBackMemory() {
  if (!kGivesBack) return;
  constexpr uintptr_t kLarge = 1 << 20;
  const int fd = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char piece[4096];
  char line[128];
  size_t length = 0;
  for (ssize_t size = 0; (size = ::read(fd, piece, sizeof piece)) > 0;) {
    for (const char* c = piece; c != piece + size; ++c) {
      if (*c != '\n') {
        if (length < sizeof line) line[length++] = *c;
        continue;
      }
      // "BEGIN-END rw-p OFFSET DEVICE INODE PATH": an inode of 0 means that there is no file.
      const char* at = line;
      const char* const end = line + std::exchange(length, 0);
      const uintptr_t from = number(at, end, 16);
      const uintptr_t to = at != end ? number(++at, end, 16) : 0;
      const bool ours = end - at > 5 && std::memcmp(at, " rw-p ", 6) == 0;
      if (!ours || to - from <= kLarge) continue;
      for (int field = 0; field < 4 && at != end; ++field) {
        at = std::find(at + 1, end, ' ');
      }
      if (at != end) ++at;
      if (number(at, end, 10) == 0) giveBack(from, to);
    }
  }
  ::close(fd);
}

// Runs in the process that becomes the worker.
[[noreturn]] void becomeWorker(const KeptCommand& command, int report, pid_t keeper) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(127);  // the keeper died before prctl()
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::dup2(command.in, STDIN_FILENO) >= 0 && ::dup2(command.out, STDOUT_FILENO) >= 0 &&
      ::dup2(command.err, STDERR_FILENO) >= 0) {
    environ = command.environment;
    ::execvp(command.argv[0], command.argv);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

// Returns the worker once its program runs; otherwise reports the reason and exits.
pid_t start(int control, const KeptCommand& command) {
  int report[2];
  int error = 0;
  if (::pipe2(report, O_CLOEXEC) != 0) {
    tell(control, KeeperNote::Kind::NotStarted, errno);
    ::_exit(1);
  }
  // Uses the system call, because fork() would run registered handlers.
  const pid_t self = ::getpid();
  const auto worker = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (worker == 0) becomeWorker(command, report[1], self);
  if (worker < 0) error = errno;
  ::close(report[1]);
  while (error == 0 && ::read(report[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  if (error != 0) {
    tell(control, KeeperNote::Kind::NotStarted, error);
    ::_exit(1);  // ends only the forked process
  }
  tell(control, KeeperNote::Kind::Started, worker);
  return worker;
}

class Children {
 public:
  explicit Children(pid_t worker) : worker_(worker) {}

  // Reports the worker's end to the harness, but does not reap it: so its group id stays taken.
  // Reaps orphaned processes.
  void look() {
    siginfo_t info{};
    while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0) {
      if (info.si_pid == worker_) {
        tellEnd(info);
        return;
      }
      ::waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED);
      info = {};
    }
  }

  void killWorker() const {
    ::kill(worker_, SIGKILL);  // it may still be in the keeper's group
    ::kill(-worker_, SIGKILL);
  }

  // Reaps ended children; true if any are left.
  bool reap() {
    siginfo_t info{};
    while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0) {
      if (info.si_pid == 0) return true;
      if (info.si_pid == worker_) tellEnd(info);
      info = {};
    }
    return errno == EINTR;
  }

 private:
  void tellEnd(const siginfo_t& info) {
    if (told_) return;
    told_ = true;
    const bool exited = info.si_code == CLD_EXITED;
    const int status = exited ? (info.si_status & 0xff) << 8
                              : info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
    tell(kControl, KeeperNote::Kind::Ended, status);
  }

  pid_t worker_;
  bool told_ = false;
};

}  // namespace

void keep(int control, const KeptCommand& command) {
  ::setpgid(0, 0);  // so that killing the harness's group spares this process
  ::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "dmlcts-keeper");
  Children children(start(control, command));
  closeAllBut(control);
  giveBackMemory();

  sigset_t childSignal;
  sigemptyset(&childSignal);
  sigaddset(&childSignal, SIGCHLD);
  pollfd waited[] = {{kControl, POLLIN, 0},
                     {::signalfd(-1, &childSignal, SFD_NONBLOCK), POLLIN, 0}};
  const auto pause = [&waited](nfds_t first, int milliseconds) {
    if (::poll(waited + first, 2 - first, milliseconds) <= 0) return;
    signalfd_siginfo taken;
    while (::read(waited[1].fd, &taken, sizeof taken) > 0) {
    }
  };

  while (waited[0].revents == 0) {
    children.look();
    pause(0, -1);
  }

  // Their children become this process's as they die.
  children.killWorker();
  const time_t start = ::time(nullptr);
  for (int milliseconds = 1; children.reap();) {
    killChildren();
    pause(1, milliseconds);
    milliseconds = std::min(2 * milliseconds, kLongestPause);
    if (::time(nullptr) - start > kPatience) break;
  }
  ::_exit(0);
}

}  // namespace dmlcts::gpu
