#include "reports/journal/verdict.h"

namespace dmlcts {

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, kVerdicts.size()> kNames{
      "Pass",   "Fail",           "Arguable",      "NotSupported", "NotAsked",
      "Crash",  "Timeout",        "DeviceRemoved", "Flaky",        "Skipped",
      "Waived", "UnexpectedPass", "Vacuous",       "InternalError"};
  return kNames.at(static_cast<size_t>(verdict));
}

std::optional<Verdict> parseVerdict(std::string_view text) {
  for (Verdict verdict : kVerdicts) {
    if (name(verdict) == text) return verdict;
  }
  return std::nullopt;
}

// InternalError blames the harness: status 3.
bool isFailure(Verdict verdict) {
  return verdict == Verdict::Fail || verdict == Verdict::Crash || verdict == Verdict::Timeout ||
         verdict == Verdict::DeviceRemoved || verdict == Verdict::Flaky ||
         verdict == Verdict::UnexpectedPass;
}

bool failsRun(Verdict verdict) { return isFailure(verdict) || verdict == Verdict::NotSupported; }

}  // namespace dmlcts
