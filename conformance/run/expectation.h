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

// One entry of an expectations file (expectations.h): which cases it is about, and what of their
// failures it covers.

namespace dmlcts {

// The verdicts that can be expected.
inline constexpr std::array kExpectable{Verdict::Fail,    Verdict::NotSupported,  Verdict::Crash,
                                        Verdict::Timeout, Verdict::DeviceRemoved, Verdict::Flaky,
                                        Verdict::Vacuous};

// The kind that a verdict is by itself: "crash" of Crash; "" of the others.
std::string_view ownKind(Verdict verdict);

// Kinds that come in a number of elements or bytes.
bool isCounted(std::string_view kind);

// Kinds that must not be waived together with others, because they are graver.
bool needsOwnEntry(std::string_view kind);

// How many cases of a whole run fail as expected, where not every one that matches has to.
struct Sometimes {
  uint64_t atLeast = 1;  // or all that match, where those are fewer
  uint64_t atMost = std::numeric_limits<uint64_t>::max();
};

// The cases that an entry is about.
struct CaseSet {
  std::string text;  // the query or case string, for messages
  bool exact = false;
  std::vector<Query> query;  // one, unless exact
  std::string reason;
  std::string link;
  uint64_t matched = 0;  // cases of the run that the entry is about and could apply to

  bool matches(const Case& testCase, const std::string& caseText) const;
  // With the link behind it.
  std::string reasonText() const;
};

// Cases that must not be sent to the target: they take its machine down.
struct Skip : CaseSet {};

struct Expectation : CaseSet {
  const Rule* rule = nullptr;  // null: any
  Verdict verdict = Verdict::Fail;
  Kinds kinds;          // that it covers, and the most of each
  std::string message;  // pattern that the verdict's message must match; "" for any
  std::optional<Sometimes> sometimes;
  uint64_t failed = 0;  // of those matched, as expected

  bool matches(const Case& testCase, const std::string& caseText) const;

  // Whether it covers this much of a kind, in a failure with that verdict and message.
  bool covers(Verdict failure, std::string_view failureMessage, std::string_view kind,
              uint64_t count) const;

  // Whether it expects failures with that verdict and message at all, and one more of them.
  bool expects(Verdict failure, std::string_view failureMessage) const;
};

// The sequences of calls (program.h) that an entry is about, and what of their failures it covers.
struct SequenceExpectation : Expectation {
  std::vector<gpu::CallKind> calls;  // all of which it has

  // Whether it makes these calls, and one of its operators matches the query, if there is one.
  bool matches(const Program& program) const;
};

// Whether a case tests that rule: by a descriptor that breaks it and must be
// rejected, by one that keeps it and must be accepted, or by what it executes.
bool isAbout(const Case& testCase, const Rule& rule);

}  // namespace dmlcts
