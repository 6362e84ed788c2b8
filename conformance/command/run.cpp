#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>

#include "conformance/cases/case_string.h"
#include "conformance/command/colour.h"
#include "conformance/command/commands.h"
#include "conformance/command/run_arguments.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "conformance/run/program_model.h"
#include "conformance/run/program_reproducer.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runnable.h"
#include "conformance/run/runner.h"
#include "reports/render/report_json.h"
#include "reports/render/writers.h"
#include "reports/summary/coverage.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

// `dmlcts run` and `dmlcts replay`.

namespace dmlcts {
namespace {

// How fast it was, and what of the parameter space its cases cover.
void printRates(const RunResult& result, std::FILE* out) {
  if (result.seconds > 0) {
    fmt::print(out, "{:.0f} cases/s", static_cast<double>(result.casesRun) / result.seconds);
    if (result.bareCasesPerSecond > 0) {
      const double executed = static_cast<double>(result.executedCases) / result.seconds;
      fmt::print(out,
                 "; executed {:.0f}/s, {:.2f} of the {:.0f}/s of a bare D3D12 loop over a sample",
                 executed, executed / result.bareCasesPerSecond, result.bareCasesPerSecond);
    }
    fmt::print(out, "\n");
  }
  if (const auto& coverage = result.report.coverage(); !coverage.empty()) {
    const uint64_t weak = result.report.weak;
    fmt::print(out, "{}{}\n", coverageLine(coverage[0], coverage[1]),
               weak == 0 ? "" : fmt::format(", not counting {}", counted(weak, "weak case")));
  }
}

void printResult(const RunResult& result, const RunOptions& options, double wholeSeconds,
                 bool verbose, std::FILE* out) {
  printColoured(out, terminalSummary(result.report));
  fmt::print(out, "\n{} cases in {:.1f} s; running them took {:.1f} s\n", result.casesRun,
             wholeSeconds, result.seconds);
  if (verbose) printRates(result, out);
  for (const std::string& warning : result.warnings) {
    fmt::print(out, "warning: {}\n", plainLine(warning));
  }
  fmt::print(out, "report: {}\n", (options.folder / "index.html").string());
}

// Why a run ended early; of a worker's message, which may follow its first line, nothing unless
// `whole`.
void printStopped(const std::string& stopped, bool whole, std::FILE* out) {
  const size_t end = std::min(stopped.find('\n'), stopped.size());
  fmt::print(out, "\nstopped: {}\n", plainLine(stopped.substr(0, end)));
  if (whole) {
    fmt::print(out, "{}", indentedText(stopped.substr(std::min(end + 1, stopped.size()))));
  }
}

// No worker started: what is missing, once, and what to type then.
void concludeWithoutWorker(CommandContext& context, const RunResult& result, TargetOptions target,
                           std::FILE* out) {
  context.status = exitStatus(result.report);
  fmt::print(out, "No case was run.\n");
  const bool named = printMissing(target, out);
  printStopped(result.stopped, !named, out);
  if (!named) {
    target.inProcess = false;
    fmt::print(out, "to look closer: dmlcts doctor {}\n",
               replayArguments(target, "", LaneOptions().timeout, 1));
  }
  fmt::print(out, "then, into the same report: {}\n", resumeLine(context.commandLine));
  if (Interruption::flag()) context.status = interruptedStatus();
}

// What --json prints of a run: of report.json what sums it up, and what no journal says.
ReportDocument runDocument(const RunResult& result, const RunOptions& options, double wholeSeconds,
                           int status) {
  ReportDocument json = toSummaryDocument(result.report);
  json["folder"] = options.folder.generic_string();
  json["casesRun"] = result.casesRun;
  json["seconds"] = wholeSeconds;
  json["runningSeconds"] = result.seconds;
  json["warnings"] = result.warnings;
  json["stopped"] = result.stopped;
  json["exitStatus"] = status;
  return json;
}

}  // namespace

void concludeRun(CommandContext& context, const Report& report, const std::string& stopped,
                 std::FILE* out) {
  context.status = exitStatus(report);
  if (stopped.empty()) return;
  printStopped(stopped, true, out);
  fmt::print(out, "to go on: {}\n", resumeLine(context.commandLine));
  if (Interruption::flag()) context.status = interruptedStatus();
}

void addRunCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("run", "Run cases, journal the verdicts, write the report");
  auto arguments = std::make_shared<RunArguments>();
  addRunArguments(*command, *arguments);
  command->callback([arguments, &context] {
    RunOptions& run = arguments->options;
    completeRun(*arguments);
    run.commandLine = context.commandLine;
    prepareInProcess(arguments->target, run.lane);
    if (arguments->target.inProcess) run.jobs = 1;
    requireFolder(run.folder, "--report");
    run.showProgress = !arguments->quiet && stderrIsTerminal();
    const Interruption interruption;
    run.lane.cancel = &Interruption::flag();
    const RunResult result = runConformance(run);
    const double seconds = context.seconds();  // with the report
    std::FILE* const out = arguments->json ? stderr : stdout;
    if (result.noWorker) {
      concludeWithoutWorker(context, result, arguments->target, out);
    } else {
      printResult(result, run, seconds, arguments->verbose, out);
      concludeRun(context, result.report, result.stopped, out);
    }
    if (arguments->json) printJson(runDocument(result, run, seconds, context.status));
  });
}

