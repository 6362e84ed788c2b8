#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "reports/summary/coverage.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// Statistics of a fuzz run, printed at its end.
struct FuzzStatistics {
  uint64_t cases = 0;       // with a verdict
  uint64_t relations = 0;   // cases that are checks of relations
  uint64_t executions = 0;  // sent to targets beyond the cases: relations, shrinking, examples
  uint64_t rejects = 0;     // cases that must be rejected
  uint64_t generated = 0;   // cases generated, including discarded ones
  uint64_t duplicates = 0;  // generated cases discarded as duplicates
  uint64_t shrinks = 0;     // accepted shrinking steps
  double seconds = 0;       // wall clock of generating and running
  Totals totals;
  std::array<std::map<uint8_t, uint64_t>, kParameters> labels;  // of executing cases

  CoveringLabels covering;  // of executing cases

  void count(const Case& testCase, const JournalEntry& entry);

  // True if so many generated cases were discarded that the run proves little.
  bool unhealthy() const { return generated > 2000 && duplicates * 2 > generated; }

  double casesPerSecond() const { return seconds > 0 ? static_cast<double>(cases) / seconds : 0; }
  std::string text() const;
};

// Returns part / whole in percent; 0 if whole is 0.
double percent(uint64_t part, uint64_t whole);

}  // namespace dmlcts
