#pragma once

#include <chrono>
#include <string>
#include <variant>

// Failures of an order to a worker.

namespace dmlcts::gpu {

// The worker is gone (killed if necessary) when any of these is returned.

// The worker exited and said that the target cannot be created or is unusable.
struct TargetUnavailable {
  std::string text;
  bool badOptions = false;  // they ask for an impossible target
};
// The worker ended during an order that it had begun.
struct Crashed {
  std::string how;  // "signal 11 (SIGSEGV)", "exit status 3"
};
// The worker ended before it began the order, having answered everything earlier. No case in flight
// is at fault: send those to another worker.
struct DiedAfterLastAnswer {
  std::string how;       // as above
  bool leaving = false;  // told to exit, but did not exit cleanly
};
struct TimedOut {
  std::chrono::milliseconds after{0};
};
// The worker violated the protocol, or refused a message.
struct ProtocolViolation {
  std::string text;
  bool refused = false;
};

// Nobody waits for the answer; see Worker::cancelWhen.
struct Cancelled {};

using Failure = std::variant<TargetUnavailable, Crashed, DiedAfterLastAnswer, TimedOut,
                             ProtocolViolation, Cancelled>;

// Describes the failure in one line.
std::string describe(const Failure& failure);

template <class Reply>
using Outcome = std::variant<Reply, Failure>;

}  // namespace dmlcts::gpu
