#include "conformance/interruption.h"

#include <csignal>

namespace dmlcts {
namespace {

std::atomic<bool> interrupted = false;
volatile std::sig_atomic_t received = 0;

extern "C" void takeSignal(int number) {
  received = number;
  interrupted = true;  // lock-free, hence allowed here
  std::signal(number, SIG_DFL);
}

static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

Interruption::Interruption() {
  for (int number : {SIGINT, SIGTERM}) {
    // Where a parent had it ignored (nohup, a shell's background job) it stays so.
    if (std::signal(number, takeSignal) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

Interruption::~Interruption() {
  for (int number : {SIGINT, SIGTERM}) {
    if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

const std::atomic<bool>& Interruption::flag() { return interrupted; }

int Interruption::signal() { return received; }

int interruptedStatus() { return 128 + Interruption::signal(); }

std::string resumeLine(std::string commandLine) {
  for (const std::string option : {" --overwrite", " --resume"}) {
    const size_t at = commandLine.find(option);
    if (at != std::string::npos) commandLine.erase(at, option.size());
  }
  return commandLine + " --resume";
}

}  // namespace dmlcts
