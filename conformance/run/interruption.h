#pragma once

#include <atomic>
#include <string>

namespace dmlcts {

// While it lives, SIGINT, SIGTERM and SIGHUP are requests to stop. A second one, at least two
// seconds later, ends the process at once. Only one object at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Set once a signal came.
  static const std::atomic<bool>& flag();

  // That signal's number, or 0.
  static int signal();
};

// The exit status of a command that was told to stop: 128 + the signal, as a shell has it.
int interruptedStatus();

}  // namespace dmlcts
