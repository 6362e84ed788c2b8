#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <utility>

#include "conformance/cases/language/case_string.h"
#include "conformance/command/commands.h"
#include "conformance/command/journals.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/replay/dxdispatch.h"
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

struct Arguments {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string out;
};

constexpr const char* kJournals = "journals, or folders that hold one";

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

void print(const std::string& out, const std::string& text) {
  if (out.empty()) {
    fmt::print("{}", text);
  } else {
    writeNewFile(out, "--out", text);
  }
}

// Adds a command that prints a text made from journals, or writes it to a new file.
void addPrintCommand(CLI::App& report, CommandContext& context, const char* name,
                     const char* description, std::function<std::string(const Arguments&)> textOf) {
  const auto [command, arguments] = addReading(report, name, description);
  command->callback([arguments = arguments, textOf = std::move(textOf), &context] {
    print(arguments->out, textOf(*arguments));
    context.status = kAsExpected;
  });
}

// Comparisons and curves ---------------------------------------------------------------------

void addFormats(CLI::App& command, Arguments& arguments) {
  withDefault(command, "--format", arguments.format, "text, json or html",
              CLI::IsMember({"text", "json", "html"}));
}

// Prints the requested form, or writes it to a file and the text to standard output.
template <class Data>
void putForm(const Arguments& arguments, const Data& data, const std::string& text,
             const ReportDocument& document, void (*writeHtml)(std::ostream&, const Data&)) {
  std::string form = text;
  if (arguments.format == "json") form = toText(document, 1) + "\n";
  if (arguments.format == "html") {
    std::ostringstream page;
    writeHtml(page, data);
    form = page.str();
  }
  print(arguments.out, form);
  if (!arguments.out.empty() && arguments.format != "text") fmt::print("{}", text);
}

void addDiffCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] =
      addReading(report, "diff",
                 "Print the cases that changed from one run to another; status 1 on a regression, "
                 "3 if the runs share no case",
                 "journals", "two journals, or folders that hold one: before and after");
  addFormats(*command, *arguments);
  command->callback([arguments = arguments, &context] {
    if (arguments->paths.size() != 2) {
      throw UsageError(fmt::format(
          "report diff needs two journals (got {}); to compare sharded runs, concatenate the "
          "journals of each run's shards",
          arguments->paths.size()));
    }
    const Report before = readReport({arguments->paths[0]}, ".", "report diff");
    const Report after = readReport({arguments->paths[1]}, ".", "report diff");
    const Diff diff = compareReports(before, after);
    putForm(*arguments, diff, diffText(diff), toDocument(diff, SIZE_MAX), writeDiffHtml);
    context.status = diff.exitStatus();
  });
}

void addBenchResultsCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] = addReading(
      report, "bench",
      "Print benchmark results of several files side by side, against the copy speed; status 1 if "
      "a benchmark is slower than in the first file, 3 if the files share none",
      "files", "files of `dmlcts bench --json`, or of Google Benchmark");
  addFormats(*command, *arguments);
  auto thresholds = std::make_shared<BenchThresholds>();
  withDefault(*command, "--significance", thresholds->significance,
              "ignore differences whose p is not below this", CLI::Range(1e-9, 0.5));
  withDefault(*command, "--least", thresholds->least,
              "ignore differences below this fraction of the median", CLI::Range(0.0, 10.0));
  command->callback([arguments = arguments, thresholds, &context] {
    const BenchResults results = readBenchResults(arguments->paths, *thresholds);
    putForm(*arguments, results, benchText(results), toDocument(results), writeBenchHtml);
    context.status = results.exitStatus();
  });
}

void addSeriesCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] = addReading(
      report, "series", "Print verdicts and speed of several runs, in the order of their start");
  addFormats(*command, *arguments);
  command->callback([arguments = arguments, &context] {
    const auto runs = readSeries(arguments->paths.size(), eachOf(arguments->paths));
    ReportDocument document = toDocument(makeMatrix(runs));
    document["series"] = true;
    document["linked"] = false;
    putForm(*arguments, document, matrixText(document), document, writeMatrixHtml);
    context.status = kAsExpected;
  });
}

using StreamWriter = void (*)(std::ostream&, const Report&);

void addRenderingCommand(CLI::App& report, CommandContext& context, const char* name,
                         const char* description, StreamWriter write) {
  addPrintCommand(report, context, name, description, [write](const Arguments& arguments) {
    const fs::path folder = fs::absolute(pathOf(arguments.out.empty() ? "file" : arguments.out));
    std::ostringstream text;
    write(text, readReport(arguments.paths, folder.parent_path()));
    return text.str();
  });
}

// Files of deqp-runner ------------------------------------------------------------------------

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

void addDeqpCommand(CLI::App& report, CommandContext& context) {
  const auto [command, arguments] = addReading(
      report, "deqp",
      "Write results.csv, fails.txt, flakes.txt and skips.txt in the format of deqp-runner",
      "journals", kJournals, "folder to write to");
  arguments->out = "deqp";
  command->get_option("--out")->capture_default_str();
  command->callback([arguments = arguments, &context] {
    const Report read = readReport(arguments->paths, ".", "report deqp");
    writeDeqpFiles(pathOf(arguments->out), deqpFiles(read));
    context.status = kAsExpected;
  });
}

