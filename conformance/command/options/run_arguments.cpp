#include "conformance/command/options/run_arguments.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>
#include <unordered_set>
#include <utility>
#include <variant>

#include "conformance/command/journals.h"
#include "conformance/command/options/help.h"
#include "conformance/command/options/options.h"
#include "conformance/facts/query.h"
#include "conformance/language/case.h"
#include "conformance/language/plan_hash.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/runner.h"
#include "conformance/tiers/tiers.h"
#include "reports/journal/journal.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// `dmlcts run --last-failed`: repeats the cases that failed in an earlier run, whose journal stays
// unchanged.

struct LastFailed {
  std::filesystem::path journal;           // of the earlier run
  JournalHeader run;                       // its first header
  std::unordered_set<std::string> cases;   // case strings that failed or never got a verdict
  std::filesystem::path folder;            // for the new run
  std::optional<std::vector<Case>> given;  // the failed cases, if their run was of no tier
};

namespace fs = std::filesystem;

constexpr const char* kRepetitions = "last-failed";

// Throws where a received folder has a link in place of the repetition to be written, or of their
// folder.
void refuseLinks(const fs::path& folder, const std::string& repetition) {
  for (const fs::path& path : {folder / kRepetitions, folder / kRepetitions / repetition}) {
    if (fs::is_symlink(fs::symlink_status(path))) {
      throw UsageError(path.string() + " is a link, which is not followed");
    }
  }
}

// Returns the greatest N of `repetitions`/N, or 0.
uint32_t lastRepetition(const fs::path& repetitions) {
  uint32_t last = 0;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(repetitions, none)) {
    const std::string name = each.path().filename().string();
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) last = std::max(last, number);
  }
  return last;
}

// A journal's sessions, and the cases that failed or never got a verdict, in file order.
struct EarlierRun {
  fs::path file;
  std::vector<JournalHeader> headers;
  std::vector<std::string> failed;
};

EarlierRun readRun(const fs::path& file) {
  if (!fs::exists(file)) {
    throw UsageError(file.string() + ": no such journal: --last-failed needs an earlier run");
  }
  EarlierRun run{file, {}, {}};
  std::unordered_set<std::string> seen, failed;
  std::unordered_set<uint64_t> judged;
  readJournal(file, [&](JournalLine line) {
    if (auto* header = std::get_if<JournalHeader>(&line)) run.headers.push_back(std::move(*header));
    const auto* entry = std::get_if<JournalEntry>(&line);
    if (!entry) return;
    const bool isOpen = entry->verdict == Verdict::InternalError;
    if (!isOpen) judged.insert(PlanHash::of(entry->caseString));
    if (failsRun(entry->verdict)) failed.insert(entry->caseString);
    if (!isOpen && !failsRun(entry->verdict)) return;
    if (seen.insert(entry->caseString).second) run.failed.push_back(entry->caseString);
  });
  std::erase_if(run.failed, [&](const std::string& each) {
    return !failed.contains(each) && judged.contains(PlanHash::of(each));
  });
  return run;
}

EarlierRun readBegunRun(const fs::path& file) {
  EarlierRun run = readRun(file);
  if (run.headers.empty()) throw UsageError(file.string() + " has no run");
  return run;
}

// Returns the latest run, by its last session, among a folder's run and its repetitions.
EarlierRun lastRun(const fs::path& folder, uint32_t repetitions) {
  EarlierRun last = readBegunRun(folder / "journal.jsonl");
  for (uint32_t i = 1; i <= repetitions; ++i) {
    const fs::path file = folder / kRepetitions / std::to_string(i) / "journal.jsonl";
    if (!fs::exists(file)) continue;
    EarlierRun run = readRun(file);
    if (run.headers.empty()) continue;
    // Times have whole seconds, so a later repetition wins a tie.
    if (run.headers.back().startedAt >= last.headers.back().startedAt) last = std::move(run);
  }
  return last;
}

// Reads the failed cases of the journal (or its folder) that `given` names; the new run goes to
// `folder`. If `given` is "", repeats the last run in `folder`, which may itself be a repetition,
// into the new folder `folder`/last-failed/N. `resume` then continues the greatest N, with the
// journal that it repeats. Throws UsageError if there is no such journal, nothing failed in it, or
// it has no tier; InputError if it is damaged.
LastFailed lastFailed(const std::string& given, const fs::path& folder, bool resume) {
  LastFailed result;
  EarlierRun run;
  if (!given.empty()) {
    result.folder = folder;
    run = readBegunRun(journalIn(given));
  } else {
    const fs::path repetitions = folder / kRepetitions;
    const uint32_t last = lastRepetition(repetitions);
    const std::string name = std::to_string(resume ? last : last + 1);
    result.folder = repetitions / name;
    refuseLinks(folder, name);
    run = resume ? readBegunRun(pathOf(
                       readBegunRun(result.folder / "journal.jsonl").headers.front().failedOf))
                 : lastRun(folder, last);
  }
  result.journal = run.file;
  result.run = run.headers.front();
  if (run.failed.empty()) throw UsageError("no case failed in " + result.journal.string());
  if (result.run.tier.empty()) {
    std::stringstream texts;
    for (const std::string& text : run.failed) texts << text << "\n";
    result.given = parseCases(texts, "the failed cases of " + result.journal.string());
  } else if (!parseTier(result.run.tier)) {
    throw UsageError(result.journal.string() +
                     " is of fuzzing, whose cases are of no tier: replay them");
  }
  result.cases.insert(run.failed.begin(), run.failed.end());
  return result;
}

