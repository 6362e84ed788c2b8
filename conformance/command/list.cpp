#include <fmt/format.h>

#include <memory>

#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/command/targets/vulkan_drivers.h"
#include "conformance/facts/query.h"
#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "conformance/run/target_identity.h"
#include "conformance/tiers/tiers.h"
#include "reference/counted.h"
#include "reference/rules.h"
#include "reports/text/escape.h"

// Lists targets, cases, families, rules and execution modes.

namespace dmlcts {

namespace {

struct FamilyCount {
  std::string_view name;
  std::string_view covers;
  uint64_t executed = 0;
  uint64_t rejected = 0;
};

// Leaves out families without a case.
std::vector<FamilyCount> countFamilies(const Schedule& schedule) {
  std::vector<FamilyCount> counts;
  const auto add = [&](std::string_view name, std::string_view covers) {
    FamilyCount count{name, covers};
    for (const ScheduledCase& each : schedule.cases) {
      if (each.testCase.family != name) continue;
      (each.testCase.expect == Expect::Execute ? count.executed : count.rejected) += 1;
    }
    if (count.executed + count.rejected > 0) counts.push_back(count);
  };
  for (const Family& family : kFamilies) add(family.name, family.covers);
  add(kGivenFamily, "Cases of --cases, or spelled out as a query.");
  return counts;
}

struct ListArguments {
  ScheduleOptions schedule;
  std::vector<std::string> queries;
  std::string cases;
  bool families = false;
  bool rules = false;
  bool modes = false;
};

void listRules() {
  for (const Rule& rule : rules()) {
    fmt::print("{}\n  {}\n  levels {} to {}; {}: {}\n", rule.id, rule.wording, name(rule.from),
               name(rule.through), name(rule.standing), rule.source);
    if (!rule.note.empty()) fmt::print("  note: {}\n", rule.note);
  }
}

void listFamilies(const Schedule& schedule) {
  for (const auto& [family, covers, executed, rejected] : countFamilies(schedule)) {
    fmt::print("{:<20} {:>7} executed {:>7} rejected  {}\n", family, executed, rejected, covers);
  }
  fmt::print("{}, plan {}\n", counted(schedule.cases.size(), "case"), schedule.hash);
}

void listCases(const Schedule& schedule) {
  for (const ScheduledCase& each : schedule.cases) fmt::print("{}\n", each.text);
}

}  // namespace

void addTargetsCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("targets", "List the targets, and the adapter that answers here");
  auto options = std::make_shared<TargetOptions>();
  auto all = std::make_shared<bool>(false);
  addTargetOptions(*command, *options);
  command->add_flag("--all", *all, "list the deliberately faulty targets as well");
  command->callback([options, all, &context] {
    context.status = kAsExpected;
    LaneOptions asked{.command = workerCommand(*options), .required = options->required};
    setDeadlines(*options, asked);
    for (const TargetInfo& target : knownTargets()) {
      const bool mutant = target.name.starts_with("mutant:");
      if (!mutant || *all) fmt::print("{:<40} {}\n", target.name, target.description);
    }
    if (!*all) fmt::print("{:<40} {}\n", "mutant:NAME", "deliberately faulty; --all lists them");

    Lane lane(asked);
    const gpu::Identity& identity = lane.identity();
    fmt::print("\n{} on this machine; --require takes these keys:\n", plainLine(identity.target));
    for (const auto& [key, value] : identityFacts(identity)) {
      fmt::print("  {:<15} {}\n", plainLine(key), plainLine(value));
    }
    fmt::print("its limits:\n");
    for (const auto& [limit, value] : identity.limits) {
      fmt::print("  {:<15} {}\n", plainLine(limit), plainLine(value));
    }
    if (const std::string adapters = adapterLines(*options); !adapters.empty()) {
      fmt::print("\nadapters, for --adapter:\n{}", indentedText(adapters));
    }
  });
}

void addListCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("list", "Print the cases of a tier, one case string per line");
  auto arguments = std::make_shared<ListArguments>();
  ScheduleOptions& schedule = arguments->schedule;
  addQueries(*command, arguments->queries);
  addCasesOption(*command, arguments->cases)->excludes(addTierOption(*command, schedule.tier));
  command->add_option("--level", schedule.level, "only this feature level, or a pattern like 4.*");
  command->add_flag("--families", arguments->families, "count cases by family instead");
  command->add_flag("--rules", arguments->rules, "print the rules instead");
  command->add_flag("--modes", arguments->modes,
                    "print the execution modes instead, and the targets that have them");
  command->callback([arguments, &context] {
    context.status = kAsExpected;
    if (arguments->modes) {
      fmt::print("{}", modeTable());
    } else if (arguments->rules) {
      listRules();
    } else {
      arguments->schedule.queries = queriesOf(arguments->queries);
      readGiven(arguments->cases, arguments->schedule);
      const Schedule made = chooseCases(arguments->schedule);
      (arguments->families ? listFamilies : listCases)(made);
    }
  });
}

void addWorkerCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("worker", "Be the worker of target reference or mutant:NAME");
  auto target = std::make_shared<std::string>();
  command->add_option("target", *target, "reference or mutant:NAME")->required();
  command->callback([target, &context] {
#ifndef _WIN32
    if (target->starts_with(kVulkanDriver)) tryVulkanDriver(target->substr(kVulkanDriver.size()));
#endif
    context.status = serveOracleTarget(*target, gpu::takeStandardStreams());
  });
}

}  // namespace dmlcts
