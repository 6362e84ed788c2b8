#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dmlcts {

// Kinds of failure, as expectations name them and reports count them: kind -> how much.

using Kinds = std::map<std::string, uint64_t>;

namespace kind {
inline constexpr std::string_view kWrongElements = "wrong-elements";  // defined ones, other bits
inline constexpr std::string_view kPaddingBytes = "padding-bytes";  // gaps and tails within a total
inline constexpr std::string_view kGuardBytes = "guard-bytes";      // outside a tensor's total
inline constexpr std::string_view kInputBytes = "input-bytes";      // inputs and their guard bands
inline constexpr std::string_view kAccepted = "accepted";           // an invalid descriptor
inline constexpr std::string_view kRejected = "rejected";           // a valid descriptor
inline constexpr std::string_view kHresult = "hresult";         // rejected, not with E_INVALIDARG
inline constexpr std::string_view kCallFailed = "call-failed";  // any other call
inline constexpr std::string_view kMalformedAnswer = "malformed-answer";  // not what was asked for
inline constexpr std::string_view kUnequalRuns = "unequal-runs";          // with --repeat
inline constexpr std::string_view kCrash = "crash";
inline constexpr std::string_view kTimeout = "timeout";
inline constexpr std::string_view kDeviceRemoved = "device-removed";
}  // namespace kind

inline constexpr std::array kKinds{
    kind::kWrongElements,   kind::kPaddingBytes, kind::kGuardBytes, kind::kInputBytes,
    kind::kAccepted,        kind::kRejected,     kind::kHresult,    kind::kCallFailed,
    kind::kMalformedAnswer, kind::kUnequalRuns,  kind::kCrash,      kind::kTimeout,
    kind::kDeviceRemoved,
};

// Result of a case. Verdicts are never merged into one another.
enum class Verdict : uint8_t {
  Pass,
  Fail,            // the target broke a documented rule
  Arguable,        // it broke only an inferred rule: a vendor may read the pages otherwise
  NotSupported,    // the target lacks it, by a query that the message names
  NotAsked,        // cannot be asked of this target: above its highest level, or a rejection that
                   // only the level calls for, on a device without a gate
  Crash,           // the worker died in this case
  Timeout,         // no answer within the deadline
  DeviceRemoved,   // the device was lost in this case
  Flaky,           // failed once and not again; the message begins with how
  Skipped,         // never sent: an expectation file says that it takes the machine down
  Waived,          // failed as an expectation file says
  UnexpectedPass,  // an expectation no longer holds
  Vacuous,         // its outputs could not reveal a faulty target
  InternalError,   // the harness itself failed
};

inline constexpr std::array kVerdicts{
    Verdict::Pass,     Verdict::Fail,          Verdict::Arguable, Verdict::NotSupported,
    Verdict::NotAsked, Verdict::Crash,         Verdict::Timeout,  Verdict::DeviceRemoved,
    Verdict::Flaky,    Verdict::Skipped,       Verdict::Waived,   Verdict::UnexpectedPass,
    Verdict::Vacuous,  Verdict::InternalError,
};

// The same verdicts; those that need attention come first.
inline constexpr std::array kByGravity{
    Verdict::Fail,     Verdict::Crash,          Verdict::DeviceRemoved, Verdict::Timeout,
    Verdict::Flaky,    Verdict::UnexpectedPass, Verdict::InternalError, Verdict::NotSupported,
    Verdict::Arguable, Verdict::Vacuous,        Verdict::Waived,        Verdict::Skipped,
    Verdict::NotAsked, Verdict::Pass,
};
static_assert(kByGravity.size() == kVerdicts.size());

// Returns the enumerator's name: "Pass", "NotSupported", …
std::string_view name(Verdict verdict);
std::optional<Verdict> parseVerdict(std::string_view text);

// True for failures: the target is at fault, or an expectation no longer holds.
bool isFailure(Verdict verdict);

// True if such a verdict gives a run exit status 1: failures, and NotSupported, which must not pass
// as a success. An expectation can allow either.
bool failsRun(Verdict verdict);

// True for a failure that costs its worker: a crash, a hang, a lost device, a malformed answer.
bool losesWorker(const Kinds& kinds);

// Number of cases by verdict.
struct Totals {
  std::array<uint64_t, kVerdicts.size()> counts{};

  uint64_t& operator[](Verdict verdict) { return counts[static_cast<size_t>(verdict)]; }
  uint64_t operator[](Verdict verdict) const { return counts[static_cast<size_t>(verdict)]; }
  Totals& operator+=(const Totals& other);
  uint64_t all() const;
  uint64_t failures() const;    // sum over isFailure()
  uint64_t failTheRun() const;  // sum over failsRun()

  bool operator==(const Totals&) const = default;
};

// Returns the exit status of every command: 3 if the harness failed, else 1 if anything else did,
// else 0. The harness comes first, because it may hide anything that it did not judge.
constexpr int exitStatus(bool harnessFailed, bool failed) {
  return harnessFailed ? 3 : failed ? 1 : 0;
}

// Returns the exit status for these verdicts and worker failures outside any case.
int exitStatus(const Totals& totals, size_t workerFailures = 0);

}  // namespace dmlcts