namespace {

// Of an argument that is a program, or a file that holds one; nothing of any other.
std::optional<Program> programOf(const std::string& argument) {
  std::string text = argument;
  std::error_code error;
  const bool isFile = std::filesystem::is_regular_file(pathOf(argument), error);
  if (isFile) {
    std::ifstream stream(pathOf(argument), std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(stream), {});
  } else if (!isProgramText(argument)) {
    return std::nullopt;
  }
  Program program = parseProgram(text);
  if (const std::string problem = whyInvalid(program); !problem.empty()) {
    throw UsageError("the documents leave open what the sequence does: " + problem);
  }
  return program;
}

// The members of a journal's verdict that a judgement alone has.
ReportDocument verdictDocument(const Judgement& judgement) {
  return {{"verdict", name(judgement.verdict)}, {"message", judgement.message},
          {"kinds", judgement.kinds},           {"differences", judgement.differences},
          {"violated", judgement.violated},     {"observations", judgement.observations}};
}

void printVerdict(const Judgement& judgement) {
  printColoured(stdout,
                fmt::format("{}{}{}\n", name(judgement.verdict),
                            judgement.message.empty() ? "" : ": ", plainLine(judgement.message)));
  for (const std::string& line : judgement.differences) fmt::print("  {}\n", plainLine(line));
}

void replayProgram(const Program& program, const LaneOptions& options, uint32_t repeat, bool json,
                   CommandContext& context) {
  Lane lane(options);
  Totals totals;
  if (json) {
    ReportDocument runs = ReportDocument::array();
    for (uint32_t i = 0; i < repeat; ++i) {
      const Judgement judgement = lane.tryProgram(program);
      runs.push_back(verdictDocument(judgement));
      ++totals[judgement.verdict];
    }
    context.status = exitStatus(totals);
    printJson({{"sequence", programLines(program)},
               {"answered", factsOf(lane.identity())},
               {"runs", std::move(runs)},
               {"exitStatus", context.status}});
    return;
  }
  for (uint32_t i = 0; i < repeat; ++i) {
    const Judgement judgement = lane.tryProgram(program);
    const gpu::Identity& identity = lane.identity();
    if (i == 0) {
      for (const std::string& line : programLines(program)) fmt::print("{}\n", line);
      fmt::print("on {} ({}, {})\n", plainLine(identity.target), plainLine(identity.adapter),
                 plainLine(identity.driver));
    }
    printVerdict(judgement);
    ++totals[judgement.verdict];
  }
  context.status = exitStatus(totals);
}

}  // namespace

void addReplayCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("replay",
                         "Run one case by its case string, or a sequence of calls, and show\n"
                         "everything about it");
  struct Arguments {
    std::string text;
    std::string reproducer;
    std::string via;
    TargetOptions target;
    LaneOptions lane;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("case", arguments->text,
                   "the case string; or a sequence of calls of `fuzz --sequences`, or its file")
      ->required();
  addTargetOptions(*command, arguments->target);
  addViaOption(*command, arguments->via);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "seconds that it may take");
  command->add_option("--repeat", arguments->lane.repeat, "run it this many times")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  addSizeOptions(*command, arguments->lane);
  auto* json = command->add_flag("--json", arguments->json, "print what comes of it as JSON");
  command
      ->add_option("--reproducer", arguments->reproducer,
                   "run nothing: write a C++ program that asks DirectML the same to this new\n"
                   "file")
      ->excludes(json);
  addInProcessOption(*command, arguments->target);
  command->callback([arguments, &context] {
    if (const auto program = programOf(arguments->text)) {
      if (!arguments->via.empty() || arguments->target.inProcess) {
        throw UsageError("--via and --in-process are for cases, not for sequences");
      }
      if (!arguments->reproducer.empty()) {
        writeNewFile(arguments->reproducer, "--reproducer", reproducer(*program));
        context.status = kAsExpected;
        return;
      }
      LaneOptions& options = arguments->lane;
      options.command = workerCommand(arguments->target);
      options.required = arguments->target.required;
      options.law = lawFor(arguments->target);
      replayProgram(*program, options, options.repeat, arguments->json, context);
      return;
    }
    const Case testCase = parseCase(arguments->text);
    if (const auto problem = whyNotRunnable(testCase)) throw UsageError(*problem);
    if (!arguments->reproducer.empty()) {
      if (!arguments->via.empty()) throw UsageError("--reproducer and --via exclude each other");
      writeNewFile(arguments->reproducer, "--reproducer", reproducer(testCase));
      context.status = kAsExpected;
      return;
    }
    LaneOptions& options = arguments->lane;
    if (!arguments->via.empty()) options.way = Way(arguments->via);
    if (!options.way.descriptor(testCase)) {
      throw UsageError("the case does not go via " + arguments->via);
    }
    options.command = workerCommand(arguments->target);
    options.required = arguments->target.required;
    options.law = lawFor(arguments->target);
    prepareInProcess(arguments->target, options);
    Lane lane(options);
    const Lane::Trial trial = lane.tryCase(testCase);
    const Judgement& judgement = trial.judgement;
    const gpu::Identity& identity = lane.identity();
    Totals totals;
    ++totals[judgement.verdict];
    context.status = exitStatus(totals);
    if (arguments->json) {
      ReportDocument document{
          {"case", caseString(testCase)}, {"via", arguments->via}, {"answered", factsOf(identity)}};
      document.update(verdictDocument(judgement));
      document["exitStatus"] = context.status;
      printJson(document);
      return;
    }
    fmt::print("{}\non {}{} ({}, {})\n", caseString(testCase), plainLine(identity.target),
               arguments->via.empty() ? "" : " via " + arguments->via, plainLine(identity.adapter),
               plainLine(identity.driver));
    printVerdict(judgement);
    for (const auto& [rule, count] : judgement.observations) {
      fmt::print("  observed: {} not kept, {}\n", rule, count);
    }
  });
}

}  // namespace dmlcts
