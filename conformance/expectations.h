#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "conformance/cases/query.h"
#include "gpu/target.h"
#include "reports/verdict.h"

// What a target is known to get wrong, from a JSON file:
//
//   {"expectations": [{
//     "query": "gather_nd input=f16:*",   or "case": one exact case string
//     "verdict": "Fail",                  a failing verdict
//     "reason": "…",                      why it is expected; required
//     "link": "https://…",                optional
//     "expires": "2027-01-31",            optional: from that day (UTC) on it is not applied
//     "sometimes": true,                  optional: of the cases that match some may pass
//     "when": {                           optional: all members must hold for the target
//       "target": "directml*", "adapter": "*", "implementation": "1.15.*", "runtime": "*",
//       "vendor": "0x10de", "device": "0x2335",
//       "driver": {"from": "580.0", "through": "590"}}}]}

namespace dmlcts {

// The verdicts that can be expected.
inline constexpr std::array kExpectable{Verdict::Fail, Verdict::Crash, Verdict::Timeout,
                                        Verdict::DeviceRemoved, Verdict::Vacuous};

struct Expectation {
  std::string text;  // the query or case string, for messages
  bool exact = false;
  std::vector<Query> query;  // one, unless exact
  Verdict verdict = Verdict::Fail;
  std::string reason;
  std::string link;
  bool sometimes = false;
  uint64_t matched = 0;  // cases seen
};

class Expectations {
 public:
  Expectations() = default;

  // Reads a file and keeps what applies to `identity` on the day `today` ("2026-01-31").
  // Throws InputError "FILE: where: what is wrong".
  static Expectations read(const std::filesystem::path& file, const gpu::Identity& identity,
                           const std::string& today);

  // The same from text, `name` standing for the file in messages. Fuzzed.
  static Expectations parse(std::string_view json, const std::string& name,
                            const gpu::Identity& identity, const std::string& today);

  // The verdict of a case in the light of what was expected: Waived when it failed just as
  // expected, UnexpectedPass when it passed and was not to; otherwise unchanged. Says why in
  // `message`.
  Verdict apply(const Case& testCase, const std::string& caseText, Verdict verdict,
                std::string& message);

  // Entries not kept: expired ones, one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }
  // Kept entries that should have matched a case and did not, one line each.
  std::vector<std::string> unused() const;
  size_t size() const { return entries_.size(); }

 private:
  std::vector<Expectation> entries_;
  std::vector<std::string> warnings_;
};

}  // namespace dmlcts