// Findings -----------------------------------------------------------------------------------

struct FindingsArguments {
  std::string notes;
  std::string folder;
};

// Writes the files that show a finding without this suite. Returns their names.
std::vector<std::string> writeShowing(const Folder& folder, const Deviation& finding) {
  if (const std::string problem = whyNotName(finding.id); !problem.empty()) {
    throw InputError("the finding \"" + finding.id + "\": its name " + problem);
  }
  const Case testCase = parseCase(finding.shortest->caseString);
  std::vector<std::string> files;
  const auto write = [&](const char* extension, const std::string& text) {
    const std::string name = finding.id + extension;
    folder.replace({textFile(name, text)});
    files.push_back(folder.path().filename().string() + "/" + name);
  };
  const auto attempt = [](const auto& part) {
    try {
      part();
    } catch (const std::invalid_argument&) {
      // The case cannot be written like that: see conformance/run/judging/judge.h.
    }
  };
  attempt([&] {
    const auto model = dxDispatchModel(prepareSmall(testCase), Literal::All);
    if (model) write(".dxdispatch.json", *model);
  });
  return files;
}

void addFindingsCommand(CLI::App& report, CommandContext& context) {
  const auto [command, files] =
      addReading(report, "findings",
                 "Print as Markdown where an implementation differs from its documentation, from "
                 "the journals of all its drivers");
  auto arguments = std::make_shared<FindingsArguments>();
  command->add_option("--notes", arguments->notes,
                      "remarks as JSON, like reports/findings/notes.json; each finding needs one");
  command->add_option("--reproducers", arguments->folder,
                      "write a program and a DxDispatch model of each finding to this folder");
  command->callback([files = files, arguments, &context] {
    std::vector<FindingNote> notes;
    if (!arguments->notes.empty()) notes = readFindingNotes(pathOf(arguments->notes));
    const Findings findings = gatherFindings(files->paths.size(), eachOf(files->paths), notes);
    if (!notes.empty()) requireNotes(findings);
    FindingFiles shown;
    if (!arguments->folder.empty()) {
      const Folder folder = requireFolder(
          fs::absolute(pathOf(arguments->folder)).lexically_normal(), "--reproducers");
      for (const Deviation& finding : findings.all) {
        shown[finding.id] = writeShowing(folder, finding);
      }
    }
    std::ostringstream text;
    writeFindings(text, findings, shown);
    print(files->out, text.str());
    context.status = kAsExpected;
  });
}

// Missing shards -----------------------------------------------------------------------------

struct MissingArguments {
  std::vector<std::string> journals;
  std::string tier;
  uint32_t shards = 0;
  std::string format = "text";
};

// Returns the only schedule of the journals. Throws UsageError if they have several.
ScheduledShards oneSchedule(const MissingArguments& arguments) {
  std::vector<std::string> present;
  for (const std::string& path : arguments.journals) {
    // A shard that never began has a folder without a journal.
    if (!fs::is_directory(pathOf(path)) || fs::exists(journalIn(path))) present.push_back(path);
  }
  std::vector<Journal> journals = readJournals(present);
  if (!arguments.tier.empty()) {
    std::erase_if(journals, [&](const Journal& journal) {
      return journal.headers.empty() || journal.headers.front().tier != arguments.tier;
    });
  }
  const Report report = summarize(std::move(journals));
  if (report.schedules.size() > 1) {
    std::string list;
    for (const ScheduledShards& schedule : report.schedules) {
      list += fmt::format("{}{} in {}", list.empty() ? "" : ", ", schedule.hash,
                          counted(schedule.shardCount, "shard"));
    }
    throw UsageError("the journals are of several runs: schedules " + list);
  }
  if (report.schedules.empty()) {
    if (arguments.shards == 0) throw UsageError("no journal says how many shards there are");
    ScheduledShards nothing;
    nothing.shardCount = arguments.shards;
    nothing.missingShards = {{0, arguments.shards - 1}};
    return nothing;
  }
  const ScheduledShards& schedule = report.schedules.front();
  if (arguments.shards != 0 && arguments.shards != schedule.shardCount) {
    throw UsageError(fmt::format("the journals are of a run in {}, not {}",
                                 counted(schedule.shardCount, "shard"), arguments.shards));
  }
  return schedule;
}

struct MissingShard {
  uint32_t number = 0;  // counted from 1
  std::string what;
};

std::vector<MissingShard> missingOf(const ScheduledShards& schedule) {
  std::vector<MissingShard> missing;
  for (const IndexRange& range : schedule.missingShards) {
    for (uint32_t index = range.first; index <= range.last; ++index) {
      missing.push_back({index + 1, "absent"});
    }
  }
  for (const Shard& shard : schedule.shards) {
    if (shard.complete()) continue;
    missing.push_back(
        {shard.index + 1, fmt::format("{} of {}", shard.seen, counted(shard.planned, "case"))});
  }
  std::ranges::sort(missing, {}, &MissingShard::number);
  return missing;
}

