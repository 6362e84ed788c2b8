// The HRESULT of rejections, by broken rule: no documentation promises one.

#include <set>

#include "conformance/language/case_string.h"
#include "conformance/survey/question.h"
#include "conformance/tiers/tiers.h"
#include "reference/rules.h"

namespace dmlcts {

void addRejectionQuestions(std::vector<Question>& questions) {
  std::set<std::string> seen;
  for (const Case& testCase : cases(Tier::Smoke)) {
    if (testCase.expect != Expect::Reject) continue;
    // A newer level is not asked about a lack of an older one.
    std::set<std::string_view> broken;
    for (const BrokenRule& each : check(testCase.descriptor, kLevels.back())) {
      broken.insert(each.rule->id);
    }
    if (broken.size() != 1) continue;
    const std::string rule(*broken.begin());
    const auto op = std::string(operatorName(testCase.descriptor));
    const std::string asked = rule.starts_with(op + ".") ? rule : op + ": " + rule;
    if (!seen.insert(asked).second) continue;
    gpu::Request request;
    request.descriptor = testCase.descriptor;
    request.level = kLevels.back();
    request.execute = false;
    questions.push_back({"Rejected with", asked, std::move(request), {}, rule});
  }
}

}  // namespace dmlcts
