#pragma once

#include <sys/time.h>

#include <csignal>
#include <cstdlib>

namespace dmlcts {

// Aborts an input that takes a second of processor time. libFuzzer's own limit is of wall-clock
// time, in which a loaded machine may do anything else.
struct OneSecond {
  OneSecond() { set(1); }
  ~OneSecond() { set(0); }

  static void set(time_t seconds) {
    std::signal(SIGPROF, [](int) { std::abort(); });
    const itimerval timer{{0, 0}, {seconds, 0}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
};

}  // namespace dmlcts
