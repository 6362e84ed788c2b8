#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/inputs/inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/run/environment.h"
#include "conformance/run/lane/company.h"
#include "conformance/run/replay/bundle.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/replay/cases_before.h"
#include "conformance/run/runner.h"
#include "reports/journal/folder.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostBefore = 1'000'000;
constexpr uint32_t kMostBeside = 64;
constexpr uint32_t kTriesBeside = 30;

struct ReplayArguments {
  std::vector<std::string> texts;
  uint64_t after = 0;
  uint32_t beside = 0;
  std::string tier = "default";
  std::string bundle;
  std::string mode;
  TargetOptions target;
  LaneOptions lane;
};

// A case's last try.
struct Tried {
  CaseOutcome trial;
  uint32_t tries = 1;
};

// " (ADAPTER, DRIVER)" with what is known of them.
std::string deviceOf(const gpu::Identity& identity) {
  const std::string comma = identity.driver.empty() ? "" : ", ";
  return " (" + plainLine(identity.adapter) + comma + plainLine(identity.driver) + ")";
}

void print(const Tried& tried) {
  const Judgement& judgement = tried.trial.judgement;
  printColoured(stdout,
                fmt::format("{}{}{}\n", name(judgement.verdict),
                            judgement.message.empty() ? "" : ": ", plainLine(judgement.message)));
  if (tried.tries > 1) fmt::print("  in {}\n", fmt::format("{} tries", tried.tries));
  for (const Difference& each : judgement.differences) fmt::print("  {}\n", plainLine(each.text()));
  for (const std::string& rule : judgement.violated) fmt::print("  breaks {}\n", rule);
  const std::string words = lastLines(tried.trial.workerStderr);
  if (!words.empty()) fmt::print("  worker stderr:\n{}", indentedText(indentedText(words)));
  for (const auto& [rule, count] : judgement.observations) {
    fmt::print("  observed: {} not kept, {}\n", rule, count);
  }
  if (asksOutOfRange(tried.trial.testCase())) {
    fmt::print("  index out of range: what it gives is undefined, and not compared\n");
  }
}

// Joins the words of case strings that a shell took apart: each begins with an operator.
std::vector<std::string> joined(const std::vector<std::string>& words) {
  const auto operators = operatorNames();
  std::vector<std::string> texts;
  bool open = false;  // the last text may go on
  for (const std::string& word : words) {
    const bool isWhole = word.find(' ') != word.npos;
    const bool begins = std::ranges::find(operators, word) != operators.end();
    if (open && !isWhole && !begins) {
      texts.back() += ' ' + word;
    } else {
      texts.push_back(word);
    }
    open = !isWhole;
  }
  return texts;
}

std::vector<Case> readCases(const ReplayArguments& arguments) {
  std::vector<Case> cases;
  for (const std::string& text : joined(arguments.texts)) {
    std::error_code none;  // too long for a name
    if (std::filesystem::is_directory(pathOf(text), none)) {
      throw UsageError(text + " is a folder: the README.md of a bundle has the line to type");
    }
    Case& testCase = cases.emplace_back(parseCase(text));
    NpyFiles().read(testCase);
    if (const auto problem = whyNotRunnable(testCase)) throw UsageError(*problem);
    if (!arguments.lane.mode.descriptor(testCase)) {
      throw UsageError("the case does not go in mode " + arguments.mode);
    }
  }
  return cases;
}

std::vector<ScheduledCase> casesOfTier(const std::string& tier) {
  ScheduleOptions options;
  options.tier = tier;
  return chooseCases(options).cases;
}

// Brings the worker into the state in which a run had it. Returns the verdict if that loses it.
std::optional<Tried> sendBefore(const ReplayArguments& arguments, const CasesBefore& tier,
                                const Case& testCase, Lane& lane) {
  const auto before = tier.of(testCase, arguments.after, [&](const Case& each) {
    return !arguments.lane.mode.descriptor(each) || lane.whyNotSent(each);
  });
  auto lost = lane.sendBefore(before);
  if (!lost) return std::nullopt;
  Tried tried{{RunningCase(*before.at(lost->position)), {}}};
  tried.trial.judgement = std::move(lost->judgement);
  tried.trial.judgement.message +=
      fmt::format(" (in case {} of {} before)", lost->position + 1, before.size());
  tried.trial.workerStderr = std::move(lost->workerStderr);
  return tried;
}

Tried tryOne(const ReplayArguments& arguments, const Case& testCase, Lane& lane) {
  Tried tried{lane.tryCase(testCase)};
  while (arguments.beside > 0 && tried.tries < kTriesBeside && !lane.over() &&
         !isFailure(tried.trial.judgement.verdict)) {
    tried.trial = lane.tryCase(testCase);
    ++tried.tries;
  }
  return tried;
}

// The folder that --bundle names. Throws UsageError if it exists or cannot be created.
class NewBundle {
 public:
  explicit NewBundle(const std::string& path) : parent_(parentOf(path)), name_(nameOf(path)) {
    if (parent_.has(name_)) throw UsageError(path + " exists, and is not overwritten");
  }

  void write(const CaseOutcome& trial, const gpu::Identity& identity,
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

void replay(const ReplayArguments& arguments, CommandContext& context) {
  const std::vector<Case> cases = readCases(arguments);
  std::optional<NewBundle> bundle;
  if (!arguments.bundle.empty()) bundle.emplace(arguments.bundle);
  std::optional<CasesBefore> tier;
  if (arguments.after > 0) tier.emplace(*parseTier(arguments.tier));
  Lane lane(arguments.lane);
  const gpu::Identity& identity = lane.identity();
  std::vector<ScheduledCase> besides;
  std::optional<Company> company;
  if (arguments.beside > 0) {
    besides = casesOfTier(arguments.tier);
    company.emplace(arguments.lane, besides, arguments.beside);
  }
  std::vector<Tried> all;
  if (tier) {
    if (auto lost = sendBefore(arguments, *tier, cases.front(), lane)) all.push_back(*lost);
  }
  for (const Case& testCase : all.empty() ? std::span(cases) : std::span<const Case>()) {
    all.push_back(tryOne(arguments, testCase, lane));
  }
  company.reset();

  Totals totals;
  for (const Tried& each : all) ++totals[each.trial.judgement.verdict];
  context.status = exitStatus(totals);
  if (bundle) {
    bundle->write(all.back().trial, identity,
                  replayArguments(arguments.target, arguments.mode, arguments.lane.timeout,
                                  arguments.lane.repeat));
  }
  for (const Tried& each : all) {
    fmt::print("{}\n", caseString(each.trial.testCase()));
    if (&each == &all.front()) {
      fmt::print("on {}{}{}\n", plainLine(identity.target),
                 arguments.mode.empty() ? "" : " in mode " + arguments.mode, deviceOf(identity));
    }
    print(each);
  }
}

}  // namespace

void addReplayCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("replay", "Run cases in order, and print everything about them");
  command->footer(
      "Example:\n"
      "  dmlcts replay 'nonzero_coordinates level=4.0 input=f16:1x2x4 coords=8x2 seed=7'");
  auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("case", arguments->texts, "case strings, run in this order by one worker")
      ->required();
  addTargetOptions(*command, arguments->target);
  addModeOption(*command, arguments->mode);
  addSecondsOption(*command, "--timeout", arguments->lane.timeout, "longest time for a case");
  withDefault(*command, "--repeat", arguments->lane.repeat, "run each case this many times",
              CLI::Range(1, 1000));
  command
      ->add_option("--after", arguments->after,
                   "first send this many cases of the tier, those before the case; from the "
                   "tier's first one back to its last")
      ->check(CLI::Range(uint64_t{1}, kMostBefore));
  auto* beside = command
                     ->add_option("--beside", arguments->beside,
                                  "meanwhile let this many other workers run the tier's cases, "
                                  "and try until it fails, 30 times at most")
                     ->check(CLI::Range(1u, kMostBeside));
  addTierOption(*command, arguments->tier);
  addSizeOptions(*command, arguments->lane);
  typed(
      *command, "FOLDER", "--bundle", arguments->bundle,
      "write the text of a bug report, arrays and a DxDispatch model of the last case to this new "
      "folder");
  addInProcessOption(*command, arguments->target);
  if (CLI::Option* inProcess = command->get_option_no_throw("--in-process")) {
    inProcess->excludes(beside);
  }
  command->callback([arguments, &context] {
    LaneOptions& options = arguments->lane;
    if (!arguments->mode.empty()) options.mode = ExecutionMode(arguments->mode);
    ScheduleOptions tier;
    tier.tier = arguments->tier;
    if (!parseTier(tier.tier)) chooseCases(tier);  // says which there are
    options.command = workerCommand(arguments->target);
    options.required = arguments->target.required;
    options.strictness = strictnessFor(arguments->target);
    setDeadlines(arguments->target, options);
    replay(*arguments, context);
  });
}

}  // namespace dmlcts
