#include "reports/render/writers.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "reports/test/sample_journals.h"

// Files for tools made for deqp-runner.

namespace dmlcts {
namespace {

// Returns the lines that are no comments.
std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

Report reportOf(const std::vector<Verdict>& verdicts,
                const std::vector<JournalWorkerFailure>& workerFailures) {
  std::vector<JournalEntry> entries;
  for (Verdict verdict : verdicts) {
    entries.push_back(
        executed("gather_nd dims=5,3 case=" + std::string(name(verdict)), verdict, 0.25));
  }
  Journal journal = journalOf(std::move(entries));
  journal.workerFailures = workerFailures;
  return summarize(std::vector{journal});
}

// Turns a name back into its case string, as docs/run-nightly.md describes.
std::string backFrom(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool isCode = name[i] == '%';
    const char c =
        isCode ? static_cast<char>(std::stoi(name.substr(i + 1, 2), nullptr, 16)) : name[i];
    text += isCode || (c != '/' && c != ';') ? c : c == '/' ? ' ' : ',';
    if (isCode) i += 2;
  }
  return text;
}

TEST(DeqpNames, GoBackToTheCaseString) {
  EXPECT_EQ(deqpName("gather_nd level=3.0 dims=5,3 layout.input=perm(4,0)"),
            "gather_nd/level=3.0/dims=5;3/layout.input=perm(4;0)");
  EXPECT_EQ(deqpName("# a/b;c%\n"), "%23/a%2Fb%3Bc%25%0A");
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& text) {
    const std::string name = deqpName(text);
    RC_ASSERT(backFrom(name) == text);
    RC_ASSERT(name.find_first_of(", \t\r\n") == std::string::npos);
    RC_ASSERT(!name.starts_with('#'));
  }));
}

TEST(DeqpFiles, EveryVerdictHasItsStatus) {
  const DeqpFiles files =
      deqpFiles(reportOf({kVerdicts.begin(), kVerdicts.end()},
                         {{"at the end of the run", Verdict::UnexpectedPass, "never", ""},
                          {"between cases", Verdict::Crash, "died", ""}}));
  const std::string prefix = "gather_nd/dims=5;3/case=";
  std::set<std::string> expected{"worker-failure/1,UnexpectedImprovement(Pass),0.000000",
                                 "worker-failure/2,Crash,0.000000"};
  for (const char* line :
       {"Pass,Pass", "Fail,Fail", "Arguable,Warn", "NotSupported,Fail", "NotAsked,Skip",
        "Crash,Crash", "Timeout,Timeout", "DeviceRemoved,Crash", "Flaky,Flake",
        "Waived,ExpectedFail", "Skipped,Skip", "UnexpectedPass,UnexpectedImprovement(Pass)",
        "Vacuous,Skip", "InternalError,Missing"}) {
    expected.insert(prefix + line + ",0.250000");
  }
  const std::vector<std::string> results = linesOf(files.results);
  EXPECT_THAT(results, testing::UnorderedElementsAreArray(expected));
  EXPECT_TRUE(std::ranges::is_sorted(results));
  EXPECT_THAT(
      linesOf(files.fails),
      testing::UnorderedElementsAre(
          "worker-failure/2,Crash", prefix + "Fail,Fail", prefix + "NotSupported,Fail",
          prefix + "Crash,Crash", prefix + "Timeout,Timeout", prefix + "DeviceRemoved,Crash",
          prefix + "Waived,ExpectedFail", prefix + "InternalError,Missing"));
  EXPECT_THAT(linesOf(files.flakes), testing::ElementsAre("^" + prefix + "Flaky$"));
  EXPECT_THAT(linesOf(files.skips),
              testing::ElementsAre("^" + prefix + "NotAsked$", "^" + prefix + "Skipped$",
                                   "^" + prefix + "Vacuous$"));
}

// deqp-runner reads "^([^,]+),([^,]+)", refuses duplicate names, and skips lines with "#".
TEST(DeqpFiles, HostileStringsMakeLinesThatDeqpRunnerReads) {
  const Report report = summarize(sampleJournals(3000, 2));
  const DeqpFiles files = deqpFiles(report);
  const std::vector<std::string> results = linesOf(files.results);
  EXPECT_EQ(results.size(), report.cases.size() + report.workerFailures.size());
  const std::regex line("^([^,# ][^, ]*),([A-Za-z()]+),([0-9.]+)$");
  std::set<std::string> names;
  for (const std::string& result : results) {
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(result, parts, line)) << result;
    EXPECT_TRUE(names.insert(parts[1]).second) << result;
  }
  std::set<std::string> cases;
  for (const JournalEntry& entry : report.cases) cases.insert(entry.caseString);
  for (const std::string& name : names) {
    EXPECT_TRUE(name.starts_with("worker-failure/") || cases.contains(backFrom(name))) << name;
  }
  size_t matched = 0;
  for (const std::string& skip : linesOf(files.skips)) {
    const std::regex regex(skip);
    if (++matched > 20) break;  // slow: each is tried on every name
    EXPECT_EQ(std::ranges::count_if(
                  names, [&](const std::string& name) { return std::regex_search(name, regex); }),
              1)
        << skip;
  }
  EXPECT_GT(matched, 0u);
}

}  // namespace
}  // namespace dmlcts
