#include "reports/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

// Text, Markdown and JSON of a comparison. The page shows the JSON.

namespace dmlcts {
namespace {

using Json = ReportDocument;

constexpr size_t kMaxRowsInText = 20;

// Indexed by RunChange.
constexpr std::array<std::string_view, kChanges.size()> kTitles{
    "broken",       "no longer proved",  "different by chance", "still failing",
    "fixed",        "otherwise changed", "changed in between",  "newly covered",
    "no longer run"};

std::string_view titleOf(RunChange change) { return kTitles.at(static_cast<size_t>(change)); }

std::string_view verdictOf(const JournalEntry* entry) {
  return entry ? name(entry->verdict) : "not run";
}

// "gather_nd 2.1 to 6.4"
std::string nameOf(const LostLevels& lost) {
  return fmt::format("{} {}{}", lost.op, lost.from,
                     lost.from == lost.through ? "" : " to " + lost.through);
}

// Returns "Pass -> Fail" for two runs; "Pass -> Fail since b -> Pass since d" for more.
std::string historyOf(const RunComparison& comparison, const std::vector<std::string>& values) {
  std::string text = values.front();
  for (size_t run = 1; run < values.size(); ++run) {
    if (values[run] == values[run - 1]) continue;
    text += " -> " + values[run];
    if (values.size() > 2) text += " since " + comparison.runs[run].name;
  }
  return text;
}

std::string historyOf(const RunComparison& comparison, const CaseChange& change) {
  if (change.verdicts.empty()) {
    return fmt::format("{} -> {}", verdictOf(change.before), verdictOf(change.after));
  }
  std::vector<std::string> values;
  for (const auto& verdict : change.verdicts) {
    values.emplace_back(verdict ? name(*verdict) : "not run");
  }
  return historyOf(comparison, values);
}

struct Speed {
  double casesPerSecond = 0;  // of the time spent in cases; 0 if unknown

