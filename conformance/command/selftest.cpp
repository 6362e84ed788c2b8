#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "conformance/cases/query.h"
#include "conformance/cases/rules_of.h"
#include "conformance/command/commands.h"
#include "conformance/environment.h"
#include "conformance/lane.h"
#include "conformance/runner.h"

// `dmlcts selftest`: whether the suite catches deliberately wrong implementations.

namespace dmlcts {
namespace {

struct SelftestArguments {
  PlanOptions plan;
  std::string pattern = "*";
  uint32_t jobs = 1;
  std::chrono::milliseconds timeout{20000};
  double atLeast = 100;  // percent
  size_t catches = 1;
  std::string json;
};

struct Catch {
  std::string target;
  bool caught = false;
  size_t casesTaken = 0;  // until the first case that caught it, that one counted
  std::string family;
  std::string rules;
  std::string caseText;
  std::string how;                          // verdict and message
  size_t catches = 0;                       // that were looked at
  std::vector<std::string_view> onlyRules;  // that every one of them exercises
};

// Runs the plan against one target until so many cases catch it.
Catch hunt(const std::string& target, const RunPlan& plan, std::chrono::milliseconds timeout,
           size_t catches) {
  Catch result;
  result.target = target;
  LaneOptions options;
  options.command = workerCommand({.target = target});
  options.timeout = timeout;
  Lane lane(options);
  lane.identity();
  size_t at = 0;
  const auto next = [&]() -> std::optional<size_t> {
    return at < plan.cases.size() ? std::optional(at++) : std::nullopt;
  };
  const auto sink = [&](const CaseOutcome& outcome) {
    const Verdict verdict = outcome.judgement.verdict;
    if (verdict == Verdict::Pass || verdict == Verdict::NotSupported ||
        verdict == Verdict::Vacuous) {
      return;
    }
    const PlannedCase& planned = plan.cases[outcome.index];
    const auto rules = rulesOf(planned.testCase);
    if (++result.catches >= catches) lane.stop();
    if (result.caught) {
      std::erase_if(result.onlyRules, [&rules](std::string_view rule) {
        return std::ranges::find(rules, rule) == rules.end();
      });
      return;
    }
    result.caught = true;
    result.onlyRules.assign(rules.begin(), rules.end());
    result.casesTaken = outcome.index + 1;
    result.family = planned.testCase.family;
    result.rules = fmt::format("{}", fmt::join(rules, " "));
    result.caseText = planned.text;
    result.how = fmt::format("{}: {}", name(verdict), outcome.judgement.message);
  };
  lane.run(plan.cases, next, sink);
  return result;
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
                    {"catches", each.catches},
                    {"onlyRules", fmt::format("{}", fmt::join(each.onlyRules, " "))}});
  }
  std::ofstream stream(file);
  stream << nlohmann::ordered_json{{"version", 1}, {"tier", tier}, {"mutants", list}}.dump(1)
         << "\n";
  stream.close();
  if (!stream) throw std::runtime_error(file + ": cannot be written");
}

int selftest(const SelftestArguments& arguments) {
  requireFile(pathOf(arguments.json), "--json");
  const RunPlan plan = makePlan(arguments.plan);
  std::vector<std::string> targets;
  for (const TargetInfo& target : knownTargets()) {
    if (target.name.starts_with("mutant:") &&
        matchesPattern(arguments.pattern, target.name.substr(7))) {
      targets.push_back(target.name);
    }
  }
  if (targets.empty()) throw UsageError("no mutant matches " + arguments.pattern);

  std::vector<Catch> catches(targets.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (size_t i = next++; i < targets.size(); i = next++) {
      try {
        catches[i] = hunt(targets[i], plan, arguments.timeout, arguments.catches);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        return;
      }
      const std::lock_guard lock(mutex);
      const Catch& each = catches[i];
      if (each.caught) {
        fmt::print("{:<45} caught by {} after {} cases ({})\n", each.target, each.family,
                   each.casesTaken, each.rules);
      } else {
        fmt::print("{:<45} SURVIVED {} cases\n", each.target, plan.cases.size());
      }
      std::fflush(stdout);
    }
  };
  std::vector<std::thread> helpers;
  for (uint32_t i = 1; i < arguments.jobs; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);

  const auto caught = static_cast<size_t>(std::ranges::count(catches, true, &Catch::caught));
  const double percent = 100.0 * static_cast<double>(caught) / static_cast<double>(catches.size());
  fmt::print("{} of {} mutants caught by the {} tier ({:.1f} %)\n", caught, catches.size(),
             arguments.plan.tier, percent);
  if (!arguments.json.empty()) writeJson(arguments.json, arguments.plan.tier, catches);
  return percent >= arguments.atLeast ? kAsExpected : kConformanceFailure;
}

}  // namespace

void addSelftestCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand(
      "selftest", "Hold deliberately wrong implementations against the suite: each must be caught");
  auto arguments = std::make_shared<SelftestArguments>();
  command->add_option("mutants", arguments->pattern, "which, like 'shader.*' or 'rows-*'")
      ->capture_default_str();
  command->add_option("--tier", arguments->plan.tier, "smoke, default or large")
      ->capture_default_str();
  command->add_option("--jobs,-j", arguments->jobs, "mutants side by side")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  addSecondsOption(*command, "--timeout", arguments->timeout, "seconds that a case may take");
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
