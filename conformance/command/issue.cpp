#include "conformance/issue/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/npy.h"
#include "conformance/command/commands.h"
#include "conformance/command/journals.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/runner.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

// `dmlcts report issue`: writes a failing case in the form that another project's tracker takes.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

struct IssueArguments {
  std::vector<std::string> journals;
  std::string tracker;
  std::string caseText;
  size_t cluster = 0;  // counted from 1; 0: not given
  std::string out = "issue";
  bool overwrite = false;
};

// Reads the shrunk case of a bundle (run/replay/bundle.h). Nothing if there is none, or if it was
// not shrunk from the journal's case.
std::optional<FailingCase> shrunk(const JournalEntry& entry, const CauseRule& rule) {
  if (entry.bundle.empty()) return std::nullopt;
  const fs::path file = fs::path(entry.bundle) / "case.txt";
  if (!whyNotInput(file).empty()) return std::nullopt;
  std::istringstream text(readInput(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  const auto from = std::ranges::find(lines, "shrunk from");
  if (lines.size() < 5 || lines.end() - from < 2 || from[1] != entry.caseString) {
    return std::nullopt;
  }
  try {
    FailingCase failing{parseCase(lines[0]), entry.verdict, "", {}, entry.caseString, rule};
    const size_t colon = lines[4].find(": ");
    if (colon != std::string::npos) failing.message = lines[4].substr(colon + 2);
    for (auto at = lines.begin() + 5; at < from; ++at) {
      if (at->starts_with("  ")) failing.differences.push_back({.note = at->substr(2)});
    }
    if (unreadFill(failing.testCase) || caseProblem(failing.testCase)) return std::nullopt;
    return failing;
  } catch (const SyntaxError&) {
    return std::nullopt;
  }
}

// Throws UsageError if the case string cannot be used.
FailingCase failingCase(const JournalEntry& entry, const Cluster& cluster) {
  const CauseRule rule =
      entry.violated.empty() ? cluster.rule : CauseRule{entry.violated.front(), true};
  if (auto shorter = shrunk(entry, rule)) return *std::move(shorter);
  try {
    FailingCase failing{
        parseCase(entry.caseString), entry.verdict, entry.message, entry.differences, "", rule};
    NpyFiles().read(failing.testCase);
    if (const auto problem = caseProblem(failing.testCase)) {
      throw UsageError(plainLine(entry.caseString) + ": " + *problem);
    }
    return failing;
  } catch (const SyntaxError& error) {
    throw UsageError(std::string(error.what()) + "; the journal is of another version of dmlcts");
  }
}

// Returns the cluster's failing cases in order of preference().
std::vector<size_t> byPreference(const Report& report, const Cluster& cluster) {
  std::vector<size_t> cases = cluster.cases;
  std::ranges::sort(cases, {}, [&](size_t index) { return preference(report, cluster, index); });
  return cases;
}

struct Chosen {
  const Cluster* cluster;
  std::vector<size_t> cases;  // in the order to try them
};

Chosen choose(const IssueArguments& arguments, const Report& report) {
  if (report.clusters.empty()) throw UsageError("no case failed: there is nothing to report");
  if (arguments.cluster > report.clusters.size()) {
    throw UsageError(
        fmt::format("--cluster {}: the run has {}", arguments.cluster, report.clusters.size()));
  }
  if (arguments.caseText.empty()) {
    const Cluster& cluster = report.clusters[std::max<size_t>(arguments.cluster, 1) - 1];
    return {&cluster, byPreference(report, cluster)};
  }
  std::string text = arguments.caseText;
  try {
    text = caseString(parseCase(text));
  } catch (const SyntaxError& error) {
    throw UsageError(std::string("--case: ") + error.what());
  }
  const auto entry = std::ranges::find(report.cases, text, &JournalEntry::caseString);
  if (entry == report.cases.end()) throw UsageError("--case: the journals have no such case");
  const auto index = static_cast<size_t>(entry - report.cases.begin());
  for (const Cluster& cluster : report.clusters) {
    if (std::ranges::count(cluster.cases, index) > 0) return {&cluster, {index}};
  }
  throw UsageError(fmt::format("--case: it did not fail: {}", name(entry->verdict)));
}

std::vector<IssueFile> filesOf(const IssueArguments& arguments, const Report& report,
                               const Chosen& chosen) {
  constexpr size_t kMostTried = 200;
  std::string first;
  for (size_t i = 0; i < std::min(chosen.cases.size(), kMostTried); ++i) {
    const size_t index = chosen.cases[i];
    try {
      return issueFiles(arguments.tracker, report, *chosen.cluster,
                        failingCase(report.cases[index], *chosen.cluster));
    } catch (const std::invalid_argument& error) {
      if (first.empty()) {
        first = fmt::format("{}: {}", plainLine(report.cases[index].caseString), error.what());
      }
    }
  }
  throw UsageError(fmt::format(
      "--to {}: {}{}", arguments.tracker, first,
      chosen.cases.size() > 1 ? "; nor is any other failing case of the cluster one for it" : ""));
}

// Returns the files that an earlier issue left there.
std::vector<fs::path> filesThere(const Folder& folder) {
  std::vector<fs::path> there;
  if (!folder.has("issue.md")) return there;
  for (const std::string& name : issueFileNames()) {
    if (folder.has(pathOf(name))) there.push_back(pathOf(name));
  }
  return there;
}

void writeFiles(const IssueArguments& arguments, const std::vector<IssueFile>& files) {
  const Folder folder = requireFolder(pathOf(arguments.out), "--out");
  const std::vector<fs::path> before = filesThere(folder);
  std::vector<NewFile> made;
  for (const IssueFile& file : files) {
    if (folder.has(pathOf(file.name)) && !arguments.overwrite) {
      throw UsageError((folder.path() / pathOf(file.name)).string() +
                       " is there already: --overwrite replaces it");
    }
    made.push_back({pathOf(file.name), [&](std::ostream& out) { out << file.content; }});
  }
  folder.replace(made);
  // Removes files that only the earlier issue had.
  for (const fs::path& path : before) {
    if (std::ranges::find(made, path, &NewFile::path) == made.end()) folder.remove(path);
  }
  constexpr const char* kData = "test_data_set_0";
  if (!before.empty() && folder.has(kData) && folder.within(kData).names().empty()) {
    folder.removeFolder(kData);
  }
  for (const NewFile& file : made) fmt::print("{}\n", (folder.path() / file.path).string());
}

}  // namespace

void addIssueCommand(CLI::App& report, CommandContext& context) {
  auto* command = report.add_subcommand(
      "issue", "Write an issue about a failing case for another project: text and reproducer");
  auto arguments = std::make_shared<IssueArguments>();
  command->add_option("journals", arguments->journals, "journals, or folders that hold one")
      ->required();
  command->add_option("--to", arguments->tracker, "the project's issue tracker")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(kTrackers.begin(), kTrackers.end())));
  checked(*command, "--cluster", arguments->cluster,
          "number of the cause in the report; without it, the first cause", CLI::PositiveNumber);
  command
      ->add_option("--case", arguments->caseText,
                   "this failing case instead of the shortest one that suits the tracker")
      ->excludes("--cluster");
  withDefault(*command, "--out", arguments->out, "folder to write to");
  command->add_flag("--overwrite", arguments->overwrite, "replace the files of an earlier issue");
  command->callback([arguments, &context] {
    const Report read = readReport(arguments->journals, ".");
    const bool fault = read.clusters.empty() && !avoidedFaultOf(read.run).empty();
    writeFiles(*arguments, fault ? driverFaultIssue(read)
                                 : filesOf(*arguments, read, choose(*arguments, read)));
    context.status = kAsExpected;
  });
}

}  // namespace dmlcts
