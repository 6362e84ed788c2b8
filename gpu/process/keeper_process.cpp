#include "gpu/process/keeper.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

namespace dmlcts::gpu {
namespace {

constexpr int kLongestPause = 100;  // ms
// A killed process that survives this long will die later, or never.
constexpr time_t kPatience = 60;  // seconds

void tell(KeeperNote::Kind kind, int value) {
  const KeeperNote note{kind, value};
  ::send(kControl, &note, sizeof note, MSG_NOSIGNAL);
}

// Returns the parent of a process. Its stat file contains "PID (NAME) STATE PARENT …", where NAME
// may contain anything.
pid_t parentOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const size_t end = text.rfind(')');
  int parent = -1;
  if (end != text.npos) std::sscanf(text.c_str() + end, ") %*c %d", &parent);
  return parent;
}

// No id can be reused meanwhile: only this process reaps its children.
void killChildren() {
  DIR* const all = ::opendir("/proc");
  while (const dirent* entry = all ? ::readdir(all) : nullptr) {
    const pid_t pid = std::atoi(entry->d_name);
    if (pid > 0 && parentOf(pid) == ::getpid()) ::kill(pid, SIGKILL);
  }
  if (all) ::closedir(all);
}

// Runs in the process that becomes the worker.
[[noreturn]] void becomeWorker(char** argv, int report, pid_t keeper) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != keeper) ::_exit(127);  // the keeper died before prctl()
  ::close(kControl);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(argv[0], argv);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

// Returns the worker once its program runs; otherwise reports the reason and exits.
pid_t start(char** argv) {
  int report[2];
  pid_t worker = -1;
  int error = ::pipe2(report, O_CLOEXEC) == 0 ? 0 : errno;
  if (error == 0) {
    const pid_t self = ::getpid();
    worker = ::fork();
    if (worker == 0) becomeWorker(argv, report[1], self);
    if (worker < 0) error = errno;
    ::close(report[1]);
  }
  while (error == 0 && ::read(report[0], &error, sizeof error) < 0 && errno == EINTR) {
  }
  tell(error == 0 ? KeeperNote::Kind::Started : KeeperNote::Kind::NotStarted,
       error == 0 ? worker : error);
  if (error != 0) ::_exit(1);
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
    tell(KeeperNote::Kind::Ended, status);
  }

  pid_t worker_;
  bool told_ = false;
};

}  // namespace

void keep(char** argv) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, kKeeperName);
  Children children(start(argv));
  for (int stream = 0; stream < kControl; ++stream) ::close(stream);  // the worker's
  ::close_range(kControl + 1, ~0U, 0);

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
