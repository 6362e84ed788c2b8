#include "reports/journal/verdict.h"

#include <algorithm>

#include <numeric>

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

bool losesWorker(const Kinds& kinds) {
  return std::ranges::any_of(
      std::array{kind::kCrash, kind::kTimeout, kind::kDeviceRemoved, kind::kMalformedAnswer},
      [&](std::string_view which) { return kinds.contains(std::string(which)); });
}

Totals& Totals::operator+=(const Totals& other) {
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
  return *this;
}

uint64_t Totals::all() const { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

uint64_t Totals::failures() const {
  uint64_t sum = 0;
  for (Verdict verdict : kVerdicts) sum += isFailure(verdict) ? (*this)[verdict] : 0;
  return sum;
}

uint64_t Totals::failTheRun() const {
  uint64_t sum = 0;
  for (Verdict verdict : kVerdicts) sum += failsRun(verdict) ? (*this)[verdict] : 0;
  return sum;
}

int exitStatus(const Totals& totals, size_t workerFailures) {
  return exitStatus(totals[Verdict::InternalError] > 0,
                    totals.failTheRun() > 0 || workerFailures > 0);
}

}  // namespace dmlcts
