#include "conformance/run/interruption.h"

#include <array>
#include <csignal>
#include <ctime>

#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

std::atomic<bool> interrupted = false;
volatile std::sig_atomic_t received = 0;

volatile std::time_t since = 0;

// Some senders repeat a signal at once (`timeout` does); that is not a second request.
constexpr int kPatience = 2;  // s

extern "C" void takeSignal(int number) {
  const bool again = readingInput() || (interrupted && std::time(nullptr) - since >= kPatience);
  std::signal(number, again ? SIG_DFL : takeSignal);
  if (again) {
    std::raise(number);
  } else if (!interrupted) {
    received = number;
    since = std::time(nullptr);
    interrupted = true;  // lock-free, hence allowed here
  }
}

#ifdef SIGHUP
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
#else
constexpr std::array kSignals{SIGINT, SIGTERM};
#endif

static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

Interruption::Interruption() {
  for (int number : kSignals) {
    // Signals ignored by the parent (nohup, a shell's background job) stay ignored.
    if (std::signal(number, takeSignal) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

Interruption::~Interruption() {
  for (int number : kSignals) {
    if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

const std::atomic<bool>& Interruption::flag() { return interrupted; }

int Interruption::signal() { return received; }

int interruptedStatus() { return 128 + Interruption::signal(); }

}  // namespace dmlcts
