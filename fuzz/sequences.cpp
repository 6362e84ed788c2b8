#include "fuzz/sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "conformance/cases/case_string.h"
#include "conformance/run/attempts.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations.h"
#include "conformance/run/program_model.h"
#include "conformance/run/program_reproducer.h"
#include "conformance/run/runner.h"
#include "dmlcts_version.h"
#include "fuzz/database.h"
#include "fuzz/sequence_generator.h"
#include "fuzz/sequence_journal.h"
#include "fuzz/sequence_shrink.h"
#include "fuzz/statistics.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using gpu::CallKind;

constexpr int kBudget = 1200;    // programs sent to shrink one failure
constexpr int kSlowBudget = 60;  // if each costs a worker or a deadline
constexpr std::string_view kSuffix = ".sequence";
constexpr std::string_view kTarget = "# target: ";

std::string spread(std::vector<size_t> numbers) {
  if (numbers.empty()) return "none";
  std::ranges::sort(numbers);
  return fmt::format("{} … {}, median {}", numbers.front(), numbers.back(),
                     numbers[numbers.size() / 2]);
}

// Formats a finding as a file for `dmlcts replay`.
std::string fileText(const SequenceFinding& finding, const std::string& target) {
  std::string text = fmt::format(
      "# dmlcts fuzz --sequences: an example of a failure\n{}{}\n# failed: {} {}\n# found as: {}\n",
      kTarget, plainLine(target), name(finding.judgement.verdict),
      plainLine(finding.judgement.message), finding.foundAs);
  for (const std::string& line : programLines(finding.program)) text += line + "\n";
  return text;
}

struct SequenceExample {
  fs::path file;
  std::string target;
  Program program;
};

std::vector<SequenceExample> readExamples(const fs::path& folder,
                                          std::vector<std::string>& problems) {
  std::vector<SequenceExample> examples;
  if (folder.empty() || !fs::exists(folder)) return examples;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == kSuffix) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    try {
      std::istringstream text(readInput(file));
      SequenceExample example{file, "", parseProgram(text.str())};
      if (std::string problem = whyInvalid(example.program); !problem.empty()) {
        throw std::runtime_error(problem);
      }
      for (std::string line; std::getline(text, line);) {
        if (line.starts_with(kTarget)) example.target = line.substr(kTarget.size());
      }
      examples.push_back(std::move(example));
    } catch (const std::exception& error) {
      problems.push_back(fmt::format("skipped an example: {}: {}", file.string(), error.what()));
    }
  }
  return examples;
}

class Campaign {
 public:
  explicit Campaign(const FuzzOptions& options) : options_(options), lane_(options.target) {
    if (!options_.expectations.empty()) {
      expectations_ =
          Expectations::read(options_.expectations, lane_.identity(), timestamp().substr(0, 10));
      result_.warnings = expectations_.warnings();
    }
    result_.target = lane_.identity().target;
    const bool any = fs::exists(options_.folder) && !fs::is_empty(options_.folder);
    if (any && !options_.overwrite &&
        !(options_.resume && fs::exists(options_.folder / kSequenceJournal))) {
      throw UsageError(options_.folder.string() + " holds a run; --overwrite replaces it");
    }
    folder_.emplace(options_.folder);
    journal_.emplace(*folder_, facts(), options_.resume);
    if (!options_.resume) folder_->removeFolder("bundles");
    result_.statistics.before = journal_->programs();
    result_.statistics.totals = journal_->totals();
    result_.foundBefore = journal_->found().size();
    for (const SequenceJournal::Found& each : journal_->found()) kinds_.insert(each.kind);
  }

  SequenceFuzzResult run() {
    try {
      if (given() == 0) replayExamples();
      while (!over()) runOne(given());
    } catch (const WorkerStartError& error) {
      if (given() == 0) throw;
      result_.stopped = error.what();
    }
    journal_->count(given(), result_.statistics.totals, true);
    if (cancelled()) result_.stopped = "told to stop";
    result_.statistics.seconds = seconds();
    const Totals& totals = result_.statistics.totals;
    if (!totals[Verdict::Pass] && totals.failures() == 0) {
      result_.warnings.emplace_back("no program was executed");
    }
    if (result_.statistics.unhealthy()) {
      result_.warnings.emplace_back("health check: fewer executions than programs");
    }
    std::string text = result_.statistics.text();
    for (const SequenceJournal::Found& each : journal_->found()) {
      const fs::path report = options_.folder / "bundles" / each.name / "finding.txt";
      text += "\n" + (fs::exists(report) ? readInput(report) : "");
    }
    for (const SequenceFinding& finding : result_.findings) {
      text += "\n" + describe(finding, options_.replayArguments);
    }
    folder_->replace({textFile("sequences.txt", text)});
    return std::move(result_);
  }

