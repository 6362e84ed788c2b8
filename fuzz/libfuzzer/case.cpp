// Case strings end to end: parsed, printed, checked, prepared, answered by the oracle, judged. A
// case prints to a string that parses to the same case. A case without a problem passes. Others are
// refused or judged, without invalid memory accesses.

#include <cstdlib>
#include <stdexcept>

#include "conformance/facts/facts.h"
#include "conformance/facts/rules_of.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/language/npy.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/schedule.h"
#include "conformance/test/in_process.h"
#include "fuzz/libfuzzer/one_second.h"

namespace {

using namespace dmlcts;

constexpr uint64_t kMostExecuted = 1 << 14;  // bytes or elements of a tensor

bool passes(const Judgement& judgement) {
  return judgement.verdict == Verdict::Pass || judgement.verdict == Verdict::Vacuous;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const OneSecond limit;
  Case testCase;
  try {
    testCase = parseCase({reinterpret_cast<const char*>(data), size});
  } catch (const SyntaxError&) {
    return 0;
  }
  if (parseCase(caseString(testCase)) != testCase) std::abort();
  const auto problem = caseProblem(testCase);
  whyNotRunnable(testCase);
  rulesOf(testCase);
  estimatedCost(testCase);
  if (!problem) labelsOf(testCase);
  if (testCase.expect == Expect::Execute && !isSmall(testCase, kMostExecuted)) return 0;
  if (unreadFill(testCase)) return 0;
  numberOf(testCase, "denormals");
  try {
    if (!passes(judgedInProcess(testCase)) && !problem) std::abort();
  } catch (const std::invalid_argument&) {
    if (!problem) std::abort();
  }
  return 0;
}
