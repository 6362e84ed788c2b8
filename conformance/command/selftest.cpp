#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>

#include "conformance/cases/query.h"
#include "conformance/command/commands.h"
#include "conformance/identity.h"
#include "conformance/journaling.h"
#include "conformance/lane.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/runner.h"
#include "reports/summary.h"

// `dmlcts selftest`: whether the suite catches deliberately wrong implementations. A mutant is
// caught when a run with the cases that it was given would end with status 1, no level that it
// breaks holds, and what went wrong is what the mutant declares (Signs).

namespace dmlcts {
namespace {

// So many cases show, or do not, what befalls a worker between them.
constexpr size_t kBetweenCases = 200;
constexpr std::chrono::seconds kHangTimeout{3};  // of mutants that declare Timeout

struct SelftestArguments {
  PlanOptions plan;
  std::string pattern = "*";
  uint32_t jobs = 1;
  double timeout = 20;
  double atLeast = 100;  // percent
  size_t catches = 1;
  std::string json;
};

struct Subject {
  std::string target;
  Signs signs;
  bool isRight() const { return signs.where == Signs::Where::Nowhere; }
};

struct Catch {
  std::string target;
  bool caught = false;    // or, of a right target, as expected
  size_t casesTaken = 0;  // until the first case that caught it, that one counted
  std::string family;
  std::string rules;
  std::string caseText;
  std::string how;  // verdict and message; where it was not caught, why not
  std::string verdict;
  Kinds kinds;
  size_t catches = 0;                  // that were looked at
  std::vector<std::string> onlyRules;  // that every one of them exercises
};

std::string listed(const Kinds& kinds) {
  std::string text;
  for (const auto& [which, count] : kinds) text += (text.empty() ? "" : ", ") + which;
  return text;
}

// What a run with one worker and these cases would journal.
struct Record {
  Journal journal;
  std::vector<size_t> index;  // in the plan, of each entry
  std::string refused;        // why nothing ran, where nothing did
};

// Runs the first `limit` cases of the plan, until `catches` of them went wrong.
Record run(const Subject& subject, const PlanOptions& planOptions, const RunPlan& plan,
           size_t limit, double timeout, size_t catches) {
  Record record;
  LaneOptions options;
  options.command = workerCommand({.target = subject.target});
  options.timeout = std::chrono::milliseconds(static_cast<int64_t>(timeout * 1000));
  const auto& verdicts = subject.signs.verdicts;
  if (std::ranges::find(verdicts, Verdict::Timeout) != verdicts.end()) {
    options.timeout = std::min<std::chrono::milliseconds>(options.timeout, kHangTimeout);
  }
  Lane lane(options);
  record.journal.headers = {makeHeader(planOptions, plan, lane.identity(), "")};
  if (subject.signs.where == Signs::Where::InIdentity) {
    // As `run` does with its lanes.
    Lane second(options);
    if (auto difference = differenceOf(second.identity(), lane.identity())) {
      record.refused = *difference;
    }
    return record;
  }
  if (subject.signs.where == Signs::Where::BetweenCases) limit = std::min(limit, kBetweenCases);
  size_t at = 0;
  const auto next = [&]() -> std::optional<size_t> {
    return at < limit ? std::optional(at++) : std::nullopt;
  };
  size_t wrong = 0;
  bool gated = false;
  bool letThrough = false;
  const auto sink = [&](const CaseOutcome& outcome) {
    JournalEntry entry = makeEntry(plan.cases[outcome.index], outcome);
    wrong += failsRun(entry.verdict) || entry.verdict == Verdict::InternalError ? 1 : 0;
    if (entry.levelOnly) {  // a gate, and what gets through it, are a failure together
      const bool before = gated && letThrough;
      (entry.verdict == Verdict::NotAsked ? letThrough : gated) = true;
      wrong += !before && gated && letThrough ? 1 : 0;
    }
    record.journal.entries.push_back(std::move(entry));
    record.journal.headerOf.push_back(0);
    record.index.push_back(outcome.index);
    if (wrong >= catches && !subject.isRight()) lane.stop();
  };
  lane.run(plan.cases, next, sink);
  return record;
}

bool isDeclared(const Signs& signs, Verdict verdict, const Kinds& kinds) {
  const bool needsKinds = verdict == Verdict::Fail || verdict == Verdict::Flaky;
  return std::ranges::find(signs.verdicts, verdict) != signs.verdicts.end() &&
         (!needsKinds || !kinds.empty()) && std::ranges::all_of(kinds, [&](const auto& kind) {
           return std::ranges::find(signs.kinds, kind.first) != signs.kinds.end();
         });
}

bool holds(const Report& report, const std::string& op, const std::string& level) {
  return std::ranges::any_of(report.compliance, [&](const ComplianceRow& row) {
    return row.op == op && row.level == level && row.status == Compliance::Holds;
  });
}

// What the record says of a wrong target. `how` says why it was not caught where it was not.
void judgeWrong(const Subject& subject, const Record& record, const Report& report, Catch& result) {
  const Signs& signs = subject.signs;
  if (signs.where == Signs::Where::InIdentity) {
    result.caught = !record.refused.empty();
    result.how = result.caught ? "refused: " + record.refused : "nobody saw two devices";
    return;
  }
  std::unordered_map<std::string_view, const JournalEntry*> reported;
  for (const JournalEntry& entry : report.cases) reported.emplace(entry.caseString, &entry);
  for (size_t i = 0; i < record.journal.entries.size(); ++i) {
    const JournalEntry& entry = *reported.at(record.journal.entries[i].caseString);
    if (!failsRun(entry.verdict) && entry.verdict != Verdict::InternalError) continue;
    std::string how = fmt::format("{}: {}", name(entry.verdict), entry.message);
    if (!isDeclared(signs, entry.verdict, entry.kinds)) {
      result.how = fmt::format("not what it declares ({}): {}; {}", listed(entry.kinds), how,
                               entry.caseString);
      return;
    }
    if (holds(report, entry.op, entry.level)) {
      result.how = fmt::format("{} holds at {} in spite of {}", entry.op, entry.level, how);
      return;
    }
    if (++result.catches > 1) {
      std::erase_if(result.onlyRules, [&](const std::string& rule) {
        return std::ranges::find(entry.rules, rule) == entry.rules.end();
      });
      continue;
    }
    result.onlyRules = entry.rules;
    result.casesTaken = record.index[i] + 1;
    result.family = entry.family;
    result.rules = fmt::format("{}", fmt::join(entry.rules, " "));
    result.caseText = entry.caseString;
    result.how = std::move(how);
    result.verdict = name(entry.verdict);
    result.kinds = entry.kinds;
  }
  if (signs.where == Signs::Where::BetweenCases) {
    for (const JournalMishap& mishap : report.mishaps) {
      if (!isDeclared(signs, mishap.verdict, {})) continue;
      ++result.catches;
      result.how = fmt::format("{}: {}: {}", mishap.when, name(mishap.verdict), mishap.message);
      result.verdict = name(mishap.verdict);
    }
    for (const ComplianceRow& row : report.compliance) {
      if (row.status != Compliance::Holds) continue;
      result.how = fmt::format("{} holds at {} in spite of it", row.op, row.level);
      return;
    }
  }
  if (result.catches == 0) {
    result.how = fmt::format("survived {} cases", record.journal.entries.size());
  } else if (const int status = exitStatus(report); status != kConformanceFailure) {
    result.how = fmt::format("a run would end with status {} in spite of {}", status, result.how);
  } else {
    result.caught = true;
  }
}

// The same of a target that has to come out as the reference does.
void judgeRight(const Record& record, const RunPlan& plan, const Report& report, Catch& result) {
  const size_t cases = record.journal.entries.size();
  for (const JournalEntry& entry : report.cases) {
    if (entry.verdict == Verdict::Pass || entry.verdict == Verdict::NotAsked) continue;
    result.how = fmt::format("{}: {}; {}", name(entry.verdict), entry.message, entry.caseString);
    return;
  }
  for (const ComplianceRow& row : report.compliance) {
    const bool fine = row.status == Compliance::Holds || row.status == Compliance::Absent ||
                      row.status == Compliance::NotAsked;
    if (fine || cases < plan.cases.size()) continue;
    result.how = fmt::format("{} at {}: {}", row.op, row.level, row.statement);
    return;
  }
  if (const int status = exitStatus(report); status != kAsExpected) {
    result.how = fmt::format("a run would end with status {}", status);
    return;
  }
  result.caught = true;
  result.casesTaken = cases;
  result.how = "as expected";
}

void print(const Catch& each, bool isRight) {
  if (isRight) {
    fmt::print("{:<45} {}\n", each.target,
               each.caught ? fmt::format("right, and as expected in {} cases", each.casesTaken)
                           : "RIGHT, AND HELD TO BE WRONG: " + each.how);
  } else if (!each.caught) {
    fmt::print("{:<45} SURVIVED: {}\n", each.target, each.how);
  } else if (each.caseText.empty()) {
    fmt::print("{:<45} caught: {}\n", each.target, each.how);
  } else {
    const std::string kinds = listed(each.kinds);
    fmt::print("{:<45} caught by {} after {} cases: {}{}{} ({})\n", each.target, each.family,
               each.casesTaken, each.verdict, kinds.empty() ? "" : ", ", kinds, each.rules);
  }
  std::fflush(stdout);
}

void writeJson(const std::string& file, const std::string& tier,
               const std::vector<Catch>& catches) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Catch& each : catches) {
    list.push_back({{"target", each.target},
                    {"caught", each.caught},
                    {"cases", each.casesTaken},
                    {"family", each.family},
                    {"rules", each.rules},
                    {"case", each.caseText},
                    {"how", each.how},
                    {"verdict", each.verdict},
                    {"kinds", each.kinds},
                    {"catches", each.catches},
                    {"onlyRules", fmt::format("{}", fmt::join(each.onlyRules, " "))}});
  }
  std::ofstream stream(file);
  stream << nlohmann::ordered_json{{"version", 1}, {"tier", tier}, {"mutants", list}}.dump(
                1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
         << "\n";
  stream.close();
  if (!stream) throw std::runtime_error(file + ": cannot be written");
}

std::vector<Subject> subjectsLike(const std::string& pattern) {
  const Signs shader{.verdicts = {Verdict::Fail},
                     .kinds = {kind::kWrongElements, kind::kPaddingBytes, kind::kGuardBytes}};
  std::vector<Subject> subjects;
  for (const TargetInfo& target : knownTargets()) {
    if (!target.name.starts_with("mutant:")) continue;
    const std::string name = target.name.substr(7);
    if (!matchesPattern(pattern, name)) continue;
    const Mutant* mutant = findMutant(name);
    subjects.push_back({target.name, mutant ? mutant->signs : shader});
  }
  if (subjects.empty()) throw UsageError("no mutant matches " + pattern);
  return subjects;
}

// Calls work(i) for each i below `count`, on `jobs` threads.
void forEach(size_t count, uint32_t jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto loop = [&] {
    for (size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        return;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (uint32_t i = 1; i < jobs; ++i) helpers.emplace_back(loop);
  loop();
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
}

int selftest(const SelftestArguments& arguments) {
  const RunPlan plan = makePlan(arguments.plan);
  std::vector<Subject> wrong = subjectsLike(arguments.pattern);
  std::vector<Subject> right{{"reference", {.where = Signs::Where::Nowhere}}};
  for (const Subject& each : wrong) {
    if (each.isRight()) right.push_back(each);
  }
  std::erase_if(wrong, &Subject::isRight);
  std::mutex printing;
  const auto hold = [&](const Subject& subject, size_t limit) {
    const Record record =
        run(subject, arguments.plan, plan, limit, arguments.timeout, arguments.catches);
    const Report report = summarize({&record.journal, 1});
    Catch result;
    result.target = subject.target;
    if (subject.isRight()) {
      judgeRight(record, plan, report, result);
    } else {
      judgeWrong(subject, record, report, result);
    }
    const std::lock_guard lock(printing);
    print(result, subject.isRight());
    return result;
  };

  std::vector<Catch> catches(wrong.size());
  forEach(wrong.size(), arguments.jobs,
          [&](size_t i) { catches[i] = hold(wrong[i], plan.cases.size()); });
  // The cases that caught them say nothing unless right targets pass them.
  size_t taken = 0;
  for (const Catch& each : catches) {
    taken = std::max(taken, each.caught ? each.casesTaken : plan.cases.size());
  }
  if (wrong.empty()) taken = plan.cases.size();
  std::vector<Catch> controls(right.size());
  forEach(right.size(), arguments.jobs, [&](size_t i) {
    controls[i] = hold(right[i], std::max(taken, std::min(kBetweenCases, plan.cases.size())));
  });

  if (!arguments.json.empty()) writeJson(arguments.json, arguments.plan.tier, catches);
  if (!controls.front().caught) {
    throw std::runtime_error("the oracle itself does not pass: no catch says anything");
  }
  const bool rightHold = std::ranges::all_of(controls, &Catch::caught);
  if (wrong.empty()) return rightHold ? kAsExpected : kConformanceFailure;
  const auto caught = static_cast<size_t>(std::ranges::count(catches, true, &Catch::caught));
  const double percent = 100.0 * static_cast<double>(caught) / static_cast<double>(catches.size());
  fmt::print("{} of {} mutants caught by the {} tier ({:.1f} %)\n", caught, catches.size(),
             arguments.plan.tier, percent);
  return rightHold && percent >= arguments.atLeast ? kAsExpected : kConformanceFailure;
}

}  // namespace

void addSelftestCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand(
      "selftest",
      "Hold deliberately wrong implementations against the suite: each must be caught by what\n"
      "it declares, and the oracle must pass the same cases");
  auto arguments = std::make_shared<SelftestArguments>();
  command->add_option("mutants", arguments->pattern, "which, like 'shader.*' or 'rows-*'")
      ->capture_default_str();
  command->add_option("--tier", arguments->plan.tier, "smoke, default or large")
      ->capture_default_str();
  command->add_option("--jobs,-j", arguments->jobs, "mutants side by side")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeout, "seconds that a case may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--at-least", arguments->atLeast, "percent that must be caught")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command
      ->add_option("--catches", arguments->catches,
                   "look at so many catches of each, to tell which rules all of them exercise")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--json", arguments->json, "write the catches to that file, too");
  command->callback([arguments, &context] { context.status = selftest(*arguments); });
}

}  // namespace dmlcts