uint32_t parseNumber(std::string_view text, const std::string& what) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw UsageError(what + " is \"" + std::string(text) + "\", not a number");
  }
  return number;
}

// Reads "2/8", which counts from 1, or GoogleTest's environment variables, which count from 0.
void readShard(RunArguments& arguments) {
  ScheduleOptions& schedule = arguments.options.schedule;
  const std::string& text = arguments.shard;
  if (text.empty()) {
    const char* total = std::getenv("GTEST_TOTAL_SHARDS");
    const char* index = std::getenv("GTEST_SHARD_INDEX");
    if (!total && !index) return;
    if (!total || !index) {
      throw UsageError("GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX need each other");
    }
    if (!arguments.lastFailed.empty())
      throw UsageError("--last-failed excludes GTEST_TOTAL_SHARDS");
    schedule.shardCount = parseNumber(total, "GTEST_TOTAL_SHARDS");
    schedule.shardIndex = parseNumber(index, "GTEST_SHARD_INDEX");
    arguments.fromEnvironment =
        fmt::format(" --shard {}/{}", uint64_t{schedule.shardIndex} + 1, schedule.shardCount);
    return;
  }
  const size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError("--shard is \"" + text + "\", not i/N");
  const uint32_t number = parseNumber(std::string_view(text).substr(0, slash), "--shard's i");
  schedule.shardCount = parseNumber(std::string_view(text).substr(slash + 1), "--shard's N");
  if (number == 0 || number > schedule.shardCount) {
    throw UsageError("--shard is \"" + text + "\": i counts from 1 to N");
  }
  schedule.shardIndex = number - 1;
}

constexpr std::string_view kLast = "last";  // value of --last-failed without an argument

// Makes the run repeat the failed cases of an earlier run, with its mode, strictness and seed.
void repeatFailed(RunArguments& arguments) {
  RunOptions& run = arguments.options;
  const bool last = arguments.lastFailed == kLast;
  LastFailed failed = lastFailed(last ? "" : arguments.lastFailed, run.folder, run.resume);
  std::error_code none;
  if (run.overwrite &&
      std::filesystem::equivalent(failed.journal, failed.folder / "journal.jsonl", none)) {
    throw UsageError("--overwrite would delete " + failed.journal.string() +
                     ", whose failed cases --last-failed repeats: give another --report");
  }
  const std::string& target = failed.run.target;
  if (arguments.targetIsDefault() && !target.empty() && target != arguments.target.target) {
    throw UsageError(fmt::format("{} is of target {}: say --target {}, or which other",
                                 failed.journal.string(), plainLine(target), plainLine(target)));
  }
  if (!arguments.target.strict) arguments.target.strict = failed.run.strict;
  if (arguments.mode.empty()) arguments.mode = failed.run.mode;
  if (!failed.given) run.schedule.tier = failed.run.tier;
  run.schedule.given = std::move(failed.given);
  run.schedule.seed = failed.run.seed;
  run.schedule.only = std::move(failed.cases);
  run.failedOf = failed.journal.generic_string();
  run.folder = failed.folder;
}

}  // namespace

void addModeOption(CLI::App& command, std::string& mode) {
  typed(command, fmt::format("{}", fmt::join(modeNames(), "|")), "--mode", mode,
        "run the cases in this execution mode, or in several joined by commas "
        "(`dmlcts list --modes` explains them)");
}

void readGiven(const std::string& cases, ScheduleOptions& schedule) {
  if (cases.empty()) return;
  schedule.given = readCases(cases);
  schedule.caseFile = nameOfCaseFile(cases);
}

CLI::Option* addTierOption(CLI::App& command, std::string& tier) {
  return command.add_option("--tier", tier, "how many cases: each tier has more, or larger ones")
      ->type_name(kTierNames)
      ->capture_default_str();
}

