#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "reports/summary/coverage.h"
#include "reports/summary/summary.h"

namespace dmlcts {

// What a fuzz run did, printed at its end.
struct FuzzStatistics {
  uint64_t cases = 0;       // with a verdict
  uint64_t relations = 0;   // of these, relations checked
  uint64_t executions = 0;  // sent to targets on top of the cases: relations, shrinking, examples
  uint64_t rejects = 0;     // cases that had to be rejected
  uint64_t generated = 0;   // cases generated, discarded ones too
  uint64_t duplicates = 0;  // of these, discarded because they had been run
  uint64_t shrinks = 0;     // steps towards smaller cases
  double seconds = 0;       // wall clock of generating and running
  Totals totals;
  std::array<std::map<uint8_t, uint64_t>, kParameters> labels;  // of cases that execute

  CoveringLabels covering;  // of these

  void count(const Case& testCase, const JournalEntry& entry);

  // Whether the run had to discard so much of what it generated that it proves little.
  bool unhealthy() const { return generated > 2000 && duplicates * 2 > generated; }

  double casesPerSecond() const { return seconds > 0 ? static_cast<double>(cases) / seconds : 0; }
  std::string text() const;
};

// part / whole in percent; 0 of nothing.
double percent(uint64_t part, uint64_t whole);

}  // namespace dmlcts
