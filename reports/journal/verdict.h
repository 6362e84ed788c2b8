#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dmlcts {

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

}  // namespace dmlcts
