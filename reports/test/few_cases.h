#pragma once

#include <gmock/gmock.h>

#include <sstream>

#include "reports/render/writers.h"
#include "reports/summary/compliance.h"
#include "reports/summary/summary.h"
#include "reports/test/sample_journals.h"

// Whole runs of a few cases of gather_nd 4.0, and what is said of them.

namespace dmlcts {

inline JournalEntry entry(size_t number, Verdict verdict, bool executes = true) {
  JournalEntry made = executed("gather_nd level=4.0 seed=" + std::to_string(number), verdict);
  made.rank = 4;
  made.executed = executes;
  return made;
}

inline std::vector<JournalEntry> entries(const std::vector<Verdict>& verdicts,
                                         bool executed = true) {
  std::vector<JournalEntry> made;
  for (Verdict verdict : verdicts) made.push_back(entry(made.size(), verdict, executed));
  return made;
}

// A rejection that only its level calls for; NotAsked if it was accepted.
inline JournalEntry levelOnly(size_t number, Verdict verdict) {
  JournalEntry made = entry(number, verdict, false);
  made.levelOnly = true;
  if (verdict == Verdict::NotAsked) made.message = "accepted a descriptor that breaks a rule";
  return made;
}

// The journal of a whole smoke-tier run with exactly these cases.
inline Journal wholeRun(std::vector<JournalEntry> made) {
  JournalHeader header;
  header.tier = "smoke";
  header.adapter = "Adapter";
  header.maxLevel = "6.0";
  header.planHash = "plan";
  return journalOf(std::move(made), header);
}

inline Report of(const std::vector<Journal>& journals) { return summarize(journals); }

inline const ComplianceRow& rowOf(const Report& report, std::string_view level = "4.0",
                                  std::string_view op = "gather_nd") {
  return levelOf(report, op, level);
}

inline std::string statement(const Report& report) { return rowOf(report).statement; }

// Every form of the report, by name.
inline std::vector<std::pair<std::string, std::string>> everyForm(const Report& report) {
  std::vector<std::pair<std::string, std::string>> forms{{"terminal", terminalSummary(report)}};
  const std::vector<std::pair<std::string, void (*)(std::ostream&, const Report&)>> writers{
      {"report.json", writeReportJson},
      {"junit.xml", writeJUnit},
      {"summary.md", writeMarkdown},
      {"index.html", writeHtml}};
  for (const auto& [name, write] : writers) {
    std::ostringstream out;
    write(out, report);
    std::string text = out.str();
    if (name == "index.html") {  // the page's data, without its scripts
      const size_t data = text.find("id=\"data\">");
      text = text.substr(data, text.find("</script>", data) - data);
    }
    forms.emplace_back(name, std::move(text));
  }
  return forms;
}

// Matches what every form is.
auto eachIs(const auto&... matchers) {
  return testing::Each(testing::Pair(testing::_, testing::AllOf(matchers...)));
}

}  // namespace dmlcts
