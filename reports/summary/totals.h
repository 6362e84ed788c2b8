#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "reports/journal/verdict.h"

namespace dmlcts {

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
