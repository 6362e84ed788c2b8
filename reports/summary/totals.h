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
  uint64_t failures() const;    // of isFailure()
  uint64_t failTheRun() const;  // of failsRun()

  bool operator==(const Totals&) const = default;
};

// The exit status of every command: 3 where the harness failed, else 1 where something else did,
// else 0. The harness comes first: what it did not judge may hide anything.
constexpr int exitStatus(bool harnessFailed, bool failed) {
  return harnessFailed ? 3 : failed ? 1 : 0;
}

// The same for these verdicts and this many worker failures outside any case.
int exitStatus(const Totals& totals, size_t workerFailures = 0);

}  // namespace dmlcts
