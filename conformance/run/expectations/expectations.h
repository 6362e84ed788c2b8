#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/facts/query.h"
#include "conformance/run/schedule.h"
#include "gpu/target.h"
#include "reference/rules.h"
#include "reports/journal/journal.h"
#include "reports/journal/verdict.h"

// Known failures of a target, from a JSON file:
//
//   {"version": 2, "expectations": [{
//     "query": "gather_nd input=f16:*",   or "case": one exact case string
//     "rule": "gather_nd.gather",         a rule that the cases test; optional with "case" and for
//                                         verdicts other than Fail
//     "verdict": "Fail",                  one of kExpectable
//     "kinds": {                          for Fail and Flaky: the covered kinds of difference
//       "wrong-elements": {"atMost": 9}}, (verdict.h), and the maximum of counted ones
//     "message": "*DATA_TYPE_SUPPORT*",   pattern of the verdict's message; NotSupported needs it
//     "reason": "…",                      why it is expected; required
//     "link": "https://…",                optional
//     "expires": "2027-01-31",            optional: not applied from this day (UTC) on
//     "sometimes": {"atLeast": 3},        optional: only this many matching cases of a whole run
//                                         must fail; Flaky needs an "atMost" here
//     "when": {                           optional: all members must match the target
//       "target": "directml*", "adapter": "*", "implementation": "1.15.*", "runtime": "*",
//       "vendor": "0x10de", "device": "0x2335", "mode": "placed",
//       "driver": ">=580 <580.159"}}],      a VersionRange (reports/compare/version.h), a pattern,
//                                         or {"from": "580.0", "through": "590"}; the same for
//                                         "implementation", "shaderModel" and "runtime"
//    "skip": [{                         cases that are never sent: they take the machine down
//     "query", "case", "reason", "link", "expires", "when"   as above
//   }]}
//
// A failure is waived if entries that match the case cover each of its kinds. Grave kinds (bytes
// outside a tensor's total, changed inputs, malformed answers) need an entry that lists nothing
// else. Crashes, timeouts and device removals need an entry of their own verdict.

namespace dmlcts {

// One entry of an expectations file: the cases it matches, and the failures it
// covers.

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

// True if a case tests the rule: by breaking it and expecting rejection, by keeping it and
// expecting acceptance, or by executing.
bool isAbout(const Case& testCase, const Rule& rule);

class Expectations {
 public:
  Expectations() = default;

  // Reads a file and keeps the entries that apply to `identity`, in `mode` (ExecutionMode::text()),
  // on the day `today` ("2026-01-31"). Throws InputError "FILE: place: problem".
  static Expectations read(const std::filesystem::path& file, const gpu::Identity& identity,
                           const std::string& today, const std::string& mode = "");

  // The same from text; `name` stands for the file in messages. Fuzzed.
  static Expectations parse(std::string_view json, const std::string& name,
                            const gpu::Identity& identity, const std::string& today,
                            const std::string& mode = "");

  // Returns a case's verdict after expectations: Waived if it failed as expected, UnexpectedPass if
  // it passed but should not have, else unchanged. `message` gets the reason, or why a matching
  // entry does not waive the failure.
  Verdict apply(const Case& testCase, const std::string& caseText, Verdict verdict,
                const Kinds& kinds, std::string& message);

  // Returns why the case must not be sent to the target, or nothing. Thread-safe.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // Returns the first query that matches none of these cases, nor any case of any tier; or "".
  std::string queryOfNoCase(std::span<const ScheduledCase> cases) const;

  // Counts a verdict that apply() gave in an earlier session of the run.
  void recall(const JournalEntry& entry);

  // One line per entry dropped because it expired.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // For a run of the whole tier: one line per entry that too few cases met. They fail the run.
  std::vector<std::string> unmet() const;
  // One line with the number of entries that matched no case; empty if all matched.
  std::string unused() const;

  size_t size() const { return entries_.size() + skips_.size(); }

 private:
  void countSkipped(const Case& testCase, const std::string& caseText);
  // The verdict of a failure that these entries match; there is at least one.
  static Verdict waived(const std::vector<Expectation*>& entries, Verdict verdict,
                        const Kinds& kinds, std::string& message);
  std::vector<Expectation*> entriesFor(const Case& testCase, const std::string& caseText);

  std::string file_;
  std::vector<Expectation> entries_;
  std::vector<Skip> skips_;
  std::vector<std::string> warnings_;
};

// Returns an expectations file (expectations.h) that waives exactly the failures in the journals
// whose verdict is in kExpectable. There is one entry per fault
// (conformance/cases/facts/explanation.h), target, shader model, driver and implementation. A fault
// gets several entries if its cases test different rules or kinds need their own. It says
// "sometimes" if not all of its cases fail. Unexplained and flaky cases get an entry each.
//
// Entries common to several versions are merged, with a version range in "when": up to the first
// version that passes, or the newest that was run. Bounds are observed maxima. Throws InputError
// for a Fail without a kind.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts
