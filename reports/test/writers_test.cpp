#include "reports/render/writers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <system_error>

#include "conformance/test/test_folder.h"
#include "conformance/test/thrown.h"
#include "reports/journal/file_size_limit.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/test/sample_journals.h"
#include "reports/text/escape.h"

// The renderings are complete, and safe whatever a worker wrote.

namespace dmlcts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const Report& sample() {
  static const Report report = summarize(sampleJournals(3000, 2));
  return report;
}

std::string written(void (*write)(std::ostream&, const Report&), const Report& report = sample()) {
  std::ostringstream out;
  write(out, report);
  return out.str();
}

// A report with a failed case, a case that was not asked and a worker failure, whose strings are
// all `text`.
Report reportOf(const std::string& text) {
  JournalHeader header;
  header.target = header.adapter = header.driver = header.commandLine = header.planHash = text;
  header.limits = header.files = {{text, text}};
  header.queries = {text};
  header.levelFilter = header.tier = header.maxLevel = header.caseFile = text;
  header.tierCases = {{text, 1}, {text + " " + text, 1}};
  header.plannedCases = 1;
  JournalEntry entry;
  entry.caseString = entry.family = entry.op = entry.level = entry.type = entry.message = text;
  entry.workerStderr = entry.bundle = text;
  entry.rules = entry.attempts = {text};
  entry.differences = {{text, {0}, 0, "00", "01", text}, {.note = text}};
  entry.kinds = {{text, 1}};
  entry.verdict = Verdict::Fail;
  JournalEntry unasked = entry;
  unasked.caseString += "'";
  unasked.level += "'";
  unasked.verdict = Verdict::NotAsked;
  Journal journal;
  journal.headers = {header};
  journal.entries = {entry, unasked};
  journal.headerOf = {0, 0};
  journal.workerFailures = {{text, Verdict::Crash, text, text}};
  return summarize({&journal, 1});
}

// True if the text has no control character except newlines.
bool isPlain(const std::string& text) {
  return std::ranges::none_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F;
  });
}

TEST(ReportJson, HoldsTotalsMatrixRulesAndFailures) {
  const auto json = nlohmann::json::parse(written(writeReportJson));
  EXPECT_EQ(json["report"], kReportVersion);
  EXPECT_EQ(json["target"]["adapter"], "Sample Adapter 9000 <b>&");
  EXPECT_EQ(json["tool"]["seed"], "18446744073709551615");
  uint64_t total = 0;
  for (const auto& [verdict, count] : json["totals"].items()) total += count.get<uint64_t>();
  EXPECT_EQ(total, sample().cases.size());
  uint64_t cells = 0;
  for (const auto& row : json["matrix"]) {
    EXPECT_TRUE(row["rank"].is_number_unsigned());
    for (const auto& [verdict, count] : row["totals"].items()) cells += count.get<uint64_t>();
  }
  EXPECT_EQ(cells, total);
  EXPECT_EQ(json["rules"].size(), sample().rules.size());
  EXPECT_EQ(json["failures"].size(), sample().failures.size());
}

TEST(ReportJson, FailuresComeBackUnchanged) {
  for (const std::string& text : hostileStrings()) {
    const auto json = nlohmann::json::parse(written(writeReportJson, reportOf(text)));
    if (text.starts_with("not UTF-8")) continue;
    EXPECT_EQ(json["failures"][0]["case"], text);
    EXPECT_EQ(json["failures"][0]["workerStderr"], text);
    EXPECT_EQ(json["workerFailures"][0]["message"], text);
    EXPECT_EQ(json["target"]["files"][text], text);
    EXPECT_THAT(json["filters"], UnorderedElementsAre(text, "--cases " + text, "--level " + text));
  }
}

// Prints errors on stderr.
bool isWellFormed(const std::string& xml) {
  TestFolder folder;
  const std::string file = (folder.path() / "text.xml").string();
  std::ofstream(file, std::ios::binary) << xml;
  return std::system(("xmllint --noout --nonet '" + file + "'").c_str()) == 0;
}

TEST(XmlLint, FindsWhatIsNotWellFormed) {
  EXPECT_TRUE(isWellFormed("<?xml version=\"1.0\"?>\n<a b=\"c\">d &amp; &#10;<e/></a>\n"));
  for (const char* wrong : {"", "<a>", "<a>&nbsp;</a>", "<a>\x01</a>", "<a>\xFF</a>", "<a/>text"}) {
    EXPECT_FALSE(isWellFormed(wrong)) << wrong;
  }
}

size_t countOf(const std::string& what, const std::string& text) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; ++at) ++found;
  return found;
}

TEST(JUnit, WellFormedAndCounted) {
  const std::string xml = written(writeJUnit);
  EXPECT_TRUE(isWellFormed(xml));
  const auto count = [&](const std::string& what) { return countOf(what, xml); };
  const size_t workerFailures = sample().workerFailures.size();
  EXPECT_GT(workerFailures, 0u);
  EXPECT_EQ(count("<testcase "), sample().cases.size() + workerFailures);
  EXPECT_EQ(count("classname=\"dmlcts.worker-failure\""), workerFailures);
  EXPECT_EQ(count("<failure "), sample().totals.failTheRun() + workerFailures);
  EXPECT_EQ(count("<error "), sample().totals[Verdict::InternalError]);
  for (Verdict verdict : kVerdicts) {
    EXPECT_GT(sample().totals[verdict], 0u) << name(verdict);
    const bool skipped = verdict == Verdict::Arguable || verdict == Verdict::NotAsked ||
                         verdict == Verdict::Skipped || verdict == Verdict::Waived ||
                         verdict == Verdict::Vacuous;
    EXPECT_EQ(count("<skipped message=\"" + std::string(name(verdict)) + ": "),
              skipped ? sample().totals[verdict] : 0u)
        << name(verdict);
  }
  EXPECT_EQ(count("<testsuite "), sample().families.size() + 1) << "and one of the run itself";
}

// The totals stay those of all cases.
TEST(JUnit, BeyondAThousandFailuresHasATestCasePerCause) {
  const auto runOf = [](size_t failures) {
    std::vector<JournalEntry> entries;
    for (size_t i = 0; i < failures + 100; ++i) {
      const char* type = i < failures ? "f16" : "f32";
      entries.push_back(executed(
          fmt::format("nonzero_coordinates level=4.0 input={}:{} coords={}x1", type, i + 1, i + 1),
          i < failures ? Verdict::Fail : Verdict::Pass));
      entries.back().op = "nonzero_coordinates";
      entries.back().type = type;
      entries.back().kinds = {{"wrong-elements", 1}};
      entries.back().violated = {"nonzero_coordinates.count"};
    }
    entries.back().verdict = Verdict::NotSupported;
    entries.back().message = "no such thing";
    return summarize(std::vector{journalOf(std::move(entries))});
  };
  const std::string few = written(writeJUnit, runOf(999));
  EXPECT_EQ(countOf("<failure ", few), 1000u);
  EXPECT_EQ(countOf("dmlcts.cause", few), 0u);

  const Report report = runOf(1000);
  const std::string many = written(writeJUnit, report);
  EXPECT_TRUE(isWellFormed(many));
  EXPECT_THAT(many, HasSubstr("tests=\"1100\" failures=\"1001\" errors=\"0\""));
  ASSERT_EQ(report.clusters.size(), 1u);
  EXPECT_EQ(countOf("<failure ", many), 2u) << "the cause, and what is not supported";
  EXPECT_EQ(countOf("<testcase ", many), 99u + 2);
  EXPECT_THAT(many, HasSubstr("name=\"" + report.clusters[0].query + "\""));
  EXPECT_THAT(many, HasSubstr("message=\"1,000 Fail; the shortest: "));
  EXPECT_THAT(many, HasSubstr("breaks nonzero_coordinates.count: "));
  EXPECT_THAT(many, HasSubstr("dmlcts replay --target d3d12 &quot;nonzero_coordinates level=4.0 "
                              "input=f16:1 coords=1x1&quot;"));
  EXPECT_THAT(many, HasSubstr("name=\"NotSupported: no such thing\""));
}

TEST(JUnit, HostileStrings) {
  for (const std::string& text : hostileStrings()) {
    EXPECT_TRUE(isWellFormed(written(writeJUnit, reportOf(text)))) << text;
  }
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& bytes) {
    RC_ASSERT(isWellFormed(written(writeJUnit, reportOf(bytes))));
  }));
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const size_t from = text.find(begin);
  if (from == text.npos) return "";
  const size_t start = from + begin.size();
  return text.substr(start, text.find(end, start) - start);
}

