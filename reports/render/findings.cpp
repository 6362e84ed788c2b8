#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reference/rules.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

bool onWine(const Report& run) { return run.run.runtime.starts_with("Wine"); }

void writeRuns(std::ostream& out, const Findings& findings) {
  out << "## Runs\n\n"
      << markdownRow({"journal", "tier", "driver", "cases", "Pass", "other verdicts", "suite",
                      "specification"})
      << markdownRow({"---", "---", "---", "---:", "---:", "---", "---", "---"});
  for (size_t i = 0; i < findings.runs.size(); ++i) {
    const Report& run = *findings.runs[i].report;
    Totals others = run.totals;
    others[Verdict::Pass] = 0;
    const std::string chosen = chosenBy(run);
    out << markdownRow({markdownCode(findings.runs[i].name),
                        markdownCode((run.run.tier.empty() ? "none" : run.run.tier) +
                                     (chosen.empty() ? "" : ", " + chosen)),
                        markdownCode(run.run.adapter), grouped(run.totals.all()),
                        grouped(run.totals[Verdict::Pass]), listVerdicts(others),
                        markdownCode(run.run.suiteCommit), markdownCode(run.run.specification)});
  }
  for (size_t i = 0; i < findings.runs.size(); ++i) {
    const JournalHeader& run = findings.runs[i].report->run;
    out << "\n" << markdownCode(findings.runs[i].name) << ":\n\n";
    for (const auto& [what, value] : factsOf(*findings.runs[i].report)) {
      if (value.empty() || what == "Files") continue;
      const bool ofWine = what == "Driver" && onWine(*findings.runs[i].report);
      out << "- " << what << ": " << markdownCode(value) << (ofWine ? ", as Wine gives it" : "")
          << ".\n";
    }
    for (const auto& [name, value] : run.limits) {
      out << "- " << markdownText(name) << ": " << markdownCode(value) << "\n";
    }
    for (const auto& [name, sum] : run.files)
      out << "- " << markdownCode(name) << ": SHA-256 " << markdownCode(sum) << "\n";
  }
}

void writeRemarks(std::ostream& out, const std::string& heading, const std::vector<Remark>& remarks,
                  const std::string& first = "") {
  std::string text = first;
  for (const Remark& remark : remarks) {
    text += (text.empty() ? "" : " ") + remark.says + " (" + markdownCode(remark.source) + ")";
  }
  if (!text.empty()) out << "\n" << heading << text << "\n";
}

void writeFinding(std::ostream& out, const Findings& findings, const Deviation& finding,
                  const std::string& number, const FindingFiles& files) {
  const JournalEntry& shortest = *finding.shortest;
  const bool limit = finding.part == Deviation::Part::Limit;
  std::string title;
  if (finding.note) {
    title = finding.note->title;
  } else {
    title = markdownText(shortest.op + ", " +
                         (finding.rule.broken ? finding.rule.id : shortest.message));
  }
  out << "\n### " << number << " " << plainLine(title) << "\n";
  if (finding.note) writeRemarks(out, "", finding.note->text);
  if (const Rule* rule = findRule(finding.rule.id)) {
    out << "\n"
        << (finding.rule.broken
                ? "The rule"
                : "Which rule is broken no journal says; the failed cases have in common")
        << fmt::format(
               ":\n\n- {}, {}: {} (Source: {}; pages and commits in "
               "[reference/sources.md](../reference/sources.md#pages).)\n",
               markdownCode(rule->id), name(rule->standing), rule->wording, rule->source);
  }
  out << "\n"
      << markdownRow({"journal", "driver", limit ? "cases" : "found in", "of", "verdicts"})
      << markdownRow({"---", "---", "---:", "---:", "---"});
  bool wineOnly = true;
  for (size_t i = 0; i < finding.rows.size(); ++i) {
    const Deviation::Row& each = finding.rows[i];
    if (each.of == 0 && each.found == 0) continue;
    if (each.found > 0) wineOnly = wineOnly && onWine(*findings.runs[i].report);
    out << markdownRow({markdownCode(findings.runs[i].name),
                        markdownCode(findings.runs[i].report->run.adapter), grouped(each.found),
                        grouped(std::max(each.of, each.found)), listVerdicts(each.totals)});
  }
  std::string block = shortest.message.empty() ? "" : plainLine(shortest.message) + "\n";
  for (const Difference& each : shortest.differences) block += plainLine(each.text()) + "\n";
  for (const auto& [rule, count] : shortest.observations) {
    block += fmt::format("observed: {} not kept, {}\n", rule, count);
  }
  out << "\nThe shortest case, in " << markdownCode(findings.runs[finding.shortestRun].name)
      << ":\n\n"
      << markdownBlock(
             "build/bin/" +
             replayLine(
                 "--target " + shellWord(findings.runs[finding.shortestRun].report->run.target),
                 shortest.caseString));
  if (!block.empty()) out << "\n" << markdownBlock(block);
  if (const auto links = files.find(finding.id); links != files.end() && !links->second.empty()) {
    out << "\nWithout this suite:";
    for (const std::string& file : links->second) {
      out << fmt::format(" [`{}`]({})", file.substr(file.rfind('/') + 1), file);
    }
    out << "\n";
  }
  const std::string wine =
      wineOnly ? fmt::format(
                     "Wine's translation of Direct3D 12, and the Vulkan driver below it: no "
                     "run on Windows is among these journals ({}).",
                     markdownCode(findings.runs[finding.shortestRun].name))
               : "";
  static const FindingNote kNone;
  const FindingNote& note = finding.note ? *finding.note : kNone;
  writeRemarks(out, "Not excluded: ", note.notExcluded, wine);
  writeRemarks(out, "To settle: ", note.toSettle);
}

}  // namespace

void writeFindings(std::ostream& out, const Findings& findings, const FindingFiles& files) {
  out << "# Where the implementation differs from DirectML's documentation\n\n"
         "Made by `reports/findings/make` from kept journals of DirectML and the remarks in\n"
         "`reports/findings/notes.json`; do not edit. Every number is a journal's, every remark\n"
         "has its source behind it. [matrix.md](matrix.md) has other versions.\n"
         "`reports/findings/make --programs FOLDER` writes a program of each finding that shows\n"
         "it without this suite.\n\n";
  writeRuns(out, findings);
  constexpr std::array<std::string_view, 3> kParts{"Breaks a sentence",
                                                   "Documents are silent, implementations differ",
                                                   "Limits worth documenting"};
  for (size_t part = 0; part < kParts.size(); ++part) {
    out << "\n## " << part + 1 << ". " << kParts[part] << "\n";
    size_t number = 0;
    for (const Deviation& finding : findings.all) {
      if (static_cast<size_t>(finding.part) != part) continue;
      writeFinding(out, findings, finding, fmt::format("{}.{}", part + 1, ++number), files);
    }
    if (number == 0) out << "\nNone in these journals.\n";
  }
}

}  // namespace dmlcts
