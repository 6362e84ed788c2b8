#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/query.h"
#include "conformance/run/expectations/case_set_index.h"
#include "conformance/run/schedule.h"
#include "gpu/target.h"
#include "reference/rules.h"
#include "reports/journal/journal.h"

// Known failures of a target, from a JSON file:
//
//   {"version": 2, "expectations": [{
//     "query": "gather_nd input=f16:*",   or "case": one exact case string
//     "rule": "gather_nd.gather",         a rule that the cases test; optional with "case" and for
//                                         verdicts other than Fail
//     "verdict": "Fail",                  one of kExpectable
//     "kinds": ["wrong-elements"],        for Fail and Flaky: the covered kinds of difference
//                                         (verdict.h)
//     "message": "*DATA_TYPE_SUPPORT*",   pattern of the verdict's message; NotSupported needs it
//     "reason": "…",                      why it is expected; required
//     "sometimes": true,                  optional: matching cases may pass, and their failures may
//                                         be Flaky
//     "when": {                           optional: all members must match the target
//       "target": "directml*", "adapter": "*", "implementation": "1.15.*", "runtime": "*",
//       "vendor": "0x10de", "device": "0x2335", "mode": "placed",
//       "driver": ">=580 <580.159"}}],      a VersionRange (reports/compare/version.h) or pattern;
//                                         "implementation", "shaderModel" and "runtime" likewise
//    "skip": [{                         cases that are never sent: they take the machine down
//     "query", "case", "reason", "when"   as above
//   }]}
//
// A failure is waived if entries that match the case cover each of its kinds. Grave kinds (bytes
// outside a tensor's total, changed inputs, malformed answers) need an entry that lists nothing
// else. Crashes, timeouts and device removals need an entry of their own verdict.

namespace dmlcts {

// Verdicts that can be expected.
inline constexpr std::array kExpectable{Verdict::Fail,    Verdict::NotSupported,  Verdict::Crash,
                                        Verdict::Timeout, Verdict::DeviceRemoved, Verdict::Flaky,
                                        Verdict::Vacuous};

// The kind that a verdict itself is: "crash" for Crash; "" for others without one.
std::string_view ownKind(Verdict verdict);

// True for grave kinds, which need an entry of their own.
bool needsOwnEntry(std::string_view kind);

// The cases that an entry matches.
struct CaseSet {
  std::string text;  // the query or case string, for messages
  bool exact = false;
  std::vector<Query> query;  // one, unless exact
  std::string reason;
  bool matched = false;  // a case of the run matches, and the entry could apply to it

  bool matches(const Case& testCase, const std::string& caseText) const;
};

// Cases that must not be sent to the target because they take its machine down.
struct Skip : CaseSet {};

// One entry of an expectations file: the cases it matches, and the failures it covers.
struct Expectation : CaseSet {
  const Rule* rule = nullptr;  // null: any
  Verdict verdict = Verdict::Fail;
  std::set<std::string, std::less<>> kinds;  // covered
  std::string message;     // pattern that the verdict's message must match; "" for any
  bool sometimes = false;  // matched cases may pass, and their failures may be Flaky
  bool met = false;        // a matched case failed as expected

  bool matches(const Case& testCase, const std::string& caseText) const;

  // True if the entry covers a kind in a failure with that verdict and message.
  bool covers(Verdict failure, std::string_view failureMessage, std::string_view kind) const;

  // True if the entry expects such failures.
  bool expects(Verdict failure, std::string_view failureMessage) const;
};

// True if a case tests the rule: by breaking it and expecting rejection, by keeping it and
// expecting acceptance, or by executing.
bool isAbout(const Case& testCase, const Rule& rule);

class Expectations {
 public:
  Expectations() = default;

  // Reads a file and keeps the entries that apply to `identity`, in `mode`
  // (ExecutionMode::text()). Throws InputError "FILE: place: problem".
  static Expectations read(const std::filesystem::path& file, const gpu::Identity& identity,
                           const std::string& mode = "");

  // The same from text; `name` stands for the file in messages. Fuzzed.
  static Expectations parse(std::string_view json, const std::string& name,
                            const gpu::Identity& identity, const std::string& mode = "");

  // Changes the verdict: to Waived if the case failed as expected, to UnexpectedPass if it passed
  // but should not have. The message gets the reason, or why a matching entry does not waive the
  // failure.
  void apply(const Case& testCase, const std::string& caseText, Judgement& judgement);

  // Returns why the case must not be sent to the target, or nothing. Thread-safe.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // Returns the first query that matches none of these cases, nor any case of any tier; or "".
  std::string queryOfNoCase(std::span<const ScheduledCase> cases) const;

  // Counts a verdict that apply() gave in an earlier session of the run.
  void recall(const JournalEntry& entry);

  // For a run of the whole tier: one line per entry that matched cases and covered no failure. They
  // fail the run.
  std::vector<std::string> unmet() const;
  // One line with the number of entries that matched no case; empty if all matched.
  std::string unused() const;

  size_t size() const { return entries_.size() + skips_.size(); }

 private:
  void countSkipped(const Case& testCase, const std::string& caseText);
  // Applies the entries that match a failure; there is at least one.
  static void waive(const std::vector<Expectation*>& entries, Judgement& failure);
  std::vector<Expectation*> entriesFor(const Case& testCase, const std::string& caseText);

  std::string file_;
  std::vector<Expectation> entries_;
  std::vector<Skip> skips_;
  CaseSetIndex entryIndex_;
  CaseSetIndex skipIndex_;
};

// Drafts an expectations file that waives the failures in the journals whose verdict is in
// kExpectable. There is one entry per cause (reports/summary/clusters.h), target, shader model,
// driver and implementation; several if the cause's cases test different rules or kinds need their
// own entry. Other cases get an entry each. Failures that a run found to depend on chance, history
// or other workers (reports/journal/when.h), and Flaky ones, get "sometimes" and an entry per
// operator: other cases may fail the next time.
//
// Entries common to several versions are merged, with a version range in "when": up to the first
// version that passes, or the newest that was run. Throws InputError for a Fail without a kind, and
// for a case of another version that would get an entry of its own.
std::string knownFailures(std::span<const Journal> journals);

}  // namespace dmlcts
