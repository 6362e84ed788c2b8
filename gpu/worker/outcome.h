#pragma once

#include <chrono>
#include <string>
#include <variant>

// The ways in which an order to a worker can end.

namespace dmlcts::gpu {

// In all of them the worker is gone (killed where need be) when they are returned.

// The worker said that the target cannot be made or can no longer be used, and exited.
struct GaveUp {
  std::string text;
  bool atItsOptions = false;  // they ask for what it cannot give
};
// It ended while it owed a reply that it had begun to work on.
struct Crashed {
  std::string how;  // "signal 11 (SIGSEGV)", "exit status 3"
};
// It ended before it took up what was asked, having answered everything earlier: the fault of no
// case now in flight. Send those to another worker.
struct DiedAfterLastAnswer {
  std::string how;       // as above
  bool leaving = false;  // it was told to exit, and did not do so cleanly
};
struct TimedOut {
  std::chrono::milliseconds after{0};
};
// It sent what the protocol does not allow, or refused what it was sent.
struct ProtocolViolation {
  std::string text;
};

// Nobody waits for the answer any more; see Worker::cancelWhen.
struct Cancelled {};

using Failure =
    std::variant<GaveUp, Crashed, DiedAfterLastAnswer, TimedOut, ProtocolViolation, Cancelled>;

// One line for people.
std::string describe(const Failure& failure);

template <class Reply>
using Outcome = std::variant<Reply, Failure>;

}  // namespace dmlcts::gpu
