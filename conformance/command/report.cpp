#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <utility>

#include "conformance/command/commands.h"
#include "conformance/command/journals.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/run_folder.h"
#include "conformance/run/runner.h"
#include "reference/counted.h"
#include "reports/journal/input_file.h"
#include "reports/render/writers.h"
#include "reports/summary/mutants.h"
#include "reports/text/escape.h"

// `dmlcts report`: makes everything that comes from journals.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJournals = "journals, or folders that hold one";
constexpr std::string_view kDeqp = "deqp";  // has several files

template <class Data>
using Writer = void (*)(std::ostream&, const Data&);

// The forms of a report, a comparison and benchmark results; null if it has no such form.
struct Format {
  std::string_view name;
  Writer<Report> report;
  Writer<RunComparison> comparison;
  Writer<BenchResults> bench;

  Writer<Report> of(const Report&) const { return report; }
  Writer<RunComparison> of(const RunComparison&) const { return comparison; }
  Writer<BenchResults> of(const BenchResults&) const { return bench; }
};

constexpr std::array<Format, 5> kFormats{{
    {"text", writeText, writeComparisonText, writeBenchText},
    {"json", writeReportJson, writeComparisonJson, writeBenchJson},
    {"markdown", writeMarkdown, writeComparisonMarkdown, nullptr},
    {"html", writeHtml, writeComparisonHtml, writeBenchHtml},
    {"junit", writeJUnit, nullptr, nullptr},
}};

struct Arguments {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string out;
};

// Adds a command that reads files and writes --out.
std::pair<CLI::App*, std::shared_ptr<Arguments>> addReading(
    CLI::App& report, const char* name, const char* description, const char* what = "journals",
    const char* files = kJournals, const char* out = "write to this new file instead") {
  CLI::App* command = report.add_subcommand(name, description);
  auto arguments = std::make_shared<Arguments>();
  command->add_option(what, arguments->paths, files)->required();
  command->add_option("--out", arguments->out, out);
  return {command, arguments};
}

// Adds --format, with the forms that such data have, and `more`.
template <class Data>
void addFormats(CLI::App& command, Arguments& arguments, Writer<Data> Format::* writer,
                std::vector<std::string> more = {}) {
  std::vector<std::string> names;
  for (const Format& each : kFormats) {
    if (each.*writer) names.emplace_back(each.name);
  }
  names.insert(names.end(), more.begin(), more.end());
  withDefault(
      command, "--format", arguments.format,
      fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back()),
      CLI::IsMember(names));
}

// Prints the requested form, or writes it to a file and the text to standard output. `text`: where
// that has paths, which the file's are not.
template <class Data>
void put(const Arguments& arguments, const Data& data,
         const std::function<std::string()>& text = {}) {
  const auto textOf = [&](std::string_view format) {
    std::ostringstream out;
    std::ranges::find(kFormats, format, &Format::name)->of(data)(out, data);
    return std::move(out).str();
  };
  const std::string form = textOf(arguments.format);
  const bool isText = arguments.format == "text";
  if (!arguments.out.empty()) writeNewFile(arguments.out, "--out", form);
  if (arguments.out.empty() && !isText) {
    fmt::print("{}", form);
  } else if (arguments.out.empty() || !isText) {
    printColoured(stdout, isText ? form : text ? text() : textOf("text"));
  }
}

// The folder that a report's paths are relative to.
fs::path homeOf(const Arguments& arguments) {
  return fs::absolute(pathOf(arguments.out.empty() ? "file" : arguments.out)).parent_path();
}

// One report ---------------------------------------------------------------------------------

void writeDeqpFiles(const fs::path& folder, const DeqpFiles& files) {
  const std::vector<std::pair<const char*, const std::string*>> named{
      {"results.csv", &files.results},
      {"fails.txt", &files.fails},
      {"flakes.txt", &files.flakes},
      {"skips.txt", &files.skips}};
  requireFolder(folder, "--out");
  for (const auto& [name, text] : named) {
    if (fs::exists(folder / name)) {
      throw UsageError((folder / name).string() + " exists, and is not overwritten");
    }
  }
  for (const auto& [name, text] : named) writeNewFile((folder / name).string(), "--out", *text);
}

void addShowCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] = addReading(
      report, "show", "Print a report of journals; the exit status is that of the run", "journals",
      kJournals,
      "write to this new file instead; deqp: to this folder, with results.csv, fails.txt, "
      "flakes.txt and skips.txt (default deqp)");
  addFormats(*command, *arguments, &Format::report, {std::string(kDeqp)});
  auto check = std::make_shared<bool>(false);
  command->add_flag("--check", *check,
                    "compare the journals of these folders with the hashes in their statement.txt");
  command->callback([arguments = arguments, check, &context] {
    if (*check) {
      bool unchanged = true;
      for (const std::string& path : arguments->paths) {
        const StatementCheck found = checkStatement(path);
        fmt::print("{}", plainText(found.text));
        unchanged = unchanged && found.unchanged;
      }
      context.status = unchanged ? kAsExpected : kConformanceFailure;
      return;
    }
    const bool isDeqp = arguments->format == kDeqp;
    const Report read =
        readReport(arguments->paths, homeOf(*arguments), isDeqp ? "--format deqp" : "");
    if (isDeqp) {
      writeDeqpFiles(pathOf(arguments->out.empty() ? "deqp" : arguments->out), deqpFiles(read));
    } else {
      put(*arguments, read,
          [&] { return terminalSummary(read, pathOf(arguments->out).parent_path()); });
    }
    context.status = exitStatus(read);
  });
}

// "2,5-7": the shards without a journal, and those without a verdict for each of their cases.
std::string missingOf(const ScheduledShards& schedule) {
  std::vector<IndexRange> missing = schedule.missingShards;
  for (const Shard& shard : schedule.shards) {
    if (!shard.complete()) missing.push_back({shard.index, shard.index});
  }
  std::ranges::sort(missing, {}, &IndexRange::first);
  std::string list;
  for (const auto& [first, last] : missing) {
    list += fmt::format("{}{}", list.empty() ? "" : ",", first + 1);
    if (last > first) list += fmt::format("-{}", last + 1);
  }
  return list;
}

struct MergeArguments {
  std::vector<std::string> journals;
  std::string folder = "report";
  std::string mutants;
  bool overwrite = false;
};

// Removes the folders of shards that never began, and returns them.
std::vector<std::string> takeEmpty(std::vector<std::string>& paths) {
  std::vector<std::string> empty;
  std::erase_if(paths, [&](const std::string& path) {
    const bool isEmpty = fs::is_directory(pathOf(path)) && !fs::exists(journalIn(path));
    if (isEmpty) empty.push_back(path);
    return isEmpty;
  });
  if (paths.empty()) throw UsageError(empty.front() + ": there is no journal in it");
  return empty;
}

void addMergeCommand(CLI::App& report, CommandContext& context) {
  auto* command = report.add_subcommand(
      "merge",
      "Write one report from the journals of all shards; it names duplicates, gaps and missing "
      "shards");
  auto arguments = std::make_shared<MergeArguments>();
  command
      ->add_option("journals", arguments->journals,
                   "journals, or folders of shards, with or without one")
      ->required();
  withDefault(*command, "--report", arguments->folder, "folder to write to");
  command->add_flag("--overwrite", arguments->overwrite, "replace reports in that folder");
  command->add_option(
      "--mutants", arguments->mutants,
      "a file of `dmlcts selftest --json`: adds the mutants that each rule catches");
  command->callback([arguments, &context] {
    const fs::path folder = pathOf(arguments->folder);
    const std::vector<std::string> empty = takeEmpty(arguments->journals);
    Report merged = readReport(arguments->journals, folder);
    if (!arguments->mutants.empty()) merged.mutants = readMutants(arguments->mutants);
    requireFolder(folder, "--report");
    writeReportsInto(folder, merged, arguments->overwrite);
    printColoured(stdout, terminalSummary(merged, folder));
    for (const std::string& each : empty) fmt::print("{}: no journal\n", plainLine(each));
    for (const ScheduledShards& schedule : merged.schedules) {
      const std::string missing = missingOf(schedule);
      if (missing.empty()) continue;
      fmt::print("missing: {} {} of {}; run them again with --resume\n",
                 schedule.shardCount == 1 ? "a part of shard" : "shards", missing,
                 schedule.shardCount);
    }
    fmt::print("report: {}\n", (folder / "index.html").string());
    context.status = exitStatus(merged);
    const bool isWhole = merged.complete() && empty.empty();
    if (context.status == kAsExpected && !isWhole) context.status = kConformanceFailure;
  });
}

void addExpectationsCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] =
      addReading(report, "expectations",
                 "Print an expectations file that waives what failed, for `run --expectations`");
  command->callback([arguments = arguments, &context] {
    std::vector<Journal> journals;
    const ReadJournal read = eachOf(arguments->paths);
    for (size_t i = 0; i < arguments->paths.size(); ++i) journals.push_back(read(i));
    const std::string text = knownFailures(journals);
    if (arguments->out.empty()) {
      fmt::print("{}", text);
    } else {
      writeNewFile(arguments->out, "--out", text);
    }
    context.status = kAsExpected;
  });
}

// Several runs, and benchmarks ---------------------------------------------------------------

void addDiffCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] =
      addReading(report, "diff",
                 "Compare runs: verdicts, speed, causes and levels by run, and the cases that "
                 "changed from the first to the last; status 1 on a regression, 3 if these two "
                 "share no case",
                 "journals",
                 "journals, or folders that hold one. Two are compared as given, more in order of "
                 "their start");
  addFormats(*command, *arguments, &Format::comparison);
  auto inOrder = std::make_shared<bool>(false);
  command->add_flag("--in-order", *inOrder, "compare more than two runs in the order given, too");
  command->callback([arguments = arguments, inOrder, &context] {
    const std::vector<std::string>& paths = arguments->paths;
    if (paths.size() < 2) {
      throw UsageError(
          "report diff needs two journals or more (got 1); to compare sharded runs, concatenate "
          "the journals of each run's shards");
    }
    const bool two = paths.size() == 2;
    if (!two) journalFiles(paths);  // refuses a journal given twice, before any is read
    const std::vector<std::string> names = runNames(paths);
    const auto read = [&](size_t i) {
      return ComparedRun{names[i], readReport({paths[i]}, ".", "report diff"),
                         pageOf(paths[i], homeOf(*arguments))};
    };
    const RunComparison comparison =
        compareRuns(paths.size(), read, two || *inOrder ? RunOrder::AsGiven : RunOrder::ByStart);
    put(*arguments, comparison);
    context.status = comparison.exitStatus();
  });
}

void addBenchResultsCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] = addReading(
      report, "bench",
      "Print benchmark results of several files side by side, against the copy speed; status 1 if "
      "a benchmark is slower than in the first file, 3 if the files share none",
      "files", "files of `dmlcts bench --json`, or of Google Benchmark");
  addFormats(*command, *arguments, &Format::bench);
  auto thresholds = std::make_shared<BenchThresholds>();
  withDefault(*command, "--significance", thresholds->significance,
              "ignore differences whose p is not below this", CLI::Range(1e-9, 0.5));
  withDefault(*command, "--least", thresholds->least,
              "ignore differences below this fraction of the median: 0.05 is 5 %",
              [](const std::string& text) {
                const bool isFraction = CLI::Range(0.0, 1.0)(text).empty();
                return isFraction ? std::string() : text + " is not from 0 to 1; 0.05 is 5 %";
              });
  command->callback([arguments = arguments, thresholds, &context] {
    const BenchResults results = readBenchResults(arguments->paths, *thresholds);
    put(*arguments, results);
    context.status = results.exitStatus();
  });
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("report", "Make reports from journals");
  command->require_subcommand(1);
  addShowCommand(*command, context);
  addMergeCommand(*command, context);
  addDiffCommand(*command, context);
  addExpectationsCommand(*command, context);
  addBenchResultsCommand(*command, context);
}

}  // namespace dmlcts