  explicit Speed(const Report& report) {
    const auto cases = static_cast<double>(report.totals.all());
    if (report.seconds > 0) casesPerSecond = cases / report.seconds;
  }
  std::string text() const {
    return casesPerSecond > 0 ? fmt::format("{:.0f} cases/s", casesPerSecond) : "";
  }
};

std::string verdictsOf(const ComparedRun& run) {
  const uint64_t failures = run.report.workerFailures.size();
  return listVerdicts(run.report.totals) +
         (failures == 0 ? "" : ", " + counted(failures, "worker failure"));
}

std::string versionOf(const JournalHeader& run) {
  return run.implementation.empty() ? run.suiteVersion : run.implementation;
}

std::string ruleOf(const ComparedCause& cause) {
  if (cause.rule.id.empty()) return "";
  return (cause.rule.broken ? "breaks " : "exercises ") + cause.rule.id;
}

// Returns "3 of 10" for each run that could show the cause.
std::vector<std::pair<const ComparedRun*, std::string>> countsOf(const RunComparison& comparison,
                                                                 const ComparedCause& cause) {
  std::vector<std::pair<const ComparedRun*, std::string>> counts;
  for (size_t run = 0; run < cause.cells.size(); ++run) {
    const auto& [found, of] = cause.cells[run];
    if (of == 0) continue;
    counts.emplace_back(&comparison.runs[run],
                        fmt::format("{} of {}", grouped(found), grouped(of)));
  }
  return counts;
}

// A statement about levels, shared by some runs, and the number of cases that pass in each of them.
struct Statement {
  std::string text;
  std::vector<std::pair<const ComparedRun*, std::string>> counts;
};

// Returns statements in order of appearance.
std::vector<Statement> statementsOf(const RunComparison& comparison, const ComparedLevels& levels) {
  std::vector<Statement> groups;
  for (size_t run = 0; run < levels.cells.size(); ++run) {
    const ComparedLevels::Cell& cell = levels.cells[run];
    if (cell.status == Compliance::NotRun) continue;
    auto group = std::ranges::find(groups, cell.statement, &Statement::text);
    if (group == groups.end()) group = groups.insert(groups.end(), {cell.statement, {}});
    group->counts.emplace_back(
        &comparison.runs[run],
        cell.of == 0 ? "" : fmt::format(" {} of {}", grouped(cell.passed), grouped(cell.of)));
  }
  return groups;
}

// Returns what is said of each run by the same name, and how it changed.
std::vector<std::pair<std::string, std::string>> factsOf(const RunComparison& comparison) {
  const bool two = comparison.runs.size() == 2;
  // Facts that every run has of its own; two runs show them.
  static const std::set<std::string_view> kOwn{"Started", "Host", "Command", "Files"};
  std::vector<Facts> all;
  for (const ComparedRun& run : comparison.runs) all.push_back(dmlcts::factsOf(run.report));
  std::vector<std::pair<std::string, std::string>> facts;
  for (size_t i = 0; i < all.front().size(); ++i) {
    const std::string& what = all.front()[i].first;
    std::set<std::string> distinct;
    std::vector<std::string> values;
    for (const Facts& each : all) {
      distinct.insert(each[i].second);
      values.push_back(each[i].second.empty() ? "(none)" : each[i].second);
    }
    if (distinct.size() == 1) {
      if (!distinct.begin()->empty() && what != "Command") facts.push_back({what, values.front()});
    } else if (two) {
      facts.emplace_back(what, values[0] + "  ->  " + values[1]);
    } else if (!kOwn.contains(what)) {
      facts.emplace_back(what, historyOf(comparison, values));
    }
  }
  return facts;
}

Json runToJson(const ComparedRun& run) {
  const Report& report = run.report;
  return {{"name", run.name},
          {"page", run.page},
          {"note", run.note},
          {"startedAt", report.run.startedAt},
          {"target", report.run.target},
          {"version", versionOf(report.run)},
          {"driver", driverOf(report.run)},
          {"suite", suiteOf(report.run)},
          {"specification", report.run.specification + (report.run.strict ? ", strict" : "")},
          {"tier", report.run.tier},
          {"filtered", !report.filters.empty()},
          {"headline", conclude(report).headline},
          {"doubt", run.doubt},
          {"exitStatus", exitStatus(report)},
          {"totals", toDocument(report.totals)},
          {"workerFailures", report.workerFailures.size()},
          {"caseSeconds", report.seconds}};
}

Json levelsToJson(const ComparedLevels& levels) {
  return {{"operator", levels.op},
          {"from", levels.from},
          {"through", levels.through},
          {"cells", arrayOf(levels.cells, [](const ComparedLevels::Cell& cell) -> Json {
             return {{"status", name(cell.status)},
                     {"statement", cell.statement},
                     {"passed", cell.passed},
                     {"of", cell.of}};
           })}};
}

Json causeToJson(const ComparedCause& cause) {
  return {{"target", cause.target},
          {"query", cause.query},
          {"rule", cause.rule.id},
          {"ruleIs", cause.rule.is()},
          {"headline", cause.headline},
          {"shortest", cause.shortest},
          {"message", cause.message},
          {"cells", arrayOf(cause.cells, [](const ComparedCause::Cell& cell) -> Json {
             return {{"found", cell.found}, {"of", cell.of}};
           })}};
}

Json changeToJson(const CaseChange& change) {
  const JournalEntry& entry = change.entry();
  Json row = {{"case", entry.caseString},    {"operator", entry.op},
              {"level", entry.level},        {"type", entry.type},
              {"rank", entry.rank},          {"family", entry.family},
              {"rules", entry.rules.list()}, {"verdict", name(entry.verdict)},
              {"message", entry.message}};
  if (change.before) row["before"] = name(change.before->verdict);
  if (change.after) row["after"] = name(change.after->verdict);
  if (!change.verdicts.empty()) {
    row["verdicts"] = arrayOf(change.verdicts, [](const std::optional<Verdict>& verdict) {
      return verdict ? Json(name(*verdict)) : Json();
    });
  }
  return row;
}

}  // namespace

// Text ---------------------------------------------------------------------------------------

std::string comparisonText(const RunComparison& comparison) {
  const bool two = comparison.runs.size() == 2;
  std::string out;
  const auto add = [&out](const std::string& line) { out += plainLine(line) + '\n'; };
  if (comparison.runs.size() > 2) {
    add(fmt::format("{} to {}: {}", comparison.runs.front().name, comparison.runs.back().name,
                    comparison.headline()));
  } else {
    add(comparison.headline());
  }
  add(counted(comparison.unchanged, "case") + " unchanged.");
  for (const std::string& warning : comparison.warnings) add("warning: " + warning);
  if (!two) {
    out += "\nruns:\n";
    for (const ComparedRun& run : comparison.runs) {
      std::string line = fmt::format("  {}: {}: {}", run.name,
                                     counted(run.report.totals.all(), "case"), verdictsOf(run));
      for (const std::string& part : {Speed(run.report).text(), run.doubt, driverOf(run.report.run),
                                      suiteOf(run.report.run)}) {
        if (!part.empty()) line += "; " + part;
      }
      add(line);
    }
    if (!comparison.causes.empty()) out += "\ncauses, in cases of those that could show them:\n";
    for (const ComparedCause& cause : comparison.causes) {
      add(fmt::format("  {}: {}", cause.target, cause.headline));
      if (const std::string rule = ruleOf(cause); !rule.empty()) add("    " + rule);
      std::string counts;
      for (const auto& [run, count] : countsOf(comparison, cause)) {
        counts += (counts.empty() ? "" : "; ") + run->name + " " + count;
      }
      add("    " + counts);
    }
    if (!comparison.levels.empty()) out += "\nlevels:\n";
    for (const ComparedLevels& levels : comparison.levels) {
      add(fmt::format("  {} {}", levels.op, levels.levels()));
      for (const Statement& each : statementsOf(comparison, levels)) {
        std::string line = "    " + each.text + ":";
        for (const auto& [run, count] : each.counts) {
          line += (run == each.counts.front().first ? " " : ", ") + run->name + count;
        }
        add(line);
      }
    }
  }
  if (!comparison.lostLevels.empty()) out += "\nno longer shown to conform:\n";
  for (const LostLevels& each : comparison.lostLevels) {
    add(fmt::format("  {}: {}", nameOf(each), each.why));
  }
  for (RunChange change : kChanges) {
    const uint64_t count = comparison.count(change);
    if (count == 0) continue;
    out += fmt::format("\n{} ({}):\n", titleOf(change), grouped(count));
    if (change == RunChange::Broken) {
      for (const Cluster& each : comparison.clusters) {
        add("  " + headlineOf(each));
        if (const auto extent = extentOf(each); !extent.empty()) add("    " + extent);
      }
    }
    size_t shown = 0;
    for (const CaseChange& each : comparison.changes) {
      if (each.change != change) continue;
      if (++shown > kMaxRowsInText) continue;
      add(fmt::format("  {}: {}", historyOf(comparison, each), each.entry().caseString));
    }
    if (shown > kMaxRowsInText) {
      out += fmt::format("  and {} more\n", grouped(shown - kMaxRowsInText));
    }
  }
  out += '\n';
  for (const auto& [what, value] : factsOf(comparison)) add(fmt::format("{:<18} {}", what, value));
  return out;
}

void writeComparisonText(std::ostream& out, const RunComparison& comparison) {
  out << comparisonText(comparison);
}

// Markdown -----------------------------------------------------------------------------------

void writeComparisonMarkdown(std::ostream& out, const RunComparison& comparison) {
  out << "## " << markdownCode(comparison.headline()) << "\n\n";
  for (const std::string& warning : comparison.warnings) {
    out << "- Warning: " << markdownCode(warning) << "\n";
  }
  if (!comparison.warnings.empty()) out << '\n';
  out << markdownRow({"run", "started", "target", "driver", "tier", "verdicts", "cases/s", "suite",
                      "specification", "in doubt"})
      << markdownRow({"---", "---", "---", "---", "---", "---", "---:", "---", "---", "---"});
  for (const ComparedRun& run : comparison.runs) {
    const JournalHeader& header = run.report.run;
    const double speed = Speed(run.report).casesPerSecond;
    out << markdownRow({markdownCode(run.name), markdownCode(header.startedAt),
                        markdownCode(header.target + " " + versionOf(header)),
                        markdownCode(driverOf(header)), markdownCode(header.tier), verdictsOf(run),
                        speed > 0 ? fmt::format("{:.0f}", speed) : "",
                        markdownCode(suiteOf(header)), markdownCode(header.specification),
                        markdownCode(run.doubt)});
  }
  if (!comparison.causes.empty()) {
    out << "\n### Causes by run\n\nIn cases of those that could show them.\n\n"
        << markdownRow({"target", "cause", "rule", "runs", "the shortest case"})
        << markdownRow({"---", "---", "---", "---", "---"});
  }
  for (const ComparedCause& cause : comparison.causes) {
    std::string counts;
    for (const auto& [run, count] : countsOf(comparison, cause)) {
      counts += (counts.empty() ? "" : "; ") + markdownCode(run->name) + " " + count;
    }
    out << markdownRow({markdownCode(cause.target), markdownCode(cause.headline),
                        markdownCode(ruleOf(cause)), counts, markdownCode(cause.shortest)});
  }
  if (!comparison.levels.empty()) {
    out << "\n### Levels by run\n\n"
        << markdownRow({"operator", "levels", "runs"}) << markdownRow({"---", "---", "---"});
  }
  for (const ComparedLevels& levels : comparison.levels) {
    std::string said;
    for (const Statement& each : statementsOf(comparison, levels)) {
      said += (said.empty() ? "" : "; ") + markdownCode(each.text) + ":";
      for (const auto& [run, count] : each.counts) {
        said += (run == each.counts.front().first ? " " : ", ") + markdownCode(run->name) + count;
      }
    }
    out << markdownRow({markdownCode(levels.op), markdownCode(levels.levels()), said});
  }
  out << "\n### From " << markdownCode(comparison.runs.front().name) << " to "
      << markdownCode(comparison.runs.back().name) << "\n\n"
      << markdownRow({"cases", ""}) << markdownRow({"---", "---:"});
  for (RunChange change : kChanges) {
    const uint64_t count = comparison.count(change);
    if (count > 0) out << markdownRow({std::string(titleOf(change)), grouped(count)});
  }
  out << markdownRow({"unchanged", grouped(comparison.unchanged)});
  for (const LostLevels& each : comparison.lostLevels) {
    out << "\n- No longer shown to conform: " << markdownCode(nameOf(each) + ": " + each.why)
        << "\n";
  }
  for (RunChange change : kChanges) {
    // The numbers above say enough of cases that only one of the two runs has.
    if (change == RunChange::NewlyCovered || change == RunChange::NoLongerRun) continue;
    size_t shown = 0;
    for (const CaseChange& each : comparison.changes) {
      if (each.change != change || ++shown > kMaxRowsInText) continue;
      if (shown == 1) out << "\nCases " << titleOf(change) << ":\n\n";
      out << "- " << markdownCode(historyOf(comparison, each) + ": " + each.entry().caseString)
          << "\n";
    }
    if (shown > kMaxRowsInText) out << "- and " << grouped(shown - kMaxRowsInText) << " more\n";
  }
}

// JSON ---------------------------------------------------------------------------------------

ReportDocument toDocument(const RunComparison& comparison, size_t maxRows) {
  Json counts = Json::object();
  Json changes = Json::object();
  for (RunChange change : kChanges) {
    counts[std::string(name(change))] = comparison.count(change);
    changes[std::string(name(change))] = Json::array();
  }
  for (const CaseChange& each : comparison.changes) {
    Json& rows = changes[std::string(name(each.change))];
    if (rows.size() < maxRows) rows.push_back(changeToJson(each));
  }
  const Report& last = comparison.last();
  Json clusters = arrayOf(comparison.clusters, [&](const Cluster& cluster) -> Json {
    const JournalEntry& shortest = last.cases[cluster.shortest];
    return {{"query", cluster.query},          {"headline", headlineOf(cluster)},
            {"extent", extentOf(cluster)},     {"cases", cluster.cases.size()},
            {"shortest", shortest.caseString}, {"message", firstWords(shortest)}};
  });
  Json lost = arrayOf(comparison.lostLevels, [](const LostLevels& each) -> Json {
    return {
        {"operator", each.op}, {"from", each.from}, {"through", each.through}, {"why", each.why}};
  });
  return {{"diff", 2},
          {"headline", comparison.headline()},
          {"regression", comparison.regression()},
          {"exitStatus", comparison.exitStatus()},
          {"warnings", comparison.warnings},
          {"before", dmlcts::factsOf(comparison.first())},
          {"after", dmlcts::factsOf(last)},
          {"unchanged", comparison.unchanged},
          {"counts", std::move(counts)},
          {"changes", std::move(changes)},
          {"lostLevels", std::move(lost)},
          {"clusters", std::move(clusters)},
          {"runs", arrayOf(comparison.runs, runToJson)},
          {"levels", arrayOf(comparison.levels, levelsToJson)},
          {"causes", arrayOf(comparison.causes, causeToJson)}};
}

void writeComparisonJson(std::ostream& out, const RunComparison& comparison) {
  out << toText(toDocument(comparison, SIZE_MAX), 1) << "\n";
}

}  // namespace dmlcts
