#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/query.h"
#include "conformance/run/program.h"
#include "reference/rules.h"
#include "reports/journal/kinds.h"
#include "reports/journal/verdict.h"

// One entry of an expectations file (expectations.h): the cases it matches, and the failures it
// covers.

namespace dmlcts {

// Verdicts that can be expected.
inline constexpr std::array kExpectable{Verdict::Fail,    Verdict::NotSupported,  Verdict::Crash,
                                        Verdict::Timeout, Verdict::DeviceRemoved, Verdict::Flaky,
                                        Verdict::Vacuous};

// The kind that a verdict itself is: "crash" for Crash; "" for others without one.
std::string_view ownKind(Verdict verdict);

// True for kinds with a count of elements or bytes.
bool isCounted(std::string_view kind);

// True for grave kinds, which need an entry of their own.
bool needsOwnEntry(std::string_view kind);

// The number of cases in a whole run that fail as expected, if not every match must fail.
struct Sometimes {
  uint64_t atLeast = 1;  // or all matching cases, if fewer
  uint64_t atMost = std::numeric_limits<uint64_t>::max();
};

// The cases that an entry matches.
struct CaseSet {
  std::string text;  // the query or case string, for messages
  bool exact = false;
  std::vector<Query> query;  // one, unless exact
  std::string reason;
  std::string link;
  uint64_t matched = 0;  // cases of the run that match and that the entry could apply to

  bool matches(const Case& testCase, const std::string& caseText) const;
  // The reason followed by the link.
  std::string reasonText() const;
};

// Cases that must not be sent to the target because they take its machine down.
struct Skip : CaseSet {};

struct Expectation : CaseSet {
  const Rule* rule = nullptr;  // null: any
  Verdict verdict = Verdict::Fail;
  Kinds kinds;          // covered kinds, with the maximum count of each
  std::string message;  // pattern that the verdict's message must match; "" for any
  std::optional<Sometimes> sometimes;
  uint64_t failed = 0;  // matched cases that failed as expected

  bool matches(const Case& testCase, const std::string& caseText) const;

  // True if the entry covers `count` of a kind in a failure with that verdict and message.
  bool covers(Verdict failure, std::string_view failureMessage, std::string_view kind,
              uint64_t count) const;

  // True if the entry expects such failures, and may match one more.
  bool expects(Verdict failure, std::string_view failureMessage) const;
};

// The call sequences (program.h) that an entry matches, and the failures it covers.
struct SequenceExpectation : Expectation {
  std::vector<gpu::CallKind> calls;  // it must make all of these

  // True if the program makes all `calls` and, if there is a query, one of its operators matches.
  bool matches(const Program& program) const;
};

// True if a case tests the rule: by breaking it and expecting rejection, by keeping it and
// expecting acceptance, or by executing.
bool isAbout(const Case& testCase, const Rule& rule);

}  // namespace dmlcts
