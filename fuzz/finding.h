#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/cases/explanation.h"
#include "fuzz/subject.h"

namespace dmlcts {

// A failure, made as small and clear as possible.
struct Finding {
  Subject subject;      // shrunk
  Judgement judgement;  // of the shrunk subject
  std::string foundAs;  // the case string that first failed
  std::string kind;     // failureKind()
  int steps = 0;        // accepted shrinking steps
  int tries = 0;
  int attempts = 1;                  // attempts needed to see the failure: above 1 if intermittent
  bool confirmed = true;             // false: it did not recur
  std::vector<std::string> matters;  // parts of the case that the failure needs, one line each
};

// Shrinks a failure. First determines how to reproduce it (alone, repeated, or after the preceding
// cases), then reduces the case and finds the parts that matter. Deterministic for the same answers
// of the target.
Finding investigate(const Subject& found, const Judgement& judgement,
                    const std::vector<Case>& ranBefore, Tester& tester);

// Returns what a failure needs, one line each, by testing variants of its case (variants.h). Lines
// give the query that separates failing from passing variants, how many pass without each term, and
// the parts that can have any value. `test` returns a variant's evidence: none if it is vacuous or
// fails differently. Tests at most `budget` variants.
std::vector<std::string> whatMatters(const Case& testCase,
                                     const std::function<Evidence(const Case&)>& test, int budget);

// Returns the finding as a report: failure, smallest case, replay line, differences, parts that
// matter. `arguments` select the target in `dmlcts replay`, like "--target d3d12".
std::string describe(const Finding& finding, const std::string& arguments);

}  // namespace dmlcts
