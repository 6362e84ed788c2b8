#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "conformance/cases/case.h"
#include "conformance/cases/parameter_space.h"
#include "fuzz/sequence_generator.h"
#include "reports/journal/journal.h"

namespace dmlcts {

// Counts what a session of a fuzz run did; printed at its end.
struct FuzzStatistics {
  uint64_t cases = 0;       // with a verdict
  uint64_t relations = 0;   // cases that are checks of relations
  uint64_t executions = 0;  // sent to targets beyond the cases: relations, shrinking, examples
  uint64_t rejects = 0;     // cases that must be rejected
  uint64_t generated = 0;   // cases generated, including discarded ones
  uint64_t duplicates = 0;  // generated cases discarded as duplicates
  uint64_t shrinks = 0;     // accepted shrinking steps
  double seconds = 0;       // wall clock of generating and running
  std::array<std::map<uint8_t, uint64_t>, kParameters> labels;  // of cases that execute

  void count(const Case& testCase, const JournalEntry& entry);

  // True if so many generated cases were discarded that the run proves little.
  bool unhealthy() const { return generated > 2000 && duplicates * 2 > generated; }

  double casesPerSecond() const { return seconds > 0 ? static_cast<double>(cases) / seconds : 0; }
  std::string text() const;
};

// The same of a run with --sequences.
struct SequenceStatistics {
  uint64_t programs = 0;
  std::array<uint64_t, gpu::kCallNames.size()> calls{};  // by CallKind
  uint64_t executions = 0;                               // with a defined output
  std::vector<size_t> lengths;                           // calls of each program

  void count(const DrawnProgram& drawn);

  // True if so few programs execute anything that the run proves little.
  bool unhealthy() const { return programs > 200 && executions < programs; }

  // Returns a text for a session that ran as long, and as many programs to shrink failures.
  std::string text(double seconds, uint64_t tries) const;
};

// Returns part / whole in percent; 0 if whole is 0.
double percent(uint64_t part, uint64_t whole);

}  // namespace dmlcts