TEST(Html, IsWholeAndNeedsNoNetwork) {
  const std::string html = written(writeHtml);
  EXPECT_THAT(html, HasSubstr("</html>"));
  EXPECT_THAT(html, Not(HasSubstr("{{style}}")));
  std::string ours = html;  // but for the journal's data, which has a hostile text's address
  const std::string journal = between(html, "id=\"data\">", "</script>");
  ours.erase(ours.find(journal), journal.size());
  EXPECT_THAT(ours, Not(HasSubstr("://")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  const std::string style = between(html, "<style>", "</style>");
  EXPECT_THAT(style, Not(HasSubstr("@import")));
  EXPECT_THAT(style, Not(HasSubstr("url(")));
  for (const char* loads : {"<link", "<img", "<iframe", "<object", "<embed", "<script src"}) {
    const size_t data = html.find("id=\"data\">");
    EXPECT_EQ(html.substr(0, data).find(loads), html.npos) << loads;
    EXPECT_EQ(html.find(loads, html.find("</script>", data)), html.npos) << loads;
  }
}

TEST(Html, NothingBreaksOut) {
  for (const std::string& text : hostileStrings()) {
    const std::string html = written(writeHtml, reportOf(text));
    size_t scripts = 0;
    for (size_t at = 0; (at = html.find("</script", at)) != html.npos; ++at) ++scripts;
    EXPECT_EQ(scripts, 4u) << text;
    const std::string json = between(html, "id=\"data\">", "</script>");
    EXPECT_EQ(json.find_first_of("<>&"), json.npos) << text;
    EXPECT_EQ(json.find("\xE2\x80\xA8"), json.npos) << text;
    const auto document = nlohmann::json::parse(json);
    if (!text.starts_with("not UTF-8")) {
      EXPECT_EQ(document["failures"][0]["message"], text);
    }
    EXPECT_THAT(between(html, "<title>", "</title>"), Not(HasSubstr("<")));
    EXPECT_TRUE(isPlain(html)) << text;
  }
}

TEST(Text, LastLinesAreTheLastEight) {
  EXPECT_EQ(lastLines(""), "");
  EXPECT_EQ(lastLines("\n\n"), "");
  EXPECT_EQ(lastLines("one"), "one\n");
  EXPECT_EQ(lastLines("1\n2\n\n4\n5\n6\n7\n8\n9\n\n"), "2\n\n4\n5\n6\n7\n8\n9\n");
}

TEST(Markdown, HostileStringsStayCode) {
  EXPECT_EQ(markdownCode("plain"), "`plain`");
  EXPECT_EQ(markdownCode("a|b"), "`a\\|b`");
  EXPECT_EQ(markdownCode("a``b"), "```a``b```");
  EXPECT_EQ(markdownCode("`a"), "`` `a ``");
  EXPECT_EQ(markdownCode("a\nb\x1B"), "`a\\x0Ab\\x1B`");
  EXPECT_EQ(markdownBlock("x\n````\r\ny"), "`````text\nx\n````\ny\n`````\n");
  for (const std::string& text : hostileStrings()) {
    EXPECT_TRUE(
        isPlain(std::regex_replace(written(writeMarkdown, reportOf(text)), std::regex("\t"), "")))
        << text;
  }
}

// Returns Markdown without its code blocks and code spans.
std::string outsideCode(const std::string& markdown) {
  std::string rest;
  std::istringstream lines(markdown);
  std::string fence;
  for (std::string line; std::getline(lines, line);) {
    if (!fence.empty()) {
      if (line == fence) fence.clear();
      continue;
    }
    if (line.starts_with("```") && line.ends_with("text")) {
      fence = line.substr(0, line.size() - 4);
      continue;
    }
    for (size_t at = 0; at < line.size();) {
      const size_t ticks = std::min(line.find_first_not_of('`', at), line.size()) - at;
      const bool escaped = at > 0 && line[at - 1] == '\\';
      if (ticks == 0 || escaped) {
        rest += line[at++];
        continue;
      }
      // A span ends at the next run of as many backticks.
      size_t end = at + ticks;
      size_t closing = 0;
      while (end < line.size() && closing != ticks) {
        end = std::min(line.find('`', end), line.size());
        closing = std::min(line.find_first_not_of('`', end), line.size()) - end;
        end += closing;
      }
      EXPECT_EQ(closing, ticks) << "no end of code: " << line;
      at = end;
    }
    rest += '\n';
  }
  return rest;
}

TEST(Markdown, OutsideCodeIsWhatIsNoCode) {
  EXPECT_EQ(outsideCode("a `b` c ``d`e`` f\n```text\n`g\n```\nh\n"), "a  c  f\nh\n");
}

// Every string of a journal, and the names of runs, in every format of a report and a comparison.
TEST(Formats, ForeignTextIsInert) {
  const std::string ours = outsideCode(written(writeMarkdown, reportOf("x")));
  const auto compared = [](const std::string& text) {
    const Report report = reportOf(text);
    Report other = report;
    other.run.target += "'";
    other.run.suiteVersion = text;
    for (JournalEntry& entry : other.cases) {
      const bool failed = entry.verdict == Verdict::Fail;
      entry.verdict = failed ? Verdict::Arguable : Verdict::Fail;
      entry.violated = {text};
    }
    const std::vector<Report> reports{report, other, report};
    return compareRuns(
        3, [&](size_t i) { return ComparedRun{text + std::to_string(i), reports[i], text, text}; },
        RunOrder::AsGiven);
  };
  const auto render = [](auto write, const auto& data) {
    std::ostringstream out;
    write(out, data);
    return out.str();
  };
  const std::string oursOfRuns = outsideCode(render(writeComparisonMarkdown, compared("x")));
  for (const std::string& text : hostileStrings()) {
    const Report report = reportOf(text);
    const RunComparison runs = compared(text);
    // The same text of ours is left, whatever the foreign text is.
    EXPECT_EQ(outsideCode(written(writeMarkdown, report)), ours) << text;
    EXPECT_EQ(outsideCode(render(writeComparisonMarkdown, runs)), oursOfRuns) << text;
    EXPECT_TRUE(isPlain(render(writeComparisonText, runs))) << text;
    EXPECT_TRUE(isPlain(render(writeComparisonJson, runs))) << text;
    const auto json = nlohmann::json::parse(render(writeComparisonJson, runs));
    if (!text.starts_with("not UTF-8")) {
      EXPECT_EQ(json["runs"][1]["name"], text + "1");
      EXPECT_EQ(json["runs"][0]["tier"], text);
    }
    const std::string html = render(writeComparisonHtml, runs);
    const std::string data = between(html, "id=\"data\">", "</script>");
    EXPECT_EQ(data.find_first_of("<>&"), data.npos) << text;
    EXPECT_THAT(between(html, "<title>", "</title>"), Not(HasSubstr("<"))) << text;
    EXPECT_THAT(html, Not(HasSubstr("<img"))) << text;
    const DeqpFiles deqp = deqpFiles(report);
    for (const std::string* file : {&deqp.results, &deqp.fails, &deqp.flakes, &deqp.skips}) {
      EXPECT_TRUE(isPlain(*file)) << text;
    }
  }
}

TEST(Identity, FilesAreShownWhole) {
  const std::string sha256(64, 'b');
  const auto json = nlohmann::json::parse(written(writeReportJson));
  EXPECT_EQ(json["target"]["files"]["driver.so"], sha256);
  for (auto write : {writeJUnit, writeMarkdown, writeHtml}) {
    EXPECT_THAT(written(write), HasSubstr("driver.so"));
    EXPECT_THAT(written(write), HasSubstr(sha256));
  }
}

TEST(Conclusion, QuotesAWorkerAtAModestLength) {
  const std::string big(1'000'000, 'x');
  Journal journal = sampleJournals(1)[0];
  journal.workerFailures = {{"at exit", Verdict::Crash, big, big}};
  journal.headers.push_back(journal.headers[0]);
  journal.headers[1].files["driver.so"] = journal.headers[1].adapter = big;
  for (JournalEntry& entry : journal.entries) {
    entry.verdict = Verdict::NotAsked;
    entry.message = big;
  }
  const Report report = summarize({&journal, 1});
  for (const std::string& remark : conclude(report).remarks) EXPECT_LT(remark.size(), 2000u);
  for (const Claim& claim : report.claims) EXPECT_LT(claim.statement.size(), 2000u);
  EXPECT_LT(terminalSummary(report).size(), 20'000u);
}

TEST(Markdown, StaysWithinWhatAJobSummaryTakes) {
  const std::string big(20'000, '`');
  Journal journal = sampleJournals(1)[0];
  for (int i = 0; i < 300; ++i) {
    JournalEntry entry = journal.entries[0];
    entry.verdict = Verdict::Fail;
    entry.caseString = std::to_string(i) + big;
    entry.level = entry.message = entry.workerStderr = entry.caseString;
    journal.entries.push_back(entry);
    journal.headerOf.push_back(0);
    journal.workerFailures.push_back({big, Verdict::Crash, big, big});
    journal.headers[0].files[entry.caseString] = big;
    journal.headers[0].queries.push_back(entry.caseString);
  }
  const std::string markdown = written(writeMarkdown, summarize({&journal, 1}));
  EXPECT_LT(markdown.size(), 1'000'000u);
  EXPECT_THAT(markdown, HasSubstr("more in report.json"));
}

TEST(Terminal, ShortAndPlain) {
  const std::string text = terminalSummary(sample());
  EXPECT_TRUE(isPlain(text));
  EXPECT_LT(std::ranges::count(text, '\n'), 40);
  EXPECT_THAT(text, HasSubstr("cases failed"));
  for (const std::string& hostile : hostileStrings()) {
    EXPECT_TRUE(isPlain(terminalSummary(reportOf(hostile)))) << hostile;
  }
}

// A worker that lacks a capability is not asked what needs it: the terminal and summary.md name it,
// also behind a commoner reason and beside more remarks than the terminal shows.
TEST(Terminal, NamesWhatIsNotSupported) {
  Journal journal = sampleJournals(40)[0];
  const auto is = [&](size_t from, size_t to, Verdict verdict, const std::string& why) {
    for (size_t i = from; i < to; ++i) {
      journal.entries[i].verdict = verdict;
      journal.entries[i].message = why;
    }
  };
  const std::string fields = "the worker's hello does not name the capability \"tensor-fields\"";
  is(0, 3, Verdict::NotSupported, "CheckFeatureSupport says no");
  is(3, 5, Verdict::NotSupported, fields);
  is(5, 6, Verdict::NotSupported, "?");
  is(6, 7, Verdict::NotSupported, "!");
  for (size_t i = 7; i < 15; ++i) is(i, i + 1, Verdict::Skipped, "hangs " + std::to_string(i));
  const Report report = summarize({&journal, 1});
  const std::string said =
      "Not supported: 3 cases: CheckFeatureSupport says no; 2 cases: " + fields +
      "; 1 case: !; 1 more case for other reasons.";
  EXPECT_THAT(terminalSummary(report), HasSubstr(said));
  EXPECT_THAT(written(writeMarkdown, report), HasSubstr(said));
}

TEST(Escape, ControlAndDirectionCharactersAreSpelledOut) {
  EXPECT_EQ(plainLine("a\x1B[2J\xC2\x9B\xE2\x80\xAE\xFF"), "a\\x1B[2J\\x9B\\u{202E}\xEF\xBF\xBD");
  EXPECT_EQ(plainText("a\r\nb\tc\r"), "a\nb\tc\\x0D");
  // Commands to CI services.
  EXPECT_EQ(plainLine(" ::error::x ::y"), " \\x3A:error::x ::y");
  EXPECT_EQ(plainText("a\n::error\n##vso[x]##[y]"), "a\n\\x3A:error\n\\x23#vso[x]\\x23#[y]");
  EXPECT_EQ(toText("##vso[x]##[y]", -1), R"("\u0023#vso[x]\u0023#[y]")");
  // Links and mentions.
  EXPECT_EQ(markdownText("@x http://y www.z"), "@\u2060x http:\u2060//y www.\u2060z");
  EXPECT_EQ(escapeMarkup("<&>\"'\n"), "&lt;&amp;&gt;&quot;&#39;&#10;");
  EXPECT_EQ(plainLine("\xE2\x82\xAC \xF0\x9F\x98\x80"), "\xE2\x82\xAC \xF0\x9F\x98\x80");
  for (const char* invalid : {"\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80"}) {
    EXPECT_THAT(plainLine(invalid), HasSubstr("\xEF\xBF\xBD"));
  }
}

// Every rendering takes any journal that still parses, however damaged.
TEST(Pipeline, DamagedJournals) {
  std::string whole;
  const Journal journal = sampleJournals(4)[0];
  whole += toJsonLine(journal.headers[0]) + "\n";
  for (const JournalEntry& entry : journal.entries) whole += toJsonLine(entry) + "\n";
  int parsed = 0;
  EXPECT_TRUE(rc::check("bytes replaced", [&] {
    std::string text = whole;
    const auto edits = *rc::gen::container<std::vector<std::pair<size_t, char>>>(rc::gen::pair(
        rc::gen::inRange<size_t>(0, whole.size()),
        rc::gen::oneOf(rc::gen::arbitrary<char>(),
                       rc::gen::elementOf(std::string("0123456789abcxyz\"\\{}[],")))));
    for (const auto& [at, byte] : edits) text[at] = byte;
    std::istringstream in(text);
    try {
      const Journal read = parseJournal(in, "damaged");
      const Report report = summarize({&read, 1});
      ++parsed;
      RC_ASSERT(isWellFormed(written(writeJUnit, report)));
      RC_ASSERT(!written(writeHtml, report).empty());
      RC_ASSERT(!written(writeMarkdown, report).empty());
      RC_ASSERT(isPlain(terminalSummary(report)));
    } catch (const std::runtime_error& error) {
      RC_ASSERT(std::string(error.what()).starts_with("damaged:"));
    }
  }));
  EXPECT_GT(parsed, 0);
}

TEST(Files, AllFiveAndNoRemains) {
  TestFolder folder;
  writeReportFiles(Folder(folder.path() / "new" / "report"), sample());
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder.path() / "new" / "report")) {
    names.insert(file.path().filename().string());
    EXPECT_GT(file.file_size(), 0u);
  }
  EXPECT_EQ(names, (std::set<std::string>{"index.html", "junit.xml", "report.json", "statement.txt",
                                          "summary.md"}));
}

TEST(Statement, SaysWhoWasTestedWithWhatAndTheResult) {
  Report report = sample();
  report.run.target = "d3d12";
  report.run.shaderModel = "5.1";
  report.run.driver = "driver\nJournal x: SHA-256 forged";
  const std::string text = statementText(report);
  for (const auto& [file, sha256] : report.run.files) {
    EXPECT_THAT(text, HasSubstr("files " + file + ": " + sha256));
  }
  for (const std::string& line : {report.run.suiteCommit, report.run.specification, report.run.tier,
                                  report.run.commandLine}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  for (const ComplianceRow& row : report.compliance) {
    EXPECT_THAT(text, HasSubstr("  " + row.op + " " + row.level + ": " + row.statement + "\n"));
  }
  for (Verdict verdict : kVerdicts) {
    const std::string line =
        fmt::format("  {}: {}\n", name(verdict), grouped(report.totals[verdict]));
    EXPECT_EQ(text.find(line) != text.npos, report.totals[verdict] > 0) << line;
  }
  EXPECT_THAT(text, HasSubstr("so none was executed"));
  EXPECT_THAT(text, Not(HasSubstr("\nJournal x")));
  report.run.shaderModel = "6.0";
  EXPECT_THAT(statementText(report), Not(HasSubstr("none was executed")));
}

TEST(Statement, TellsWhetherTheJournalIsStillTheSame) {
  TestFolder folder;
  const auto journal = folder.write("journal.jsonl", "a journal\n");
  Report report = sample();
  report.journals = {journal.string()};
  writeReportFiles(Folder(folder.path()), report);
  EXPECT_THAT(readText(folder.path() / "statement.txt"),
              HasSubstr("\nJournal journal.jsonl: SHA-256 "));
  EXPECT_TRUE(checkStatement(folder.path()).unchanged);
  folder.write("journal.jsonl", "another journal\n");
  EXPECT_FALSE(checkStatement(folder.path()).unchanged);
  EXPECT_THAT(checkStatement(folder.path()).text, HasSubstr("not the file of the statement"));
  std::filesystem::remove(journal);
  EXPECT_FALSE(checkStatement(folder.path()).unchanged);
  folder.write("statement.txt", "Journal /proc/self/status: SHA-256 0\n");
  EXPECT_THAT(checkStatement(folder.path()).text, HasSubstr("cannot be read"));
  folder.write("statement.txt", "nothing");
  EXPECT_THAT(thrown<InputError>([&] { checkStatement(folder.path()); }),
              HasSubstr("names no journal"));
}

TEST(Files, ErrorsNameTheFile) {
  TestFolder folder;
  const auto file = folder.write("file", "kept");
  EXPECT_THAT(thrown<std::system_error>([&] { writeReportFiles(Folder(file), sample()); }),
              HasSubstr(file.string()));
  EXPECT_EQ(readText(file), "kept");
}

#ifndef _WIN32
TEST(Files, FullDiskKeepsTheOldReport) {
  TestFolder folder;
  folder.write("report.json", "old");
  EXPECT_THAT(thrown<std::system_error>([&] {
                FileSizeLimit full(1000);
                writeReportFiles(Folder(folder.path()), sample());
              }),
              HasSubstr("report.json"));
  EXPECT_EQ(readText(folder.path() / "report.json"), "old");
  EXPECT_EQ(Folder(folder.path()).names(), std::vector<std::string>{"report.json"});
}
#endif

}  // namespace
}  // namespace dmlcts
