#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/run/expectation.h"
#include "conformance/run/schedule.h"
#include "gpu/target.h"
#include "reports/journal/journal.h"

// What a target is known to get wrong, from a JSON file:
//
//   {"version": 2, "expectations": [{
//     "query": "gather_nd input=f16:*",   or "case": one exact case string
//     "rule": "gather_nd.gather",         that the cases test; with "case" and
//                                         for other verdicts than Fail it may be left out
//     "verdict": "Fail",                  one of kExpectable
//     "kinds": {                          of Fail and Flaky: the kinds of difference (kinds.h) that
//       "wrong-elements": {"atMost": 9}}, are covered, and the most of those that are counted
//     "message": "*DATA_TYPE_SUPPORT*",   pattern of the verdict's message; NotSupported needs it
//     "reason": "…",                      why it is expected; required
//     "link": "https://…",                optional
//     "expires": "2027-01-31",            optional: from that day (UTC) on it is not applied
//     "sometimes": {"atLeast": 3},        optional: not every case that matches has to fail, only
//     so
//                                         many of a whole run; Flaky needs an "atMost" here
//     "when": {                           optional: all members must hold for the target
//       "target": "directml*", "adapter": "*", "implementation": "1.15.*", "runtime": "*",
//       "vendor": "0x10de", "device": "0x2335", "mode": "placed", "kernelVariant": "loops",
//       "driver": ">=580 <580.159"}}],      a VersionRange (reports/compare/version.h), a pattern,
//       or
//                                         {"from": "580.0", "through": "590"}, as "implementation",
//                                         "shaderModel" and "runtime"
//    "skip": [{                         cases that are not sent at all: they take the machine down.
//     "query", "case", "reason", "link", "expires", "when"   as above
//   }],
//    "sequences": [{                    sequences of calls that fail
//     "query": "nonzero_coordinates",     that one of the operators matches, and
//     "calls": ["reset", "execute"],      calls that are made; one of the two may be left out
//     "verdict", "kinds", "message", "reason", "link", "expires", "when"   as above
//   }]}
//
// A failure is waived when each of its kinds is covered by an entry that matches the case. Bytes
// outside a tensor's total, changed inputs and malformed answers are covered by no entry that lists
// anything else, and crashes, timeouts and device removals by none but those of their own verdict.

namespace dmlcts {

class Expectations {
 public:
  Expectations() = default;

  // Reads a file and keeps what applies to `identity`, asked in `mode` (ExecutionMode::text()), on
  // the day `today` ("2026-01-31"). Throws InputError "FILE: where: what is wrong".
  static Expectations read(const std::filesystem::path& file, const gpu::Identity& identity,
                           const std::string& today, const std::string& mode = "");

  // The same from text, `name` standing for the file in messages. Fuzzed.
  static Expectations parse(std::string_view json, const std::string& name,
                            const gpu::Identity& identity, const std::string& today,
                            const std::string& mode = "");

  // The verdict of a case, given the expectations: Waived when it failed just as
  // expected, UnexpectedPass when it passed and should not have; otherwise unchanged. `message`
  // says why, and why a failure is not waived by an entry that matches the case.
  Verdict apply(const Case& testCase, const std::string& caseText, Verdict verdict,
                const Kinds& kinds, std::string& message);

  // The same of a sequence. One that passes and need not have is as good as any other.
  Verdict apply(const Program& program, Verdict verdict, const Kinds& kinds, std::string& message);

  // Why the case must not be sent to the target, where it must not. May be called by any thread,
  // whatever the others do.
  std::optional<std::string> whySkipped(const Case& testCase) const;

  // The first query that matches none of these cases, nor any case of any tier; or "".
  std::string queryOfNoCase(std::span<const ScheduledCase> cases) const;

  // Counts a verdict that apply() gave in an earlier session of the run.
  void recall(const JournalEntry& entry);

  // Entries not kept: expired ones, one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Of a run that had every case of its tier: entries that fewer cases met than they say, one line
  // each. They fail the run.
  std::vector<std::string> unmet() const;
  // And how many no case matched, in a line; "" for none.
  std::string unused() const;

  size_t size() const { return entries_.size() + skips_.size(); }

 private:
  void countSkipped(const Case& testCase, const std::string& caseText);
  // What becomes of a failure that these entries are about, of which there are some.
  static Verdict waived(const std::vector<Expectation*>& entries, Verdict verdict,
                        const Kinds& kinds, std::string& message);
  std::vector<Expectation*> entriesFor(const Case& testCase, const std::string& caseText);

  std::vector<Expectation> entries_;
  std::vector<Skip> skips_;
  std::vector<SequenceExpectation> sequences_;
  std::vector<std::string> warnings_;
};

}  // namespace dmlcts
