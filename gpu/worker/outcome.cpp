#include "gpu/worker/outcome.h"

namespace dmlcts::gpu {
namespace {

struct Describer {
  std::string operator()(const TargetUnavailable& it) { return "the worker gave up: " + it.text; }
  std::string operator()(const Crashed& it) { return "the worker crashed: " + it.how; }
  std::string operator()(const DiedAfterLastAnswer& it) {
    return (it.leaving ? "the worker did not exit cleanly: "
                       : "the worker died after its last answer: ") +
           it.how;
  }
  std::string operator()(const TimedOut& it) {
    return "the worker did not answer within " + std::to_string(it.after.count()) + " ms";
  }
  std::string operator()(const ProtocolViolation& it) {
    return (it.refused ? "the worker refused a message: " : "the worker broke the protocol: ") +
           it.text;
  }
  std::string operator()(const Cancelled&) { return "the harness was told to stop"; }
};

}  // namespace

std::string describe(const Failure& failure) { return std::visit(Describer{}, failure); }

}  // namespace dmlcts::gpu
