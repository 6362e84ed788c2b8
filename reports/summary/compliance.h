#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/rules.h"
#include "reports/summary/totals.h"

// What a report claims of an operator at a level. A claim is never more than the journals show:
// where anything is missing, the statement says what is known.

namespace dmlcts {

struct Report;

enum class Compliance {
  Conforms,  // the whole tier ran, unfiltered; all that must execute did; every case passed, but
             // for rejections that a device without a level gate is not asked for
  Absent,    // the level lacks the operator, and the whole tier's descriptors were rejected
  Broken,    // at least one case failed
  Partial,   // none failed; some were waived, skipped, not supported, vacuous, or got no
             // verdict
  Unproven,  // nothing wrong with any verdict, but the journals cannot show that it was all
  Filtered,  // queries or a level pattern chose the cases, none of which failed
  NotAsked,  // above the target's highest level, or the device has no gate for it
  NotSupported,  // the target says of every case that it has no such thing
  NotRun,        // no case
};

// ComplianceRow::reason of Compliance::NotAsked, where only levels forbid what was asked.
inline constexpr std::string_view kNoGate =
    "the device rejects nothing for its feature level alone";

inline constexpr Compliance kCompliances[] = {
    Compliance::Broken,   Compliance::NotSupported, Compliance::Partial,
    Compliance::Unproven, Compliance::Filtered,     Compliance::Conforms,
    Compliance::Absent,   Compliance::NotAsked,     Compliance::NotRun,
};  // what needs attention first

// "Conforms", "NotSupported", …: the enumerator's own name.
std::string_view name(Compliance compliance);

struct RuleCount {
  std::string id;
  uint64_t cases = 0;
  uint64_t failed = 0;
  uint64_t waived = 0;
};

// How many cases did not keep a rule, where that is no failure.
struct Unkept {
  std::string rule;
  uint64_t cases = 0;
};

struct ComplianceRow {
  std::string op;
  std::string level;
  Compliance status = Compliance::NotRun;
  std::string reason;  // why not better, of some statuses; without numbers
  std::string
      statement;  // "conforms on the default tier", "1,204 of 2,311 pass, 1,107 not supported"
  Totals totals;
  uint64_t tierCases = 0;  // of the whole tier; 0 where the journals do not say
  // Exercised by failed cases, or where none failed by waived ones; first those that many of them
  // have and few passed ones.
  std::vector<RuleCount> failedRules;
  std::string brokenRule;         // by most of the failures, or "" where that is not known
  std::vector<Unkept> dependsOn;  // inferred rules that Arguable cases broke
  std::vector<Unkept> observed;   // what no page promises
};

// The same statement about levels that follow one another.
struct Claim {
  std::string op;
  std::string from;
  std::string through;
  Compliance status = Compliance::NotRun;
  std::string statement;
  std::string rule;               // that most of the failures broke, where that is known, or ""
  std::vector<Unkept> dependsOn;  // as in ComplianceRow, added up
  std::vector<Unkept> observed;

  std::string levels() const;  // "4.0", "4.0 to 6.4"
};

// Fills in `compliance` and `claims`, of the operators and levels that the ledger speaks of and
// those that cases were run at. Reads cases, run, filters, worker failures and what complete()
// does.
void judgeLevels(std::span<const Rule> ledger, Report& report);

}  // namespace dmlcts
