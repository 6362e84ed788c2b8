#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "conformance/command/commands.h"
#include "conformance/command/options/caught.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/facts/query.h"
#include "conformance/language/nearest.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/run/environment.h"
#include "conformance/run/journaling.h"
#include "conformance/run/judging/in_pieces.h"
#include "conformance/run/lane/lane.h"
#include "conformance/run/runner.h"
#include "reference/counted.h"
#include "reports/text/escape.h"

// `dmlcts selftest`: checks that the suite catches deliberately faulty implementations (caught.h),
// and that right ones pass the same cases.

namespace dmlcts {
namespace {

// Enough cases to show a worker failure between them.
constexpr size_t kBetweenCases = 200;
// Timeout for mutants that declare one: long enough for every other case on a busy machine.
constexpr std::chrono::seconds kHangTimeout{10};

struct SelftestArguments {
  ScheduleOptions schedule;
  std::string pattern = "*";
  uint32_t jobs = 1;
  std::chrono::milliseconds timeout{20000};
  double atLeast = 100;     // percent
  double smokeAtLeast = 0;  // percent
  size_t catches = 1;
  std::string json;
  bool overwrite = false;
};

struct Candidate {
  std::string target;
  Signs signs;
  bool isRight() const { return signs.where == Signs::Where::Nowhere; }
};

// Runs the first `limit` cases of the schedule until `catches` of them go wrong.
Record run(const Candidate& subject, const ScheduleOptions& scheduleOptions,
           const Schedule& schedule, size_t limit, std::chrono::milliseconds timeout,
           size_t catches) {
  Record record;
  LaneOptions options;
  options.command = workerCommand({.target = subject.target});
  options.strictness = Strictness::Strict;
  options.mode = scheduleOptions.mode;
  options.timeout = timeout;
  options.onWorkerFailure = [&](const JournalWorkerFailure& workerFailure) {
    record.journal.workerFailures.push_back(workerFailure);
  };
  const auto& verdicts = subject.signs.verdicts;
  if (std::ranges::find(verdicts, Verdict::Timeout) != verdicts.end()) {
    options.timeout = std::min<std::chrono::milliseconds>(timeout, kHangTimeout);
  }
  Lane lane(options);
  ScheduleOptions whole = scheduleOptions;  // for treatAsWholeTier(): whichever cases they are
  whole.queries.clear();
  record.journal.headers = {makeHeader(whole, schedule, lane.identity(), options.strictness, "")};
  if (subject.signs.where == Signs::Where::InIdentity) {
    // `run` compares its lanes in the same way.
    Lane second(options);
    if (auto difference = differenceOf(second.identity(), lane.identity())) {
      record.refused = *difference;
    }
    return record;
  }
  std::optional<Lane> other;
  if (subject.signs.where == Signs::Where::BesideWorkers) {
    other.emplace(options).tryCase(schedule.cases.front().testCase);
  }
  if (subject.signs.where == Signs::Where::BetweenCases) limit = std::min(limit, kBetweenCases);
  size_t at = 0;
  const auto next = [&]() -> std::optional<size_t> {
    return at < limit ? std::optional(at++) : std::nullopt;
  };
  size_t wrong = 0;
  bool stopped = false;
  const auto journal = [&](const CaseOutcome& outcome) {
    JournalEntry entry = makeEntry(schedule.cases[*outcome.place], outcome);
    wrong += failsRun(entry.verdict) || entry.verdict == Verdict::InternalError ? 1 : 0;
    record.journal.entries.push_back(std::move(entry));
    record.journal.headerOf.push_back(0);
    record.index.push_back(*outcome.place);
    stopped = wrong >= catches && !subject.isRight();
    if (stopped) lane.stop();
  };
  try {
    lane.run(schedule.cases, next, journal);
    if (!stopped) lane.finish();
  } catch (const WorkersLost&) {  // `run` then ends, too, with the verdicts it has
  }
  treatAsWholeTier(record.journal);
  return record;
}

void print(const Catch& each, bool isRight) {
  if (isRight) {
    fmt::print("{:<45} {}\n", each.target,
               each.caught ? "right, and as expected in " + counted(each.casesTaken, "case")
                           : "RIGHT, BUT JUDGED WRONG: " + each.how);
  } else if (!each.caught) {
    fmt::print("{:<45} SURVIVED: {}\n", each.target, each.how);
  } else if (each.caseText.empty()) {
    fmt::print("{:<45} caught: {}\n", each.target, each.how);
  } else {
    const std::string kinds = listKinds(each.kinds);
    fmt::print("{:<45} caught by {} after {}: {}{}{} ({})\n", each.target, each.family,
               counted(each.casesTaken, "case"), each.verdict, kinds.empty() ? "" : ", ", kinds,
               each.rules);
  }
  std::fflush(stdout);
}

ReportDocument documentOf(const Catch& each) {
  return {{"target", each.target},
          {"caught", each.caught},
          {"family", each.family},
          {"cases", each.casesTaken},
          {"rules", each.rules},
          {"case", each.caseText},
          {"how", each.how},
          {"verdict", each.verdict},
          {"kinds", each.kinds},
          {"catches", each.catches},
          {"onlyRules", fmt::format("{}", fmt::join(each.onlyRules, " "))}};
}

// Replaces the file, where one is asked for, by what is known: `catches` of those that have ended,
// in order.
void writeJson(const std::string& name, const std::string& tier,
               const std::vector<std::optional<Catch>>& catches) {
  if (name.empty()) return;
  ReportDocument list = ReportDocument::array();
  for (const auto& caught : catches) {
    if (caught) list.push_back(documentOf(*caught));
  }
  ReportDocument json{{"version", 1}, {"tier", tier}, {"mutants", list}};
  if (list.size() < catches.size()) json["unfinished"] = catches.size() - list.size();
  replaceFile(pathOf(name), toText(json, 1) + "\n");
}

// Returns the mutants that the tier can show. Large tensors take minutes, so they try only mutants
// that need them.
std::vector<Candidate> subjectsLike(const std::string& pattern, const std::string& tier) {
  size_t others = 0;
  const Signs byMode{.verdicts = {Verdict::Fail},
                     .kinds = {kind::kWrongElements, kind::kPaddingBytes, kind::kGuardBytes,
                               kind::kInputBytes, kind::kCallFailed}};
  std::vector<Candidate> subjects;
  std::vector<std::string> tried;
  for (const TargetInfo& target : knownTargets()) {
    if (!target.name.starts_with("mutant:")) continue;
    const std::string& name = tried.emplace_back(target.name.substr(7));
    if (!matchesPattern(pattern, name)) continue;
    const Mutant* mutant = findMutant(name);
    const std::string_view needed = mutant ? mutant->needsTier : "default";  // smoke has no modes
    if (needed != tier && (!needed.empty() || tier == "large" || tier == "huge")) {
      ++others;
      continue;
    }
    subjects.push_back({target.name, mutant ? mutant->signs : byMode});
  }
  if (others > 0) {
    fmt::print("not tried on the {} tier: {}; {}\n", tier, counted(others, "mutant"),
               tier == "large" || tier == "huge" ? "other tiers catch them"
                                                 : "--tier large and --tier huge catch them");
  }
  if (subjects.empty()) {
    const std::vector<std::string_view> names(tried.begin(), tried.end());
    throw UsageError("no mutant of the tier matches " + pattern + didYouMean(pattern, names));
  }
  return subjects;
}

// Moves the smoke tier's cases to the front, so that what they catch counts for that tier, and
// returns their number. After kBetweenCases of them, the cheap rejections come first.
size_t moveSmokeCasesFirst(const ScheduleOptions& options, Schedule& plan) {
  ScheduleOptions smoke = options;
  smoke.tier = "smoke";
  smoke.queries.clear();  // queries chose the plan's cases only
  std::unordered_set<std::string> texts;
  for (ScheduledCase& each : chooseCases(smoke).cases) texts.insert(std::move(each.text));
  const auto rest =
      std::stable_partition(plan.cases.begin(), plan.cases.end(),
                            [&](const ScheduledCase& each) { return texts.contains(each.text); });
  const auto smokeCases = static_cast<size_t>(rest - plan.cases.begin());
  if (smokeCases > kBetweenCases) {
    std::stable_partition(plan.cases.begin() + kBetweenCases, rest, [](const ScheduledCase& each) {
      return each.testCase.expect == Expect::Reject;
    });
  }
  return smokeCases;
}

double percentOf(size_t part, size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

int selftest(const SelftestArguments& arguments) {
  requireFile(pathOf(arguments.json), "--json", arguments.overwrite);
  Schedule schedule = chooseCases(arguments.schedule);
  const size_t smokeCases = moveSmokeCasesFirst(arguments.schedule, schedule);
  std::vector<Candidate> wrong = subjectsLike(arguments.pattern, arguments.schedule.tier);
  std::vector<Candidate> right{{"reference", {.where = Signs::Where::Nowhere}}};
  for (const Candidate& each : wrong) {
    if (each.isRight()) right.push_back(each);
  }
  std::erase_if(wrong, &Candidate::isRight);
  std::mutex printing;
  const auto judge = [](const Candidate& subject, const Record& record) {
    return subject.isRight() ? judgeRight(record) : judgeWrong(subject.signs, record);
  };
  const auto hold = [&](const Candidate& subject, size_t limit) {
    Catch result = judge(subject, run(subject, arguments.schedule, schedule, limit,
                                      arguments.timeout, arguments.catches));
    result.target = subject.target;
    const std::lock_guard lock(printing);
    print(result, subject.isRight());
    return result;
  };

  std::vector<std::optional<Catch>> ended(wrong.size());
  writeJson(arguments.json, arguments.schedule.tier, ended);
  sideBySide(wrong.size(), arguments.jobs, [&](size_t i) {
    Catch result = hold(wrong[i], schedule.cases.size());
    const std::lock_guard lock(printing);
    ended[i] = std::move(result);
    writeJson(arguments.json, arguments.schedule.tier, ended);
  });
  std::vector<Catch> catches;
  for (std::optional<Catch>& each : ended) catches.push_back(std::move(*each));
  // A catch proves nothing unless right targets pass the same cases.
  size_t taken = 0;
  for (const Catch& each : catches) {
    taken = std::max(taken, each.caught ? each.casesTaken : schedule.cases.size());
  }
  if (wrong.empty()) taken = schedule.cases.size();
  taken = std::max({taken, smokeCases, std::min(kBetweenCases, schedule.cases.size())});
  std::vector<Catch> controls(right.size());
  sideBySide(right.size(), arguments.jobs, [&](size_t i) { controls[i] = hold(right[i], taken); });

  if (!controls.front().caught) {
    throw std::runtime_error("the oracle itself does not pass, so the catches prove nothing");
  }
  const bool rightHold = std::ranges::all_of(controls, &Catch::caught);
  if (wrong.empty()) return rightHold ? kAsExpected : kConformanceFailure;
  const auto caught = static_cast<size_t>(std::ranges::count(catches, true, &Catch::caught));
  const auto bySmoke = static_cast<size_t>(std::ranges::count_if(
      catches, [&](const Catch& each) { return each.caught && each.casesTaken <= smokeCases; }));
  const double percent = percentOf(caught, catches.size());
  const double smokePercent = percentOf(bySmoke, catches.size());
  fmt::print("{} of {} caught by the {} tier ({:.1f} %), {} by its {} smoke cases ({:.1f} %)\n",
             caught, counted(catches.size(), "mutant"), arguments.schedule.tier, percent, bySmoke,
             smokeCases, smokePercent);
  return rightHold && percent >= arguments.atLeast && smokePercent >= arguments.smokeAtLeast
             ? kAsExpected
             : kConformanceFailure;
}

}  // namespace

void addSelftestCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("selftest", "Test the suite itself with deliberately faulty targets");
  command->footer(
      "The suite must catch each deliberately faulty implementation (mutant) by the rules\n"
      "that it breaks, and pass the oracle.");
  auto arguments = std::make_shared<SelftestArguments>();
  withDefault(*command, "mutants", arguments->pattern,
              "mutants to test, like 'accepts.*' or 'rows-*'");
  addTierOption(*command, arguments->schedule.tier);
  typed(*command, "QUERY", "--query", arguments->schedule.queries,
        "only the cases that match one of these queries");
  withDefault(*command, "--jobs,-j", arguments->jobs, "number of mutants that run at the same time",
              CLI::Range(1, 256));
  addSecondsOption(*command, "--timeout", arguments->timeout, "longest time for one case");
  withDefault(*command, "--at-least", arguments->atLeast,
              "percentage of the mutants that must be caught", CLI::Range(0.0, 100.0));
  withDefault(*command, "--smoke-at-least", arguments->smokeAtLeast,
              "percentage of the mutants that the smoke tier's cases must catch",
              CLI::Range(0.0, 100.0));
  withDefault(*command, "--catches", arguments->catches,
              "stop at this many failing cases of a mutant; the rules that all of them exercise "
              "are printed",
              CLI::PositiveNumber);
  command->add_option("--json", arguments->json,
                      "also write the results to this file, after each mutant");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file");
  command->callback([arguments, &context] { context.status = selftest(*arguments); });
}

}  // namespace dmlcts
