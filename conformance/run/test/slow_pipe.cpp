// Test only: a worker behind a slow pipe. `slow_pipe COMMAND ARGUMENT…` starts the worker and
// forwards a few bytes at a time in both directions, with pauses. Exits like the worker.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

extern char** environ;

namespace {

void trickle(int from, int to) {
  std::mt19937 random(static_cast<unsigned>(from));
  char bytes[4096];
  for (;;) {
    const ssize_t count = read(from, bytes, 1 + random() % sizeof bytes);
    if (count <= 0) break;
    for (ssize_t done = 0; done < count;) {
      const ssize_t part = write(to, bytes + done, static_cast<size_t>(count - done));
      if (part <= 0) return;
      done += part;
    }
    if (random() % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
  close(to);
}

}  // namespace

int main(int argc, char** argv) {
  int down[2];  // to the worker
  int up[2];
  if (argc < 2 || pipe(down) != 0 || pipe(up) != 0) return 64;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, down[0], 0);
  posix_spawn_file_actions_adddup2(&actions, up[1], 1);
  for (int end : {down[0], down[1], up[0], up[1]}) {
    posix_spawn_file_actions_addclose(&actions, end);
  }
  pid_t worker = 0;
  if (posix_spawnp(&worker, argv[1], &actions, nullptr, argv + 1, environ) != 0) return 65;
  close(down[0]);
  close(up[1]);
  std::thread([&] { trickle(0, down[1]); }).detach();
  trickle(up[0], 1);
  int status = 0;
  waitpid(worker, &status, 0);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 66);
}
