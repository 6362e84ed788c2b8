#include <fmt/format.h>

#include <memory>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/replay/reproducer.h"
#include "conformance/run/runner.h"
#include "reports/journal/input_file.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// " (ADAPTER, DRIVER)" with what is known of them.
std::string deviceOf(const gpu::Identity& identity) {
  const std::string comma = identity.driver.empty() ? "" : ", ";
  return " (" + plainLine(identity.adapter) + comma + plainLine(identity.driver) + ")";
}

// The members of a journal entry that come from a judgement.
ReportDocument verdictDocument(const Judgement& judgement) {
  return {{"verdict", name(judgement.verdict)}, {"message", judgement.message},
          {"kinds", judgement.kinds},           {"differences", judgement.differences},
          {"violated", judgement.violated},     {"observations", judgement.observations}};
}

void printVerdict(const Judgement& judgement) {
  printColoured(stdout,
                fmt::format("{}{}{}\n", name(judgement.verdict),
                            judgement.message.empty() ? "" : ": ", plainLine(judgement.message)));
  for (const Difference& each : judgement.differences) fmt::print("  {}\n", plainLine(each.text()));
}

}  // namespace

void addReplayCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("replay", "Run one case and print everything about it");
  command->footer(
      "Example:\n"
      "  dmlcts replay 'nonzero_coordinates level=4.0 input=f16:1x2x4 coords=8x2 seed=7'");
  struct Arguments {
    std::string text;
    std::string reproducer;
    std::string mode;
    TargetOptions target;
    LaneOptions lane;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  command->add_option("case", arguments->text, "a case string")->required();
  addTargetOptions(*command, arguments->target);
  addModeOption(*command, arguments->mode);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "longest time for the case");
  withDefault(*command, "--repeat", arguments->lane.repeat, "run it this many times",
              CLI::Range(1, 1000));
  addSizeOptions(*command, arguments->lane);
  auto* json = command->add_flag("--json", arguments->json, "print the result as JSON");
  command
      ->add_option("--reproducer", arguments->reproducer,
                   "run nothing: write a C++ program that makes the same calls of DirectML to this "
                   "new file")
      ->type_name("FILE.cpp")
      ->excludes(json);
  addInProcessOption(*command, arguments->target);
  command->callback([arguments, &context] {
    LaneOptions& options = arguments->lane;
    Case testCase = parseCase(arguments->text);
    NpyFiles().read(testCase);
    if (const auto problem = whyNotRunnable(testCase)) throw UsageError(*problem);
    if (!arguments->reproducer.empty()) {
      if (!arguments->mode.empty()) throw UsageError("--reproducer and --mode cannot be combined");
      writeNewFile(arguments->reproducer, "--reproducer", reproducer(testCase));
      context.status = kAsExpected;
      return;
    }
    if (!arguments->mode.empty()) options.mode = ExecutionMode(arguments->mode);
    if (!options.mode.descriptor(testCase)) {
      throw UsageError("the case does not go in mode " + arguments->mode);
    }
    options.command = workerCommand(arguments->target);
    options.required = arguments->target.required;
    options.strictness = strictnessFor(arguments->target);
    prepareInProcess(arguments->target, options);
    Lane lane(options);
    const Lane::Trial trial = lane.tryCase(testCase);
    const Judgement& judgement = trial.judgement;
    const gpu::Identity& identity = lane.identity();
    Totals totals;
    ++totals[judgement.verdict];
    context.status = exitStatus(totals);
    if (arguments->json) {
      ReportDocument document{{"case", caseString(testCase)},
                              {"mode", arguments->mode},
                              {"answered", factsOf(identity)}};
      document.update(verdictDocument(judgement));
      document["exitStatus"] = context.status;
      printJson(document);
      return;
    }
    fmt::print("{}\non {}{}{}\n", caseString(testCase), plainLine(identity.target),
               arguments->mode.empty() ? "" : " in mode " + arguments->mode, deviceOf(identity));
    printVerdict(judgement);
    for (const auto& [rule, count] : judgement.observations) {
      fmt::print("  observed: {} not kept, {}\n", rule, count);
    }
    if (asksOutOfRange(testCase)) {
      fmt::print("  index out of range: what it gives is undefined, and not compared\n");
    }
  });
}

}  // namespace dmlcts
