// Cases that applications asked DirectML for (`dmlcts capture`), read from cases-of-applications/:
// sizes, layouts and attributes that no other family combines.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/language/case_string.h"

namespace dmlcts {
namespace {

constexpr std::string_view kLines =
#include "cases_of_applications.inc"
    ;

}  // namespace

void addApplications(CaseList& list) {
  uint64_t variation = 0;
  for (std::string_view rest = kLines; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    const Case testCase = parseCase(line.substr(0, line.find("  #")));
    ++variation;
    if (std::ranges::none_of(list.operators(), [&](const OperatorFacts* op) {
          return op->name == operatorName(testCase.descriptor);
        })) {
      continue;
    }
    list.execute(testCase.level, testCase.descriptor, testCase.fill, testCase.index, variation);
  }
}

}  // namespace dmlcts
