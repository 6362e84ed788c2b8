#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conformance/run/lane.h"
#include "conformance/run/program.h"
#include "fuzz/campaign.h"

// `dmlcts fuzz --sequences`: random programs of calls, compared with a model of their buffers. See
// fuzz/README.md.

namespace dmlcts {

// Statistics of a run, printed at its end.
struct SequenceStatistics {
  uint64_t before = 0;  // programs of earlier sessions; others except totals are about this one
  uint64_t programs = 0;
  std::array<uint64_t, gpu::kCallNames.size()> calls{};  // by CallKind
  uint64_t drawn = 0;                                    // calls, including refused ones
  uint64_t refused = 0;
  uint64_t executions = 0;      // with a defined output
  uint64_t twoQueues = 0;       // programs
  uint64_t underPressure = 0;   // programs that hold memory
  std::vector<size_t> lengths;  // calls of each program
  std::vector<size_t> alive;    // most operators alive in each program
  uint64_t tries = 0;           // programs sent while shrinking
  double seconds = 0;
  Totals totals;

  // True if so few programs execute anything that the run proves little.
  bool unhealthy() const { return programs > 200 && executions < programs; }
  std::string text() const;
};

struct SequenceFinding {
  Program program;  // the smallest
  Judgement judgement;
  std::string foundAs;    // seed and index
  size_t foundCalls = 0;  // calls before shrinking
  int steps = 0;          // accepted shrinking steps
  int tries = 0;
  bool confirmed = true;  // false: it did not recur
};

struct SequenceFuzzResult {
  SequenceStatistics statistics;
  std::vector<SequenceFinding> findings;
  size_t foundBefore = 0;  // findings of earlier sessions
  size_t examples = 0;     // from the database, replayed first
  size_t examplesFailing = 0;
  std::vector<std::string> warnings;
  std::string target;
  std::string stopped;
};

// Ignores the options jobs, against and relations. With a limit of cases, deterministic, even
// across resumed sessions. Throws like fuzz().
SequenceFuzzResult fuzzSequences(const FuzzOptions& options);

// Returns the finding as a report; `arguments` select the target in `dmlcts replay`.
std::string describe(const SequenceFinding& finding, const std::string& arguments);

}  // namespace dmlcts
