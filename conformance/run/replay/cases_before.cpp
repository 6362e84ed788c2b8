#include "conformance/run/replay/cases_before.h"

#include <algorithm>

#include "conformance/language/case_string.h"

namespace dmlcts {

CasesBefore::CasesBefore(Tier tier) : cases_(cases(tier)) {
  for (size_t i = 0; i < cases_.size(); ++i) placeOf_.emplace(caseString(cases_[i]), i);
}

std::vector<const Case*> CasesBefore::of(const Case& testCase, uint64_t count,
                                         const std::function<bool(const Case&)>& isLeftOut) const {
  const auto found = placeOf_.find(caseString(testCase));
  const size_t start = found == placeOf_.end() ? cases_.size() : found->second;
  std::vector<const Case*> before;
  size_t at = start;
  for (size_t unused = 0; before.size() < count && unused < cases_.size();) {
    at = at == 0 ? cases_.size() - 1 : at - 1;
    if (at == start || isLeftOut(cases_[at])) {
      ++unused;
      continue;
    }
    unused = 0;
    before.push_back(&cases_[at]);
  }
  std::ranges::reverse(before);
  return before;
}

}  // namespace dmlcts
