#include "conformance/command/options/caught.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "conformance/language/plan_hash.h"
#include "reference/counted.h"
#include "reports/summary/summary.h"

namespace dmlcts {
namespace {

bool isDeclared(const Signs& signs, Verdict verdict, const Kinds& kinds) {
  const bool needsKinds = verdict == Verdict::Fail || verdict == Verdict::Flaky;
  return std::ranges::find(signs.verdicts, verdict) != signs.verdicts.end() &&
         (!needsKinds || !kinds.empty()) && std::ranges::all_of(kinds, [&](const auto& kind) {
           return std::ranges::find(signs.kinds, kind.first) != signs.kinds.end();
         });
}

// Copies the first catching entry into the result; `index` is the case's place in the schedule.
void takeFrom(const JournalEntry& entry, size_t index, Catch& result) {
  result.casesTaken = index + 1;
  result.family = entry.family;
  result.rules = fmt::format("{}", fmt::join(entry.rules, " "));
  result.caseText = entry.caseString;
  result.how = fmt::format("{}: {}", name(entry.verdict), entry.message);
  result.verdict = name(entry.verdict);
  result.kinds = entry.kinds;
}

bool conforms(const Report& report, const std::string& op, const std::string& level) {
  return std::ranges::any_of(report.compliance, [&](const ComplianceRow& row) {
    return row.op == op && row.level == level && row.status == Compliance::Conforms;
  });
}

}  // namespace

std::string listKinds(const Kinds& kinds) {
  std::string text;
  for (const auto& [which, count] : kinds) text += (text.empty() ? "" : ", ") + which;
  return text;
}

void treatAsWholeTier(Journal& journal) {
  for (JournalHeader& header : journal.headers) {
    header.plannedCases = journal.entries.size();
    header.tierCases.clear();
    PlanHash hash;
    for (const JournalEntry& entry : journal.entries) {
      ++header.tierCases[entry.op + " " + entry.level];
      hash.add(entry.caseString);
    }
    header.planHash = hash.text();
  }
}

Catch judgeWrong(const Signs& signs, const Record& record) {
  const Report report = summarize({&record.journal, 1});
  Catch result;
  if (signs.where == Signs::Where::InIdentity) {
    result.caught = !record.refused.empty();
    result.how = result.caught ? "refused: " + record.refused : "nobody saw two devices";
    return result;
  }
  std::unordered_map<std::string_view, const JournalEntry*> reported;
  for (const JournalEntry& entry : report.cases) reported.emplace(entry.caseString, &entry);
  for (size_t i = 0; i < record.journal.entries.size(); ++i) {
    const JournalEntry& entry = *reported.at(record.journal.entries[i].caseString);
    if (!failsRun(entry.verdict) && entry.verdict != Verdict::InternalError) continue;
    const std::string how = fmt::format("{}: {}", name(entry.verdict), entry.message);
    if (!isDeclared(signs, entry.verdict, entry.kinds)) {
      result.how = fmt::format("not what it declares ({}): {}; {}", listKinds(entry.kinds), how,
                               entry.caseString);
      return result;
    }
    if (conforms(report, entry.op, entry.level)) {
      result.how = fmt::format("{} conforms at {} despite {}", entry.op, entry.level, how);
      return result;
    }
    if (++result.catches > 1) {
      std::erase_if(result.onlyRules, [&](const std::string& rule) {
        return std::ranges::find(entry.rules, rule) == entry.rules.end();
      });
      continue;
    }
    result.onlyRules = entry.rules.list();
    takeFrom(entry, record.index[i], result);
  }
  if (signs.where == Signs::Where::BetweenCases) {
    for (const JournalWorkerFailure& workerFailure : report.workerFailures) {
      if (!isDeclared(signs, workerFailure.verdict, {})) continue;
      ++result.catches;
      result.how = fmt::format("{}: {}: {}", workerFailure.when, name(workerFailure.verdict),
                               workerFailure.message);
      result.verdict = name(workerFailure.verdict);
    }
    for (const ComplianceRow& row : report.compliance) {
      if (row.status != Compliance::Conforms) continue;
      result.how = fmt::format("{} conforms at {} despite that", row.op, row.level);
      return result;
    }
  }
  if (result.catches == 0) {
    result.how = "survived " + counted(record.journal.entries.size(), "case");
  } else if (const int status = exitStatus(report); status != 1) {
    result.how = fmt::format("a run would exit with status {} despite {}", status, result.how);
  } else {
    result.caught = true;
  }
  return result;
}

Catch judgeRight(const Record& record) {
  const Report report = summarize({&record.journal, 1});
  Catch result;
  for (const JournalEntry& entry : report.cases) {
    if (entry.verdict == Verdict::Pass || entry.verdict == Verdict::NotAsked) continue;
    result.how = fmt::format("{}: {}; {}", name(entry.verdict), entry.message, entry.caseString);
    return result;
  }
  for (const ComplianceRow& row : report.compliance) {
    const bool fine = row.status == Compliance::Conforms || row.status == Compliance::Absent ||
                      row.status == Compliance::NotAsked || row.status == Compliance::NotRun;
    if (fine) continue;
    result.how = fmt::format("{} at {}: {}", row.op, row.level, row.statement);
    return result;
  }
  if (const int status = exitStatus(report); status != 0) {
    result.how = fmt::format("a run would exit with status {}", status);
    return result;
  }
  result.caught = true;
  result.casesTaken = record.journal.entries.size();
  result.how = "as expected";
  return result;
}

}  // namespace dmlcts
