#include <fmt/ranges.h>

#include <memory>

#include "conformance/cases/inputs/inputs.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/replay/case_file.h"
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
  for (const std::string& rule : judgement.violated) fmt::print("  breaks {}\n", rule);
}

// The folder that --bundle names. Throws UsageError if it exists or cannot be created.
class NewBundle {
 public:
  explicit NewBundle(const std::string& path) : parent_(parentOf(path)), name_(nameOf(path)) {
    if (parent_.has(name_)) throw UsageError(path + " exists, and is not overwritten");
  }

  void write(const Lane::Trial& trial, const gpu::Identity& identity,
             const std::string& replayArguments) const {
    if (trial.prepared.requests.empty()) {
      throw UsageError("--bundle: the case is too large for one message: it has no bundle");
    }
    writeBundle(parent_, name_,
                {trial.prepared, trial.judgement, identity, trial.answer ? &*trial.answer : nullptr,
                 "", replayArguments});
  }

 private:
  static std::filesystem::path wholePath(const std::string& path) {
    const auto whole = std::filesystem::absolute(pathOf(path)).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();  // "FOLDER/"
  }
  static std::filesystem::path nameOf(const std::string& path) {
    return wholePath(path).filename();
  }
  static Folder parentOf(const std::string& path) {
    return requireFolder(wholePath(path).parent_path(), "--bundle");
  }

  Folder parent_;
  std::filesystem::path name_;
};

}  // namespace

void addReplayCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("replay", "Run one case, and print everything about it");
  command->footer(
      "Example:\n"
      "  dmlcts replay 'nonzero_coordinates level=4.0 input=f16:1x2x4 coords=8x2 seed=7'");
  struct Arguments {
    std::vector<std::string> words;
    std::string bundle;
    std::string mode;
    TargetOptions target;
    LaneOptions lane;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  command->add_option("case", arguments->words, "a case string, in quotes or as its words")
      ->required();
  addTargetOptions(*command, arguments->target);
  addModeOption(*command, arguments->mode);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "longest time for the case");
  withDefault(*command, "--repeat", arguments->lane.repeat, "run it this many times",
              CLI::Range(1, 1000));
  addSizeOptions(*command, arguments->lane);
  command->add_flag("--json", arguments->json, "print the result as JSON");
  typed(*command, "FOLDER", "--bundle", arguments->bundle,
        "write the text of a bug report, arrays and a DxDispatch model to this new folder");
  addInProcessOption(*command, arguments->target);
  command->callback([arguments, &context] {
    LaneOptions& options = arguments->lane;
    const std::string text = fmt::format("{}", fmt::join(arguments->words, " "));
    if (std::filesystem::is_directory(pathOf(text))) {
      throw UsageError(text + " is a folder: the README.md of a bundle has the line to type");
    }
    Case testCase = parseCase(text);
    NpyFiles().read(testCase);
    if (const auto problem = whyNotRunnable(testCase)) throw UsageError(*problem);
    if (!arguments->mode.empty()) options.mode = ExecutionMode(arguments->mode);
    if (!options.mode.descriptor(testCase)) {
      throw UsageError("the case does not go in mode " + arguments->mode);
    }
    std::optional<NewBundle> bundle;
    if (!arguments->bundle.empty()) bundle.emplace(arguments->bundle);
    options.command = workerCommand(arguments->target);
    options.required = arguments->target.required;
    options.strictness = strictnessFor(arguments->target);
    setDeadlines(arguments->target, options);
    Lane lane(options);
    const Lane::Trial trial = lane.tryCase(testCase);
    const Judgement& judgement = trial.judgement;
    const gpu::Identity& identity = lane.identity();
    if (bundle) {
      bundle->write(
          trial, identity,
          replayArguments(arguments->target, arguments->mode, options.timeout, options.repeat));
    }
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
