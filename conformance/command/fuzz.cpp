#include "conformance/command/commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/interruption.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/runner.h"
#include "fuzz/campaign.h"
#include "reports/render/writers.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

struct FuzzArguments {
  FuzzOptions options;
  TargetOptions target;
  TargetOptions against;
  std::chrono::milliseconds time{0};
  bool noRelations = false;
  bool quiet = false;
  std::string examples;
};

void printResult(const FuzzResult& result, const FuzzOptions& options) {
  const FuzzStatistics& statistics = result.statistics;
  fmt::print("{}\n", statistics.text());
  printColoured(stdout, terminalSummary(result.report));
  fmt::print("\n");
  if (result.examples) {
    fmt::print("examples that still fail: {} of {}\n", result.examplesFailing, result.examples);
  }
  if (result.examplesLeft) {
    fmt::print("{} more not replayed: the time was up\n", counted(result.examplesLeft, "example"));
  }
  fmt::print("{} shrunk",
             counted(result.foundBefore + result.findings.size(), "different failure"));
  if (result.foundBefore) fmt::print(", {} of them before", result.foundBefore);
  if (result.rediscoveries) {
    fmt::print(", {} shrunk to examples again", counted(result.rediscoveries, "failure"));
  }
  fmt::print("\n");
  if (result.unshrunk) {
    fmt::print("{} more not shrunk: the time was up; --resume shrinks them first\n",
               result.unshrunk);
  }
  for (const std::string& warning : result.warnings) {
    fmt::print("warning: {}\n", plainLine(warning));
  }
  fmt::print("report: {}\n", (options.folder / "index.html").string());
}

}  // namespace

void addFuzzCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("fuzz", "Run random cases on a target, and shrink those that fail");
  command->footer(
      "Examples:\n"
      "  dmlcts fuzz --time 600\n"
      "  dmlcts fuzz --cases 10000 --seed 7 --target directml --database examples");
  auto arguments = std::make_shared<FuzzArguments>();
  FuzzOptions& options = arguments->options;
  options.folder = "fuzz-report";
  arguments->against.target.clear();
  addTargetOptions(*command, arguments->target);
  checked(*command, "--against", arguments->against.target,
          "a second target; if the two disagree, that is a failure, too",
          [](const std::string& text) { return text.empty() ? "is empty" : ""; });
  withDefault(*command, "--seed", options.seed, "seed of the generated cases");
  withDefault(*command, "--cases", options.cases, "number of cases; 0 for no limit");
  addSecondsOption(*command, "--time", arguments->time, "time for all cases; 0 for no limit",
                   Zero::Taken);
  withDefault(*command, "--jobs,-j", options.jobs, "number of workers that run at the same time",
              CLI::Range(1, 256));
  command->add_option("--database", options.database,
                      "folder of failures: they are replayed first, and new ones are added");
  addCasesOption(*command, arguments->examples, "--examples");
  command->add_flag("--prune", options.prune,
                    "remove failures of this target from the database that pass now");
  checked(*command, "--expectations", options.expectations,
          "file of known failures to waive, and of cases to skip", problemOfInput);
  withDefault(*command, "--report", options.folder, "folder of the journal and the reports");
  command->add_flag("--resume", options.resume, "continue the journal in that folder");
  command->add_flag("--overwrite", options.overwrite, "replace the run in that folder");
  addSecondsOption(*command, "--timeout", options.target.timeout, "longest time for one case");
  withDefault(*command, "--stop-after", options.stopAfter,
              "end after this many different failures; 0 for never");
  withDefault(*command, "--shrink", options.mostFindings, "shrink at most this many failures");
  command->add_flag("--quiet,-q", arguments->quiet, "no progress line");
  command->add_flag("--no-relations", arguments->noRelations,
                    "skip the relations: pairs of cases whose outputs must agree");
  command->callback([arguments, &context] {
    FuzzOptions& run = arguments->options;
    run.seconds = std::chrono::duration<double>(arguments->time).count();
    if (run.cases == 0 && run.seconds == 0) throw UsageError("--cases or --time must say how much");
    if (run.resume && run.overwrite) {
      throw UsageError("--resume and --overwrite cannot be combined");
    }
    if (!arguments->examples.empty()) run.examples = readCases(arguments->examples);
    run.commandLine = context.commandLine;
    run.replayArguments = replayArguments(arguments->target, "", run.target.timeout, 1);
    run.relations = !arguments->noRelations;
    run.target.command = workerCommand(arguments->target);
    run.target.required = arguments->target.required;
    run.target.strictness = strictnessFor(arguments->target);
    setDeadlines(arguments->target, run.target);
    if (!arguments->against.target.empty()) {
      run.against.emplace();
      run.against->command = workerCommand(arguments->against);
      run.against->strictness = run.target.strictness;
      run.against->timeout = run.target.timeout;
      setDeadlines(arguments->target, *run.against);
    }
    std::error_code none;
    if (std::filesystem::is_regular_file(run.expectations, none)) {  // a pipe is read only once
      Expectations::read(run.expectations, {});
    }
    if (!run.database.empty() && std::filesystem::exists(run.database)) {
      requireFolder(run.database, "--database");
    }
    requireFolder(run.folder, "--report");  // creates it, so this check is the last
    run.say = [](const std::string& text) {
      fmt::print("{}", text);
      std::fflush(stdout);
    };
    run.showProgress = !arguments->quiet && stderrIsTerminal();
    run.say(fmt::format("seed {}\n", run.seed));
    const Interruption interruption;
    run.target.cancel = &Interruption::flag();
    const FuzzResult result = fuzz(run);
    printResult(result, run);
    concludeRun(context, result.report, result.stopped);
  });
}

}  // namespace dmlcts