 private:
  bool cancelled() const { return options_.target.cancel && *options_.target.cancel; }
  double seconds() const {
    return std::chrono::duration<double>(options_.clock() - start_).count();
  }
  bool timeIsUp() const {
    return cancelled() || (options_.seconds > 0 && seconds() >= options_.seconds);
  }

  SequenceJournal::Facts facts() {
    const gpu::Identity& identity = lane_.identity();
    return {{"suite", fmt::format("{} {}", kSuiteVersion, kSuiteCommit)},
            {"seed", std::to_string(options_.seed)},
            {"specification",
             options_.target.strictness == Strictness::Strict ? "strict" : "documents"},
            {"target", plainLine(identity.target)},
            {"adapter", plainLine(identity.adapter)},
            {"driver", plainLine(identity.driver)},
            {"runtime", plainLine(identity.runtime)},
            {"implementation", plainLine(identity.implementation)},
            {"shaderModel", plainLine(identity.shaderModel)},
            {"kernelVariant", plainLine(identity.kernelVariant)}};
  }

  // Programs of all sessions; also the index of the next one.
  uint64_t given() const { return result_.statistics.before + result_.statistics.programs; }

  bool over() const {
    return timeIsUp() || (options_.cases && given() >= options_.cases) ||
           (options_.stopAfter &&
            result_.foundBefore + result_.findings.size() >= options_.stopAfter);
  }

  // Tests a program. Known failures are Waived; programs that must not be sent are Skipped.
  Judgement test(const Program& program) {
    for (const Case& testCase : program.operators) {
      if (auto why = expectations_.whySkipped(testCase)) return {Verdict::Skipped, *why, {}};
    }
    Judgement judgement = lane_.tryProgram(program);
    judgement.verdict =
        expectations_.apply(program, judgement.verdict, judgement.kinds, judgement.message);
    return judgement;
  }

  void replayExamples() {
    for (const SequenceExample& example : readExamples(options_.database, result_.warnings)) {
      ++result_.examples;
      const Judgement judgement = test(example.program);
      count(judgement.verdict);
      if (isFinding(judgement)) {
        ++result_.examplesFailing;
        known_.insert(programText(example.program));
      } else if (options_.prune && judgement.verdict == Verdict::Pass &&
                 example.target == plainLine(result_.target)) {
        Folder(options_.database).remove(example.file.filename());
      }
    }
  }

  void count(Verdict verdict) { ++result_.statistics.totals[verdict]; }

  void runOne(uint64_t index) {
    const DrawnProgram drawn = fuzzProgram(options_.seed, index, lane_.identity().maxLevel);
    const Judgement judgement = test(drawn.program);
    // An interrupted test says nothing about the target.
    if (cancelled()) return;
    countCalls(drawn);
    count(judgement.verdict);
    const bool isNew = isFinding(judgement) && kinds_.size() < options_.mostFindings &&
                       kinds_.insert(failureKind(judgement)).second;
    // If killed while shrinking, a resumed run finds it again.
    if (isNew) {
      investigate({drawn.program, judgement,
                   fmt::format("program {} of seed {}", index, options_.seed),
                   drawn.program.calls.size()});
    }
    journal_->count(given(), result_.statistics.totals, isFinding(judgement));
  }

  void countCalls(const DrawnProgram& drawn) {
    SequenceStatistics& statistics = result_.statistics;
    ++statistics.programs;
    statistics.drawn += drawn.drawn;
    statistics.refused += drawn.refused;
    statistics.executions += drawn.executions;
    statistics.lengths.push_back(drawn.program.calls.size());
    statistics.alive.push_back(drawn.mostAlive);
    bool first = false;
    bool second = false;
    bool pressed = false;
    for (const gpu::SequenceCall& call : drawn.program.calls) {
      ++statistics.calls[static_cast<size_t>(call.kind)];
      if (call.kind == CallKind::Execute) (call.queue ? second : first) = true;
      pressed = pressed || (call.kind == CallKind::Memory && call.bytes > 0);
    }
    statistics.twoQueues += first && second ? 1 : 0;
    statistics.underPressure += pressed ? 1 : 0;
  }