void addQueries(CLI::App& command, std::vector<std::string>& queries) {
  command
      .add_option("queries", queries,
                  fmt::format("choose cases, like gather_nd 'input=f16:*' 'level>=3.1'; without "
                              "a query, all cases. {} `dmlcts help queries` lists the keys",
                              kHowQueriesJoin))
      ->check([&command](const std::string& text) {
        if (text == "help") return fmt::format("say: dmlcts help {}", command.get_name());
        if (text.find_first_of("= ") == text.npos && command.get_option_no_throw("--" + text)) {
          return fmt::format("\"{}\" is no query; say --{}", text, text);
        }
        return std::string();
      });
}

void addRunArguments(CLI::App& command, RunArguments& arguments) {
  RunOptions& options = arguments.options;
  // More than 6 gained nothing on 16 cores with a GPU.
  options.jobs = std::clamp(std::thread::hardware_concurrency(), 1u, 6u);
  std::optional<OptionGroup> group(std::in_place, command, kWhichCases);
  addQueries(command, arguments.queries);
  auto* tier = addTierOption(command, options.schedule.tier);
  command.add_option("--level", options.schedule.level,
                     "only this feature level, or a pattern like 4.*");
  auto* shard = typed(command, "i/N", "--shard", arguments.shard,
                      "only the i-th of N parts of the cases, at most 1,000,000; "
                      "GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX say the same");
  auto* seed = withDefault(command, "--seed", options.schedule.seed,
                           "fill the same cases with other pseudo-random values");
  command
      .add_flag(fmt::format("--last-failed{{{}}}", kLast), arguments.lastFailed,
                "only the cases that failed in the last run in the folder --report, or in JOURNAL, "
                "with that run's tier, mode and strictness; writes to last-failed/N in the folder, "
                "or with JOURNAL to --report")
      ->option_text("[=JOURNAL]")
      ->excludes(tier, shard, seed);
  addCasesOption(command, arguments.cases)
      ->excludes(tier, seed, command.get_option("--last-failed"));
  addTargetOptions(command, arguments.target);
  group.emplace(command, kHowItRuns);
  addModeOption(command, arguments.mode);
  withDefault(command, "--jobs,-j", options.jobs, "number of workers that run at the same time",
              CLI::Range(1, 256));
  addSecondsOption(command, "--timeout", options.lane.timeout, "longest time for one case");
  withDefault(command, "--repeat", options.lane.repeat,
              "run each case this many times; differing bits are a failure", CLI::Range(1, 1000));
  command.add_flag("--fail-fast", options.failFast,
                   "stop at the first failure that no expectation waives; --resume continues");
  withDefault(command, "--most-lost", options.lane.mostLost,
              "end the run after losing this many workers in a row", CLI::PositiveNumber);
  typed(command, "FILE", "--expectations", arguments.expectations,
        "file of known failures to waive, and of cases to skip", problemOfInput);
  addSizeOptions(command, options.lane);
  addInProcessOption(command, arguments.target);
  group.emplace(command, kOutput);
  command.add_option("--report", arguments.folder, "folder of the journal and the reports")
      ->type_name("FOLDER")
      ->capture_default_str();
  command.add_flag("--resume", options.resume, "continue the journal in that folder");
  command.add_flag("--overwrite", options.overwrite, "replace the run in that folder");
  withDefault(command, "--bundles", options.bundles,
              "write a bundle (inputs, outputs, model) for at most this many failures");
  command.add_flag("--quiet,-q", arguments.quiet, "no progress line");
  command.add_flag("--verbose,-v", arguments.verbose,
                   "also print speed, where the time went, and coverage");
  command.add_flag("--json", arguments.json,
                   "print a summary as JSON, and everything else on standard error");
  arguments.targetIsDefault = [&command] {
    return command.count("--target") + command.count("--worker") == 0;
  };
}

void completeRun(RunArguments& arguments) {
  RunOptions& run = arguments.options;
  if (run.resume && run.overwrite) throw UsageError("--resume and --overwrite cannot be combined");
  run.folder = pathOf(arguments.folder);
  run.expectations = pathOf(arguments.expectations);
  run.schedule.queries = queriesOf(arguments.queries);
  readGiven(arguments.cases, run.schedule);
  readShard(arguments);
  if (!arguments.lastFailed.empty()) repeatFailed(arguments);
  if (!arguments.mode.empty()) run.schedule.mode = run.lane.mode = ExecutionMode(arguments.mode);
  run.replayArguments =
      replayArguments(arguments.target, arguments.mode, run.lane.timeout, run.lane.repeat);
  if (run.lane.piece) run.replayArguments += fmt::format(" --piece {}", *run.lane.piece);
  run.worker = arguments.target.worker;
  run.lane.command = workerCommand(arguments.target);
  run.lane.required = arguments.target.required;
  run.lane.strictness = strictnessFor(arguments.target);
  setDeadlines(arguments.target, run.lane);
  if (arguments.target.inProcess) run.jobs = 1;
  run.measureOverhead = arguments.verbose;
  run.showProgress = !arguments.quiet && stderrIsTerminal();
}

}  // namespace dmlcts
