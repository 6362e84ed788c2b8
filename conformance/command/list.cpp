#include <fmt/format.h>

#include <memory>

#include "conformance/cases/tiers.h"
#include "conformance/command/commands.h"
#include "conformance/run/lane.h"
#include "conformance/run/required_target.h"
#include "conformance/run/schedule.h"
#include "reference/rules.h"
#include "reports/text/escape.h"

// What there is: targets, cases, families and rules.

namespace dmlcts {

void addTargetsCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("targets", "What can be tested, and which adapter answers here");
  auto options = std::make_shared<TargetOptions>();
  auto all = std::make_shared<bool>(false);
  addTargetOptions(*command, *options);
  command->add_flag("--all", *all, "list the deliberately wrong targets as well");
  command->callback([options, all, &context] {
    for (const TargetInfo& target : knownTargets()) {
      const bool mutant = target.name.starts_with("mutant:");
      if (!mutant || *all) fmt::print("{:<40} {}\n", target.name, target.description);
    }
    if (!*all) fmt::print("{:<40} {}\n", "mutant:NAME", "deliberately wrong; --all lists them");

    Lane lane({.command = workerCommand(*options), .required = options->required});
    const gpu::Identity& identity = lane.identity();
    fmt::print("\n{} answers, by the keys of --require:\n", plainLine(identity.target));
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
    context.status = kAsExpected;
  });
}

void addListCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("list", "The cases of a tier, one case string a line");
  auto schedule = std::make_shared<ScheduleOptions>();
  auto counts = std::make_shared<bool>(false);
  auto ledger = std::make_shared<bool>(false);
  auto ways = std::make_shared<bool>(false);
  command->add_option("queries", schedule->queries, "which cases; all when left out");
  command->add_option("--tier", schedule->tier, "smoke, default, large or huge")
      ->capture_default_str();
  command->add_option("--level", schedule->level, "only this feature level, or a pattern like 4.*");
  command->add_flag("--families", *counts, "count cases by family instead");
  command->add_flag("--rules", *ledger, "print the ledger of rules instead");
  command->add_flag("--ways", *ways, "print the ways of --via, and who takes them, instead");
  command->callback([schedule, counts, ledger, ways, &context] {
    context.status = kAsExpected;
    if (*ways) {
      fmt::print("{}", wayTable());
      return;
    }
    if (*ledger) {
      for (const Rule& rule : rules()) {
        fmt::print("{}\n  {}\n  levels {} to {}; {}: {}\n", rule.id, rule.wording, name(rule.from),
                   name(rule.through), name(rule.standing), rule.source);
        if (!rule.note.empty()) fmt::print("  note: {}\n", rule.note);
      }
      return;
    }
    const Schedule made = makeSchedule(*schedule);
    if (!*counts) {
      for (const ScheduledCase& each : made.cases) fmt::print("{}\n", each.text);
      return;
    }
    for (const Family& family : families()) {
      uint64_t executed = 0;
      uint64_t rejected = 0;
      for (const ScheduledCase& each : made.cases) {
        if (each.testCase.family != family.name) continue;
        (each.testCase.expect == Expect::Execute ? executed : rejected) += 1;
      }
      if (executed + rejected == 0) continue;
      fmt::print("{:<20} {:>7} executed {:>7} rejected  {}\n", family.name, executed, rejected,
                 family.covers);
    }
    fmt::print("{} cases, plan {}\n", made.cases.size(), made.hash);
  });
}

void addWorkerCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand(
      "worker", "Host \"reference\" or a \"mutant:NAME\" on stdin and stdout, for a harness");
  auto target = std::make_shared<std::string>();
  command->add_option("target", *target)->required();
  command->callback([target, &context] {
    context.status = serveOracleTarget(*target, gpu::takeStandardStreams());
  });
}

}  // namespace dmlcts
