#include "gpu/process/keeper.h"

#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace dmlcts::gpu {
namespace {

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

// Keepers of processes that survived being killed (a driver hangs in the kernel). Reaped once they
// end.
class Lingering {
 public:
  void add(pid_t pid) {
    const std::lock_guard lock(mutex_);
    pids_.push_back(pid);
  }
  void reap() {
    const std::lock_guard lock(mutex_);
    std::erase_if(pids_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  }

 private:
  std::mutex mutex_;
  std::vector<pid_t> pids_;
};

// Runs before main().
[[gnu::constructor]] void becomeKeeper(int count, char** argv) {
  if (count > 1 && std::string_view(argv[0]) == kKeeperName) keep(argv + 1);
}

Lingering& lingering() {
  static Lingering instance;
  return instance;
}

}  // namespace

Keeper::Keeper(const KeptCommand& command) {
  lingering().reap();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail(errno, "socketpair");
  control_ = ends[0];
  std::string name = kKeeperName;
  std::vector<char*> argv{name.data()};
  for (char* const* word = command.argv; *word; ++word) argv.push_back(*word);
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  int number = 0;
  for (const int end : {command.in, command.out, command.err, ends[1]}) {
    ::posix_spawn_file_actions_adddup2(&files, end, number++);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // A group of its own, so that killing the harness's group spares it.
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigfillset(&signals);
  ::posix_spawnattr_setsigmask(&attributes, &signals);
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  ::posix_spawnattr_setsigdefault(&attributes, &signals);
  const int error =
      ::posix_spawn(&pid_, "/proc/self/exe", &files, &attributes, argv.data(), command.environment);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  if (error == 0) {
    receiveNote(true);
    if (worker_ > 0) return;
    ::waitpid(pid_, nullptr, 0);
  }
  ::close(control_);
  fail(error != 0 ? error : startError_, "posix_spawn");
}

Keeper::~Keeper() {
  ::close(control_);
  if (!gone()) lingering().add(pid_);
}

// Receives one note. If there is none, waits for it or returns.
void Keeper::receiveNote(bool wait) {
  KeeperNote note;
  ssize_t count = 0;
  do {
    count = ::recv(control_, &note, sizeof note, wait ? 0 : MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
  if (count != static_cast<ssize_t>(sizeof note)) {
    disconnected_ = true;  // end of the connection
    return;
  }
  switch (note.kind) {
    case KeeperNote::Kind::Started:
      worker_ = note.value;
      break;
    case KeeperNote::Kind::NotStarted:
      startError_ = note.value;
      break;
    case KeeperNote::Kind::Ended:
      status_ = note.value;
      break;
  }
}

bool Keeper::workerEnded() {
  if (!status_ && !disconnected_) receiveNote(false);
  return status_ || disconnected_;
}

void Keeper::dismiss() { ::shutdown(control_, SHUT_WR); }

bool Keeper::gone() {
  if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) != 0) {
    pid_ = -1;
    workerEnded();
  }
  return pid_ < 0;
}

}  // namespace dmlcts::gpu
