#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dmlcts {

// How a case ended. Never merged into one another.
enum class Verdict : uint8_t {
  Pass,
  Fail,            // the target broke a documented rule
  Arguable,        // it broke an inferred rule only: a vendor may read the pages otherwise
  NotSupported,    // the target said, by a query that the message names, that it has no such thing
  NotAsked,        // nothing this target can be asked: above its highest level, or a rejection that
                   // only the level calls for where the device has no gate at all
  Crash,           // the worker died in this case
  Timeout,         // no answer within the deadline
  DeviceRemoved,   // the device was lost in this case
  Flaky,           // went wrong once and not again; the message begins with how
  Skipped,         // never sent: an expectation file says that it takes the machine down
  Waived,          // failed as an expectation file says it does
  UnexpectedPass,  // an expectation no longer holds
  Vacuous,         // the outputs could not have told a broken target from a right one
  InternalError,   // the harness itself failed
};

inline constexpr std::array kVerdicts{
    Verdict::Pass,     Verdict::Fail,          Verdict::Arguable, Verdict::NotSupported,
    Verdict::NotAsked, Verdict::Crash,         Verdict::Timeout,  Verdict::DeviceRemoved,
    Verdict::Flaky,    Verdict::Skipped,       Verdict::Waived,   Verdict::UnexpectedPass,
    Verdict::Vacuous,  Verdict::InternalError,
};

// The same, those that need attention first.
inline constexpr std::array kByGravity{
    Verdict::Fail,     Verdict::Crash,          Verdict::DeviceRemoved, Verdict::Timeout,
    Verdict::Flaky,    Verdict::UnexpectedPass, Verdict::InternalError, Verdict::NotSupported,
    Verdict::Arguable, Verdict::Vacuous,        Verdict::Waived,        Verdict::Skipped,
    Verdict::NotAsked, Verdict::Pass,
};
static_assert(kByGravity.size() == kVerdicts.size());

// "Pass", "NotSupported", …: the enumerator's own name.
std::string_view name(Verdict verdict);
std::optional<Verdict> parseVerdict(std::string_view text);

// Whether the target did wrong.
bool isFailure(Verdict verdict);

// Whether a run with such a verdict exits with status 1: failures, and NotSupported, which must
// not be taken for a pass. An expectation can allow either.
bool failsRun(Verdict verdict);

}  // namespace dmlcts
