#pragma once

#include <atomic>
#include <string>

namespace dmlcts {

// Makes SIGINT, SIGTERM and SIGHUP requests to stop, for as long as it lives. One that comes two
// seconds later ends the process at once, as without it. One at a time.
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

// The command line that goes on where `commandLine` was stopped.
std::string resumeLine(std::string commandLine);

}  // namespace dmlcts
