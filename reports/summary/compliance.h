#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/journal/verdict.h"

// Claims about an operator at a level. A claim is never more than the journals show: if anything is
// missing, the statement says what is known.

namespace dmlcts {

struct Report;

enum class Compliance {
  Conforms,  // the whole tier ran unfiltered, at least one case executed, and every case passed or
             // was arguable, except rejections that a device without a level gate is not asked
             // for, and execution modes that the target does not have
  Absent,    // the level lacks the operator, and the whole tier's descriptors were rejected
  Broken,    // at least one case failed
  Partial,   // none failed; some were waived, skipped, not supported, vacuous, or have no verdict
  Unproven,  // no verdict is wrong, but the journals cannot show that nothing is missing
  Filtered,  // queries or a level pattern chose the cases; none failed
  NotAsked,  // above the target's highest level, or a device without a gate
  NotSupported,  // by every case's message, the target lacks it
  NotRun,        // no case
};

// ComplianceRow::reason of Compliance::NotAsked if only levels forbid the cases.
inline constexpr std::string_view kNoGate = "the device accepts calls of any feature level";

// ComplianceRow::reason of Compliance::Unproven if cases of the tier are missing.
inline constexpr std::string_view kIncomplete = "incomplete";

inline constexpr Compliance kCompliances[] = {
    Compliance::Broken,   Compliance::NotSupported, Compliance::Partial,
    Compliance::Unproven, Compliance::Filtered,     Compliance::Conforms,
    Compliance::Absent,   Compliance::NotAsked,     Compliance::NotRun,
};  // first what needs attention most

// Returns the enumerator's name: "Conforms", "NotSupported", …
std::string_view name(Compliance compliance);

struct RuleCount {
  std::string id;
  uint64_t cases = 0;
  uint64_t failed = 0;
  uint64_t waived = 0;
};

// The number of cases that did not keep a rule without failing, by its id.
using UnkeptRules = std::map<std::string, uint64_t, std::less<>>;

struct ComplianceRow {
  std::string op;
  std::string level;
  Compliance status = Compliance::NotRun;
  std::string reason;  // why the status is no better, for some statuses; without numbers
  std::string
      statement;  // "conforms on the default tier", "1,204 of 2,311 pass, 1,107 not supported"
  Totals totals;
  uint64_t tierCases = 0;  // in the whole tier; 0 if the journals do not say
  // Rules that failed cases exercise or, without failures, waived cases. First those that many of
  // them share and few passing cases do.
  std::vector<RuleCount> failedRules;
  std::string brokenRule;  // broken by most failures, or "" if not known
  UnkeptRules dependsOn;   // inferred rules that Arguable cases broke
  UnkeptRules observed;    // rules of ours, which no page promises
};

// One statement for consecutive levels: their rows added up, without failedRules.
struct Claim : ComplianceRow {
  std::string through;

  std::string levels() const;  // "4.0", "4.0 to 6.4"
};

// Fills in `compliance` and `claims`, of the operators and levels that the ledger speaks of and
// those that cases were run at; leaves them empty for random cases. Reads cases, run, filters,
// worker failures and what complete() does.
void judgeLevels(Report& report);

inline constexpr uint32_t kMaxRank = 8;  // DML_TENSOR_DIMENSION_COUNT_MAX1

// Returns, in words, the rule that forbids an input of that type and rank at a level. Nothing if
// there is none, or if the operator, level or type is unknown here.
std::optional<std::string> ruledOut(std::string_view op, const std::string& level,
                                    const std::string& type, uint32_t rank);

}  // namespace dmlcts
