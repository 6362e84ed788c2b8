#include "conformance/run/expectation.h"

#include <algorithm>

#include "conformance/cases/rules_of.h"

namespace dmlcts {

std::string_view ownKind(Verdict verdict) {
  switch (verdict) {
    case Verdict::Crash:
      return kind::kCrash;
    case Verdict::Timeout:
      return kind::kTimeout;
    case Verdict::DeviceRemoved:
      return kind::kDeviceRemoved;
    default:
      return "";
  }
}

bool isCounted(std::string_view kind) {
  return kind == kind::kWrongElements || kind == kind::kPaddingBytes || kind == kind::kGuardBytes ||
         kind == kind::kInputBytes;
}

bool needsOwnEntry(std::string_view kind) {
  return kind == kind::kGuardBytes || kind == kind::kInputBytes || kind == kind::kMalformedAnswer ||
         kind == kind::kCrash || kind == kind::kTimeout || kind == kind::kDeviceRemoved;
}

bool isAbout(const Case& testCase, const Rule& rule) {
  if (rule.checked == Checked::Always) return true;
  if (testCase.expect == Expect::Reject) return testCase.rejectBy == rule.id;
  if (rule.checked == Checked::ByRejecting) {
    const std::string_view subject = rule.id.substr(0, rule.id.find('.'));
    return rule.holdsAt(testCase.level) &&
           (subject == "tensor" || subject == operatorName(testCase.descriptor));
  }
  const auto rules = rulesOf(testCase);
  return std::ranges::find(rules, rule.id) != rules.end();
}

bool CaseSet::matches(const Case& testCase, const std::string& caseText) const {
  return exact ? text == caseText : query.front().matches(testCase);
}

std::string CaseSet::reasonText() const { return reason + (link.empty() ? "" : " (" + link + ")"); }

bool Expectation::matches(const Case& testCase, const std::string& caseText) const {
  // The query comes last: it may have to generate inputs.
  return (exact || !rule || isAbout(testCase, *rule)) && CaseSet::matches(testCase, caseText);
}

bool SequenceExpectation::matches(const Program& program) const {
  const auto makes = [&](gpu::CallKind kind) {
    return std::ranges::find(program.calls, kind, &gpu::SequenceCall::kind) != program.calls.end();
  };
  const auto asks = [&](const Case& testCase) { return query.front().matches(testCase); };
  return std::ranges::all_of(calls, makes) &&
         (query.empty() || std::ranges::any_of(program.operators, asks));
}

bool Expectation::expects(Verdict failure, std::string_view failureMessage) const {
  return failure == verdict && (!sometimes || failed < sometimes->atMost) &&
         (message.empty() || matchesPattern(message, failureMessage));
}

bool Expectation::covers(Verdict failure, std::string_view failureMessage, std::string_view kind,
                         uint64_t count) const {
  const auto most = kinds.find(std::string(kind));
  return most != kinds.end() && count <= most->second && expects(failure, failureMessage);
}

}  // namespace dmlcts
