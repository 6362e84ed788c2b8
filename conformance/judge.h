#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/cases/case.h"
#include "gpu/target.h"
#include "reference/evaluate.h"
#include "reports/verdict.h"

namespace dmlcts {

// A case made ready for a target: what goes to the worker, and what must come back. With repeat
// counts above 1 there is one request for each run, with the same inputs and different poison.
struct PreparedCase {
  const Case* testCase = nullptr;  // outlives this
  std::vector<gpu::Request> requests;
  std::vector<ExpectedOutput> expected;  // of every run; empty unless the case executes
  uint64_t bytes = 0;                    // of all images
};

// Ids count up from `firstId`. Throws what makeInputs() and evaluate() throw.
PreparedCase prepare(const Case& testCase, uint64_t firstId, uint32_t repeat = 1);

struct Judgement {
  Verdict verdict = Verdict::InternalError;
  std::string message;                   // empty for Pass
  std::vector<std::string> differences;  // see Comparison

  bool operator==(const Judgement&) const = default;
};

// What the target's answers, one for each request, mean. `identity` decides whether a rejection
// that only the level calls for can be asked of this target (limit "levelGate" is "none" where a
// device accepts all that its own level has).
Judgement judge(const PreparedCase& prepared, std::span<const gpu::Answer> answers,
                const gpu::Identity& identity);

}  // namespace dmlcts