void addMissingCommand(CLI::App& report, CommandContext& context) {
  auto* command = report.add_subcommand(
      "missing",
      "List the shards of a run that are absent or incomplete; status 1 if there are any");
  auto arguments = std::make_shared<MissingArguments>();
  command->add_option("journals", arguments->journals,
                      "journals, or folders of shards, with or without one");
  command->add_option("--tier", arguments->tier, "look only at journals of this tier");
  checked(*command, "--shards", arguments->shards,
          "the number of shards in the run, even if none has begun", CLI::Range(1u, kMostShards));
  withDefault(*command, "--format", arguments->format,
              "text; or for scripts: args (a line \"--shard i/N\" for each), indices (\"2,5\", "
              "counted from 1)",
              CLI::IsMember({"text", "args", "indices"}));
  command->callback([arguments, &context] {
    if (arguments->journals.empty() && arguments->shards == 0) {
      throw UsageError("give journals, or --shards, or both");
    }
    const ScheduledShards schedule = oneSchedule(*arguments);
    const std::vector<MissingShard> missing = missingOf(schedule);
    std::string indices;
    for (const MissingShard& shard : missing) {
      if (arguments->format == "text") {
        fmt::print("shard {}/{}: {}\n", shard.number, schedule.shardCount, shard.what);
      } else if (arguments->format == "args") {
        fmt::print("--shard {}/{}\n", shard.number, schedule.shardCount);
      } else {
        indices += fmt::format("{}{}", indices.empty() ? "" : ",", shard.number);
      }
    }
    if (!indices.empty()) fmt::print("{}\n", indices);
    context.status = missing.empty() ? kAsExpected : kConformanceFailure;
  });
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("report", "Make reports from journals");
  command->require_subcommand(1);
  auto paths = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>("report");

  auto* show = command->add_subcommand("show", "Print the totals of journals");
  show->add_option("journals", *paths, "journals, or folders that hold one")->required();
  auto check = std::make_shared<bool>(false);
  show->add_flag("--check", *check,
                 "compare the journals of these folders with the hashes in their statement.txt");
  show->callback([paths, check, &context] {
    if (*check) {
      bool unchanged = true;
      for (const std::string& path : *paths) {
        const StatementCheck found = checkStatement(path);
        fmt::print("{}", plainText(found.text));
        unchanged = unchanged && found.unchanged;
      }
      context.status = unchanged ? kAsExpected : kConformanceFailure;
      return;
    }
    const Report report = readReport(*paths, ".");
    printColoured(stdout, terminalSummary(report));
    context.status = exitStatus(report);
  });

  auto* merge = command->add_subcommand(
      "merge", "Write one report from the journals of all shards; it names duplicates and gaps");
  merge->add_option("journals", *paths, "journals, or folders that hold one")->required();
  withDefault(*merge, "--report", *folder, "folder to write to");
  auto overwrite = std::make_shared<bool>(false);
  merge->add_flag("--overwrite", *overwrite, "replace reports in that folder");
  auto mutants = std::make_shared<std::string>();
  merge->add_option("--mutants", *mutants,
                    "a file of `dmlcts selftest --json`: adds the mutants that each rule catches");
  merge->callback([paths, folder, overwrite, mutants, &context] {
    Report report = readReport(*paths, pathOf(*folder));
    if (!mutants->empty()) report.mutants = readMutants(*mutants);
    requireFolder(pathOf(*folder), "--report");
    writeReportsInto(pathOf(*folder), report, *overwrite);
    printColoured(stdout, terminalSummary(report));
    fmt::print("report: {}\n", (pathOf(*folder) / "index.html").string());
    context.status = exitStatus(report);
    if (context.status == kAsExpected && !report.complete()) context.status = kConformanceFailure;
  });

  addRenderingCommand(*command, context, "junit", "Print JUnit XML", writeJUnit);
  addRenderingCommand(*command, context, "markdown", "Print Markdown, for the summary of a CI job",
                      writeMarkdown);
  addRenderingCommand(*command, context, "json", "Print report.json", writeReportJson);
  addPrintCommand(*command, context, "expectations",
                  "Print an expectations file that waives what failed, for `run --expectations`",
                  [](const Arguments& arguments) {
                    std::vector<Journal> journals;
                    const ReadJournal read = eachOf(arguments.paths);
                    for (size_t i = 0; i < arguments.paths.size(); ++i) {
                      journals.push_back(read(i));
                    }
                    return knownFailures(journals);
                  });
  addDeqpCommand(*command, context);
  addFindingsCommand(*command, context);
  addMissingCommand(*command, context);
  addDiffCommand(*command, context);
  addSeriesCommand(*command, context);
  addBenchResultsCommand(*command, context);
}

}  // namespace dmlcts
