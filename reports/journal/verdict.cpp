#include "reports/journal/verdict.h"

namespace dmlcts {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass:
      return "Pass";
    case Verdict::Fail:
      return "Fail";
    case Verdict::Arguable:
      return "Arguable";
    case Verdict::NotSupported:
      return "NotSupported";
    case Verdict::NotAsked:
      return "NotAsked";
    case Verdict::Crash:
      return "Crash";
    case Verdict::Timeout:
      return "Timeout";
    case Verdict::DeviceRemoved:
      return "DeviceRemoved";
    case Verdict::Flaky:
      return "Flaky";
    case Verdict::Skipped:
      return "Skipped";
    case Verdict::Waived:
      return "Waived";
    case Verdict::UnexpectedPass:
      return "UnexpectedPass";
    case Verdict::Vacuous:
      return "Vacuous";
    case Verdict::InternalError:
      return "InternalError";
  }
  return "unknown";
}

std::optional<Verdict> parseVerdict(std::string_view text) {
  for (Verdict verdict : kVerdicts) {
    if (name(verdict) == text) return verdict;
  }
  return std::nullopt;
}

bool isFailure(Verdict verdict) {
  switch (verdict) {
    case Verdict::Fail:
    case Verdict::Crash:
    case Verdict::Timeout:
    case Verdict::DeviceRemoved:
    case Verdict::Flaky:
    case Verdict::UnexpectedPass:
      return true;
    case Verdict::Pass:
    case Verdict::Arguable:
    case Verdict::NotSupported:
    case Verdict::NotAsked:
    case Verdict::Skipped:
    case Verdict::Waived:
    case Verdict::Vacuous:
    case Verdict::InternalError:
      return false;  // InternalError blames the harness: status 3
  }
  return false;
}

bool failsRun(Verdict verdict) { return isFailure(verdict) || verdict == Verdict::NotSupported; }

}  // namespace dmlcts
