#include "conformance/command/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "bench/run.h"
#include "conformance/language/case_string.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "conformance/run/lane/kept_worker.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/runner.h"

namespace dmlcts {
namespace {

struct BenchArguments {
  bench::Set set = bench::Set::Quick;
  std::vector<std::string> patterns;
  std::string cases;
  TargetOptions target;
  bench::MeasureOptions measure;
  bench::BenchmarkOptions run;
  uint64_t copyMiB = 256;
  uint64_t cacheMiB = 128;
  bool overwrite = false;
  bool list = false;
  bool quiet = false;
};

std::string nameOf(const bench::Work& work, const bench::MeasureOptions& options) {
  return options.caches == bench::Caches::Hot ? bench::hotName(work, options) : work.name;
}

// Names each benchmark by its case string.
std::vector<bench::Work> worksOf(const std::string& cases) {
  std::vector<bench::Work> works;
  const auto check = [](const Case& testCase) {
    if (testCase.expect == Expect::Execute) return whyNotRunnable(testCase);
    return std::optional<std::string>("cannot be measured: it does not execute");
  };
  for (Case& each : readCases(cases, check)) {
    works.push_back({caseString(each), std::move(each)});
  }
  return works;
}

std::vector<bench::Work> chosenWorks(const BenchArguments& arguments) {
  std::vector<bench::Work> works =
      arguments.cases.empty() ? bench::works(arguments.set) : worksOf(arguments.cases);
  if (arguments.patterns.empty()) return works;
  const auto matches = [&](const bench::Work& work, const std::string& pattern) {
    return bench::matches(work.name, pattern) ||
           bench::matches(nameOf(work, arguments.measure), pattern);
  };
  for (const std::string& pattern : arguments.patterns) {
    if (std::ranges::any_of(works, [&](const auto& work) { return matches(work, pattern); }))
      continue;
    throw UsageError(
        fmt::format("no benchmark of this set matches \"{}\"; --list names them", pattern));
  }
  std::erase_if(works, [&](const bench::Work& work) {
    return std::ranges::none_of(arguments.patterns,
                                [&](const auto& pattern) { return matches(work, pattern); });
  });
  return works;
}

// Returns the exit status.
int benchmark(const bench::MeasureOptions& measure, std::vector<bench::Work> works,
              const bench::BenchmarkOptions& options) {
  std::optional<bench::Measurer> measurer;
  try {
    measurer.emplace(measure, std::move(works));
  } catch (const WorkerStartError&) {
    if (!Interruption::flag()) throw;
    fmt::print("\nstopped: told to stop before the first benchmark\n");
    return interruptedStatus();
  }
  const bench::BenchmarksEnd end = bench::runBenchmarks(*measurer, options);
  if (end.stopped) return interruptedStatus();
  return end.failures > 0 ? kConformanceFailure : kAsExpected;
}

}  // namespace

void addBenchCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("bench", "Measure a target against the copy speed of its device");
  command->footer(
      "Examples:\n"
      "  dmlcts bench gather --json before.json\n"
      "  dmlcts report bench before.json after.json");
  auto arguments = std::make_shared<BenchArguments>();
  command->add_option(
      "names", arguments->patterns,
      "only benchmarks whose name contains one of these texts (* stands for anything)");
  auto* set =
      named(*command, "--set", arguments->set,
            {{"quick", bench::Set::Quick},
             {"full", bench::Set::Full},
             {"goals", bench::Set::Goals},
             {"large", bench::Set::Large}},
            "quick: small sizes; full: every sweep; goals: the goals' sizes; large: beyond 4 GiB");
  addCasesOption(*command, arguments->cases)->excludes(set);
  addTargetOptions(*command, arguments->target);
  withDefault(*command, "--repetitions", arguments->measure.repetitions,
              "measured executions of each benchmark", CLI::Range(1, 10000));
  typed(*command, "FILE", "--json", arguments->run.json,
        "write the times to this file, as Google Benchmark's JSON");
  command->add_flag("--overwrite", arguments->overwrite, "replace that file");
  withDefault(*command, "--copy-mib", arguments->copyMiB,
              "size in MiB of the copy whose speed is the ceiling", CLI::Range(1, 1024));
  auto* cold = command->add_flag_callback(
      "--cold", [arguments] { arguments->measure.caches = bench::Caches::Cold; },
      "flush the device's caches before each execution; without --cold and --hot, only for tensors "
      "smaller than twice --cache-mib");
  command
      ->add_flag_callback(
          "--hot", [arguments] { arguments->measure.caches = bench::Caches::Hot; },
          "never flush the caches; the names of benchmarks that it may change end in /hot")
      ->excludes(cold);
  withDefault(*command, "--cache-mib", arguments->cacheMiB,
              "MiB to copy in order to flush the caches; more than they hold", CLI::Range(1, 1024));
  addSecondsOption(*command, "--timeout", arguments->measure.timeout,
                   "longest time for one benchmark");
  command->add_flag("--list", arguments->list, "print the names and exit");
  command->add_flag("--quiet,-q", arguments->quiet, "no progress line");
  command->add_flag("--verbose,-v", arguments->run.verbose, "also print where the time went");
  command->callback([arguments, &context] {
    bench::MeasureOptions& measure = arguments->measure;
    measure.cacheBytes = arguments->cacheMiB << 20;
    std::vector<bench::Work> works = chosenWorks(*arguments);
    if (arguments->list) {
      for (const bench::Work& work : works) fmt::print("{}\n", nameOf(work, measure));
      return;
    }
    measure.command = workerCommand(arguments->target);
    measure.required = arguments->target.required;
    if (arguments->target.startTimeout || measure.timeout != bench::MeasureOptions().timeout) {
      measure.startTimeout = arguments->target.startTimeout.value_or(measure.timeout);
    }
    measure.copyBytes = arguments->copyMiB << 20;
    requireFile(arguments->run.json, "--json", arguments->overwrite);
    arguments->run.commandLine = context.commandLine;
    arguments->run.showProgress = !arguments->quiet && stderrIsTerminal();
    const Interruption interruption;
    measure.cancel = &Interruption::flag();
    context.status = benchmark(measure, std::move(works), arguments->run);
  });
}

}  // namespace dmlcts
