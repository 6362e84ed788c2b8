#pragma once

#include <atomic>

namespace dmlcts {

// While an object lives, SIGINT, SIGTERM and SIGHUP request a stop. A second signal, at least two
// seconds later, ends the process at once. Only one object may exist.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Set once a signal arrived.
  static const std::atomic<bool>& flag();

  // The signal's number, or 0.
  static int signal();
};

// The exit status of an interrupted command: 128 + the signal, as in a shell.
int interruptedStatus();

}  // namespace dmlcts
