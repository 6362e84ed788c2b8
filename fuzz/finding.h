#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/explanation.h"
#include "fuzz/subject.h"

namespace dmlcts {

// A failure, made as small and clear as possible.
struct Finding {
  Subject subject;      // shrunk
  Judgement judgement;  // of the shrunk subject
  std::string foundAs;  // the case string that first failed
  std::string kind;     // failureSignature()
  int steps = 0;        // accepted shrinking steps
  int tries = 0;
  int attempts = 1;       // that it takes to see the failure: more than 1 when it is intermittent
  bool confirmed = true;  // false: it did not happen again
  bool cut = false;       // the time was up before it was as small as it gets
  std::vector<std::string> matters;  // which parts of the case the failure needs, a line each
};

// Shrinks a failure: first to what it takes to see it again (alone, repeated, after the cases that
// ran before it), then to a smaller one, and says which parts of a case matter. The same for the
// same answers of the target. Once the tester is over(), one more test is made; nothing where the
// failure had not been seen again by then.
// `foundAs`: of Finding.
std::optional<Finding> investigate(const Subject& found, const Judgement& judgement,
                                   const std::vector<Case>& ranBefore, const std::string& foundAs,
                                   Tester& tester);

// Returns what a failure needs, one line each, by testing variants of its case (generators.h).
// Lines give the query that separates failing from passing variants, how many pass without each
// term, and the parts that can have any value. `test` returns a variant's evidence: none if it is
// vacuous or fails differently. Tests at most `budget` variants.
std::vector<std::string> whatMatters(const Case& testCase,
                                     const std::function<Evidence(const Case&)>& test, int budget);

// Returns the finding as a report: failure, smallest case, replay line, differences, parts that
// matter. `arguments` select the target in `dmlcts replay`, like "--target d3d12".
std::string describe(const Finding& finding, const std::string& arguments);

}  // namespace dmlcts
