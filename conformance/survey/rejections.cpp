// The HRESULT of rejections, by broken rule: no documentation promises one.

#include <set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/tiers.h"
#include "conformance/survey/question.h"
#include "reference/rules.h"

namespace dmlcts {

void addRejectionQuestions(std::vector<Question>& questions) {
  std::set<std::string> seen;
  for (const Case& testCase : cases(Tier::Smoke)) {
    if (testCase.expect != Expect::Reject) continue;
    // Skip features that only an older level lacks.
    if (check(testCase.descriptor, kLevels.back()).empty()) continue;
    const auto op = std::string(operatorName(testCase.descriptor));
    const std::string asked =
        testCase.rejectBy.starts_with(op) ? testCase.rejectBy : op + ": " + testCase.rejectBy;
    if (!seen.insert(asked).second) continue;
    gpu::Request request;
    request.descriptor = testCase.descriptor;
    request.level = testCase.level;
    request.execute = false;
    questions.push_back({"Rejected with", asked, std::move(request), {}});
  }
}

}  // namespace dmlcts
