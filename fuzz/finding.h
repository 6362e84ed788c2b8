#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/cases/explanation.h"
#include "fuzz/subject.h"

namespace dmlcts {

// A failure, made as small and as clear as possible.
struct Finding {
  Subject subject;      // shrunk
  Judgement judgement;  // of the shrunk subject
  std::string foundAs;  // case string it was found as
  std::string kind;     // failureKind()
  int steps = 0;        // of shrinking
  int tries = 0;
  int attempts = 1;       // that it takes to see the failure: more than 1 when it is intermittent
  bool confirmed = true;  // false: it did not happen again
  std::vector<std::string> matters;  // which parts of the case the failure needs, a line each
};

// Shrinks a failure: first to what it takes to see it again (alone, repeated, after the cases that
// ran before it), then to a smaller case, and says which of its parts matter. The same for the
// same answers of the target.
Finding investigate(const Subject& found, const Judgement& judgement,
                    const std::vector<Case>& ranBefore, Tester& tester);

// What a failure needs, a line each, over variants of its case (variants.h): the query that tells
// those that fail from those that pass, how many pass without each of its terms, and the parts that
// can have any value. `test` says what a variant proves: one that passes for want of anything to
// show, or fails in another way, nothing. Looks at as many variants as
// the budget says.
std::vector<std::string> whatMatters(const Case& testCase,
                                     const std::function<Evidence(const Case&)>& test, int budget);

// The finding as a report: what, smallest case, replay line, differences, what matters.
// `arguments` name the target to `dmlcts replay`, like "--target d3d12".
std::string describe(const Finding& finding, const std::string& arguments);

}  // namespace dmlcts
