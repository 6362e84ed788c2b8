#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <thread>

#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "reports/compare/significance.h"
#include "reports/render/writers.h"
#include "reports/summary/coverage.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// Prints its speed, where its time went, and the part of the parameter space that its cases cover.
void printRates(const RunResult& result, std::FILE* out) {
  if (result.seconds > 0) {
    const double rate = static_cast<double>(result.casesRun) / result.seconds;
    fmt::print(out, "{}/s", counted(static_cast<uint64_t>(std::llround(rate)), "case"));
    if (const auto& ratios = result.overBareLoop; !ratios.empty()) {
      const auto [least, most] = std::ranges::minmax(ratios);
      fmt::print(out,
                 "; {:.2f} of the rate of a bare D3D12 loop, {:.2f} to {:.2f} in {} turns of both",
                 median(ratios), least, most, ratios.size());
    }
    fmt::print(out, "\n");
    const auto part = [whole = result.seconds * result.lanes](double seconds) {
      return std::llround(100 * std::min(1.0, seconds / whole));
    };
    const auto& [preparing, waiting, judging] = result.spent;
    const auto known = part(preparing) + part(waiting) + part(judging);
    fmt::print(
        out, "the harness's time: {} % preparing, {} % waiting for {}, {} % judging, {} % other\n",
        part(preparing), part(waiting), counted(result.lanes, "worker"), part(judging),
        std::max(0LL, 100 - known));
  }
  if (const auto& coverage = result.report.coverage()) {
    const uint64_t weak = result.report.weak;
    fmt::print(out, "{}{}\n", coverageLine(*coverage),
               weak == 0 ? "" : fmt::format(", not counting {}", counted(weak, "weak case")));
  }
}

// Says which cases no tier has: queries that spell out a whole case choose it all the same.
void printOwn(const Schedule& schedule, const RunOptions& options, std::FILE* out) {
  if (options.schedule.given) return;  // each of them is
  for (const ScheduledCase& each : schedule.cases) {
    if (each.testCase.family != kGivenFamily) continue;
    fmt::print(out, "a case of your own, not of the {} tier: {}\n", options.schedule.tier,
               plainLine(each.text));
  }
  std::fflush(out);
}

// Prints a line for each case of a user's own file, unless it has many.
void printGiven(const RunResult& result, const RunOptions& options, std::FILE* out) {
  constexpr size_t kMost = 100;
  if (options.schedule.caseFile.empty() || result.report.cases.size() > kMost) return;
  for (const JournalEntry& entry : result.report.cases) {
    printColoured(out, fmt::format("{}: {}\n", name(entry.verdict), plainLine(entry.caseString)));
  }
}

void printResult(const RunResult& result, const RunOptions& options, double wholeSeconds,
                 bool verbose, std::FILE* out) {
  printGiven(result, options, out);
  printColoured(out, terminalSummary(result.report, options.folder));
  fmt::print(out, "\n{} in {:.1f} s: {:.1f} s running them, the rest set-up and report\n",
             counted(result.casesRun, "case"), wholeSeconds, result.seconds);
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
void printNoWorker(const CommandContext& context, const std::string& why, TargetOptions target,
                   std::FILE* out) {
  fmt::print(out, "No case was run.\n");
  const bool named = printMissing(target, out);
  printStopped(why, !named, out);
  if (!named) {
    target.inProcess = false;
    fmt::print(out, "to look closer: dmlcts doctor {}\n",
               replayArguments(target, "", LaneOptions().timeout, 1));
  } else {
    fmt::print(out, "then: {}\n", context.commandLine);
  }
  std::fflush(out);
}

// Returns the document of --json: the sums of report.json, and facts that no journal has.
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
                 std::FILE* out, bool canGoOn) {
  context.status = exitStatus(report);
  if (stopped.empty()) return;
  printStopped(stopped, true, out);
  if (canGoOn) fmt::print(out, "to go on: {}\n", context.resumeLine);
  if (Interruption::flag()) context.status = interruptedStatus();
}

RunResult conductRun(RunArguments& arguments, CommandContext& context) {
  RunOptions& run = arguments.options;
  context.resumeLine += arguments.fromEnvironment;
  run.commandLine = context.commandLine += arguments.fromEnvironment;
#ifndef _WIN32
  // Beside as many workers as processors, lavapipe's own threads only wait for each other.
  if (run.jobs >= std::thread::hardware_concurrency()) ::setenv("LP_NUM_THREADS", "0", 0);
#endif
  const Interruption interruption;
  run.lane.cancel = &Interruption::flag();
  std::FILE* const out = arguments.json ? stderr : stdout;
  run.onChosen = [&](const Schedule& schedule) { printOwn(schedule, run, out); };
  run.onNoWorker = [&](const std::string& why) {
    printNoWorker(context, why, arguments.target, out);
  };
  RunResult result = runConformance(run);
  const double seconds = context.seconds();  // with the report
  if (result.noWorker) {
    context.status = exitStatus(result.report);
  } else {
    printResult(result, run, seconds, arguments.verbose, out);
    concludeRun(context, result.report, result.stopped, out, !result.anotherTarget);
  }
  if (arguments.json) {
    fmt::print("{}\n", toText(runDocument(result, run, seconds, context.status), 1));
  }
  return result;
}

void addRunCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("run", "Run cases on a target, and write the report");
  command->footer(
      "Examples:\n"
      "  dmlcts run --tier smoke\n"
      "  dmlcts run gather_nd 'input=f16:*' --target directml --report fp16\n"
      "  dmlcts run --shard 1/4 --jobs 8 --report shard-1");
  auto arguments = std::make_shared<RunArguments>();
  addRunArguments(*command, *arguments);
  command->callback([arguments, &context] {
    completeRun(*arguments);
    conductRun(*arguments, context);
  });
}

}  // namespace dmlcts
