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

// `dmlcts fuzz --sequences`: random programs of calls, each compared with the model of what its
// buffers hold. docs/sequences.md says what programs are and what is found with them.

namespace dmlcts {

// What a run did, printed at its end.
struct SequenceStatistics {
  uint64_t before = 0;  // programs of the sessions that were resumed; all else but totals is about
                        // this one
  uint64_t programs = 0;
  std::array<uint64_t, gpu::kCallNames.size()> calls{};  // by CallKind
  uint64_t drawn = 0;                                    // calls, those refused too
  uint64_t refused = 0;
  uint64_t executions = 0;      // with a defined output
  uint64_t twoQueues = 0;       // programs
  uint64_t underPressure = 0;   // programs that hold memory
  std::vector<size_t> lengths;  // calls of each program
  std::vector<size_t> alive;    // operators of each at most
  uint64_t tries = 0;           // programs sent to shrink
  double seconds = 0;
  Totals totals;

  // Whether so few programs execute anything that the run proves little.
  bool unhealthy() const { return programs > 200 && executions < programs; }
  std::string text() const;
};

struct SequenceFinding {
  Program program;  // the smallest
  Judgement judgement;
  std::string foundAs;    // seed and number
  size_t foundCalls = 0;  // of what was found
  int steps = 0;          // of shrinking
  int tries = 0;
  bool confirmed = true;  // false: it did not happen again
};

struct SequenceFuzzResult {
  SequenceStatistics statistics;
  std::vector<SequenceFinding> findings;
  size_t foundBefore = 0;  // findings of the sessions that were resumed
  size_t examples = 0;     // of the database, replayed first
  size_t examplesFailing = 0;
  std::vector<std::string> warnings;
  std::string target;
  std::string stopped;
};

// Of the options, all but jobs, against and relations. With a limit of cases, the same programs in
// the same order every time, also where a run is resumed. Throws as fuzz() does.
SequenceFuzzResult fuzzSequences(const FuzzOptions& options);

// The finding as a report; `arguments` name the target to `dmlcts replay`.
std::string describe(const SequenceFinding& finding, const std::string& arguments);

}  // namespace dmlcts