  void investigate(SequenceFinding finding) {
    const std::string kind = failureKind(finding.judgement);
    const auto fails = [&](const Program& program) {
      ++result_.statistics.tries;
      const Judgement judgement = test(program);
      if (failureKind(judgement) != kind) return false;
      finding.judgement = judgement;
      return true;
    };
    const Verdict verdict = finding.judgement.verdict;
    finding.confirmed = fails(finding.program) || fails(finding.program) || cancelled();
    if (finding.confirmed) {
      const bool slow = verdict != Verdict::Fail;
      const auto stillFails = [&](const Program& program) { return !timeIsUp() && fails(program); };
      ShrunkProgram shrunk = shrink(finding.program, stillFails, slow ? kSlowBudget : kBudget);
      finding.program = std::move(shrunk.smallest);
      finding.steps = shrunk.steps;
      finding.tries = shrunk.tries;
      fails(finding.program);
    }
    if (!finding.confirmed) {
      --result_.statistics.totals[verdict];
      finding.judgement = flaky("once", finding.judgement);
      count(finding.judgement.verdict);
    }
    keep(std::move(finding), kind);
  }

  void keep(SequenceFinding finding, const std::string& kind) {
    const std::string text = programText(finding.program);
    if (known_.contains(text)) return;
    const std::string name = fmt::format("sequence-{:016x}", stableHash(result_.target + text));
    const std::string file = fileText(finding, result_.target);
    if (!options_.database.empty()) {
      Folder(options_.database).replace({textFile(name + std::string(kSuffix), file)});
    }
    const std::string report = describe(finding, options_.replayArguments);
    std::vector<NewFile> files{textFile("program" + std::string(kSuffix), file),
                               textFile("finding.txt", report)};
    try {
      files.push_back(textFile("reproducer.cpp", reproducer(finding.program)));
    } catch (const std::invalid_argument&) {
      // No reproducer possible: conformance/run/program_reproducer.h.
    }
    const std::string bundle = "bundles/" + name;
    folder_->replaceFolder(bundle, files);
    journal_->find({name, kind});
    result_.findings.push_back(std::move(finding));
    if (options_.say) {
      options_.say(fmt::format("{}. {}  bundle    {}\n",
                               result_.foundBefore + result_.findings.size(), report,
                               (folder_->path() / bundle).string()));
    }
  }

  const FuzzOptions& options_;
  Lane lane_;
  Expectations expectations_;
  std::optional<Folder> folder_;
  std::optional<SequenceJournal> journal_;
  Clock::time_point start_ = options_.clock();
  SequenceFuzzResult result_;
  std::unordered_set<std::string> kinds_;  // kinds of failure that were investigated
  std::unordered_set<std::string> known_;  // database programs that fail
};

}  // namespace

std::string SequenceStatistics::text() const {
  std::string out = before ? fmt::format("{} programs before this session\n", before) : "";
  out += fmt::format("{} programs in {:.1f} s: {:.0f} programs/s; {} more to shrink\n", programs,
                     seconds, seconds > 0 ? static_cast<double>(programs) / seconds : 0, tries);
  out += fmt::format("{} executions with defined outputs; refused {:.1f} % of {} calls drawn\n",
                     executions, percent(refused, drawn), drawn);
  for (Verdict verdict : kVerdicts) {
    if (totals[verdict]) out += fmt::format("{:>10} {}\n", totals[verdict], name(verdict));
  }
  uint64_t all = 0;
  for (uint64_t number : calls) all += number;
  std::string line;
  for (size_t i = 0; i < calls.size(); ++i) {
    line += fmt::format("{}{} {:.1f} %", line.empty() ? "" : ", ", gpu::kCallNames[i],
                        percent(calls[i], all));
  }
  out += fmt::format("calls           {} of {}\n", line, all);
  out += fmt::format("length          {} calls\n", spread(lengths));
  out += fmt::format("operators alive {}\n", spread(alive));
  out += fmt::format("both queues     {:.1f} % of programs; memory held in {:.1f} %\n",
                     percent(twoQueues, programs), percent(underPressure, programs));
  return out;
}

SequenceFuzzResult fuzzSequences(const FuzzOptions& options) { return Campaign(options).run(); }

std::string describe(const SequenceFinding& finding, const std::string& arguments) {
  std::string text = fmt::format("{}: {}\n", name(finding.judgement.verdict),
                                 plainLine(finding.judgement.message));
  text += fmt::format("  found as  {}, {} calls\n", finding.foundAs, finding.foundCalls);
  text += fmt::format("  smallest  {} calls ({} steps, {} tries)\n", finding.program.calls.size(),
                      finding.steps, finding.tries);
  for (const std::string& line : programLines(finding.program))
    text += "            " + line + "\n";
  text += fmt::format("  replay    {}\n", replayLine(arguments, programText(finding.program)));
  if (!finding.confirmed) text += "  it did not happen again\n";
  for (const std::string& line : finding.judgement.differences) {
    text += fmt::format("  differs   {}\n", plainLine(line));
  }
  return text;
}

}  // namespace dmlcts
