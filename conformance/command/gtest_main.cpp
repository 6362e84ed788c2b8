// `dmlcts run` as a GoogleTest binary: it takes the same arguments and runs the same cases at the
// start of each iteration. It prints the same summary and ends with the same status. One test per
// family and matrix cell (operator, level, data type, rank) then reports its cases' verdicts. The
// last test reports on the whole run. GoogleTest's own flags filter, repeat and shard them:
//
//   dmlcts-gtest --tier default --target d3d12 --gtest_filter='matrix.gather_nd_level_3_0_*'

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <unordered_map>

#include "conformance/command/commands.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using Cells = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

constexpr const char* kRun = "run";
constexpr const char* kFolder = "gtest-report";

struct Outcome {
  Report report;
  std::unordered_map<std::string_view, const JournalEntry*> entries;  // by case string
};

class CellTest : public testing::Test {
 public:
  CellTest(const Outcome& outcome, const std::vector<std::string>& cases)
      : outcome_(outcome), cases_(cases) {}

  void TestBody() override {
    int arguable = 0;
    size_t unasked = 0;
    std::string why;
    for (const std::string& text : cases_) {
      const auto found = outcome_.entries.find(text);
      if (found == outcome_.entries.end()) {
        ADD_FAILURE() << "no verdict: " << text;
        continue;
      }
      const JournalEntry& entry = *found->second;
      arguable += entry.verdict == Verdict::Arguable ? 1 : 0;
      if (entry.verdict == Verdict::NotAsked || entry.verdict == Verdict::Skipped) {
        ++unasked;
        why = entry.message;
      }
      if (failsRun(entry.verdict) || entry.verdict == Verdict::InternalError) fail(entry);
    }
    if (arguable > 0) RecordProperty("arguable", arguable);
    if (unasked == cases_.size()) GTEST_SKIP() << plainLine(why);
  }

 private:
  void fail(const JournalEntry& entry) const {
    std::string differences;
    for (const Difference& each : entry.differences)
      differences += "  " + plainLine(each.text()) + "\n";
    ADD_FAILURE() << name(entry.verdict) << ": " << plainLine(entry.message) << "\n"
                  << differences << replayCommand(outcome_.report, entry);
  }

  const Outcome& outcome_;
  const std::vector<std::string>& cases_;
};

// Reports worker failures and gaps, which belong to no case.
class WholeTest : public testing::Test {
 public:
  explicit WholeTest(const Outcome& outcome) : outcome_(outcome) {}

  void TestBody() override {
    for (const JournalWorkerFailure& workerFailure : outcome_.report.workerFailures) {
      ADD_FAILURE() << name(workerFailure.verdict) << " " << plainLine(workerFailure.when) << ": "
                    << plainLine(workerFailure.message);
    }
    const std::string shortfall = shortfallOf(outcome_.report);
    EXPECT_TRUE(shortfall.empty()) << shortfall;
  }

 private:
  const Outcome& outcome_;
};

Cells cellsOf(const Schedule& schedule) {
  Cells cells;
  for (const ScheduledCase& each : schedule.cases) {
    const Case& testCase = each.testCase;
    const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
    std::string family(testCase.family);
    std::string level(name(testCase.level));
    std::ranges::replace(family, '-', '_');
    std::ranges::replace(level, '.', '_');
    cells[{family, fmt::format("{}_level_{}_{}_rank_{}", operatorName(testCase.descriptor), level,
                               info(input.type).name, input.sizes.size())}]
        .push_back(each.text);
  }
  return cells;
}

class Runner : public testing::EmptyTestEventListener {
 public:
  Runner(RunArguments& arguments, CommandContext& context, const Cells& cells, Outcome& outcome)
      : arguments_(arguments), context_(context), cells_(cells), outcome_(outcome) {}

  void OnTestIterationStart(const testing::UnitTest& unit, int iteration) override try {
    const auto chosen = chosenBy(unit);
    RunOptions& run = arguments_.options;
    const bool all = chosen.size() == cells_.size();
    const char* shard = std::getenv("GTEST_SHARD_INDEX");
    if (chosen.empty() && shard) return;  // more shards than tests
    if (chosen.empty()) throw UsageError("--gtest_filter leaves no case");
    if (!all) {
      run.schedule.only.emplace();
      for (const auto* cases : chosen) run.schedule.only->insert(cases->begin(), cases->end());
      run.chosenBy = "--gtest_filter=" + GTEST_FLAG_GET(filter) +
                     (shard ? fmt::format(" GTEST_SHARD_INDEX={}", shard) : "");
    }
    if (iteration > 0) {
      run.resume = false;
      run.overwrite = true;
    }
    outcome_.entries.clear();
    outcome_.report = conductRun(arguments_, context_).report;
    for (const JournalEntry& entry : outcome_.report.cases) {
      outcome_.entries.emplace(entry.caseString, &entry);
    }
    if (status_ == kAsExpected) status_ = context_.status;
  } catch (...) {
    error_ = std::current_exception();
  }

  // Returns the status of all iterations; `tests` is GoogleTest's. Rethrows an error that kept
  // cases from running.
  int status(int tests) const {
    if (error_) std::rethrow_exception(error_);
    return status_ == kAsExpected ? tests : status_;
  }

 private:
  std::vector<const std::vector<std::string>*> chosenBy(const testing::UnitTest& unit) const {
    std::vector<const std::vector<std::string>*> chosen;
    for (int i = 0; i < unit.total_test_suite_count(); ++i) {
      const testing::TestSuite& suite = *unit.GetTestSuite(i);
      for (int j = 0; j < suite.total_test_count(); ++j) {
        const testing::TestInfo& test = *suite.GetTestInfo(j);
        const auto cell = cells_.find({suite.name(), test.name()});
        if (test.should_run() && cell != cells_.end()) chosen.push_back(&cell->second);
      }
    }
    return chosen;
  }

  RunArguments& arguments_;
  CommandContext& context_;
  const Cells& cells_;
  Outcome& outcome_;
  std::exception_ptr error_;
  int status_ = kAsExpected;
};

int runTests(RunArguments& arguments, CommandContext& context) {
  const Cells cells = cellsOf(chooseCases(arguments.options.schedule));
  Outcome outcome;
  for (const auto& [key, cases] : cells) {
    testing::RegisterTest(key.first.c_str(), key.second.c_str(), nullptr, nullptr, __FILE__,
                          __LINE__,
                          [&]() -> testing::Test* { return new CellTest(outcome, cases); });
  }
  testing::RegisterTest(kRun, "whole", nullptr, nullptr, __FILE__, __LINE__,
                        [&]() -> testing::Test* { return new WholeTest(outcome); });
  auto* runner = new Runner(arguments, context, cells, outcome);  // GoogleTest deletes it
  testing::UnitTest::GetInstance()->listeners().Append(runner);
  const int tests = RUN_ALL_TESTS();
  return runner->status(tests);
}

int run(int argc, char** argv) {
  CommandContext context = contextOf("dmlcts-gtest", {argv, static_cast<size_t>(argc)});
  testing::InitGoogleTest(&argc, argv);  // removes GoogleTest's own flags
  CLI::App app("`dmlcts run` as GoogleTest tests.", "dmlcts-gtest");
  RunArguments arguments;
  addRunArguments(app, arguments);
  arguments.folder = kFolder;
  addWorkerCommand(app, context);  // workerCommand() starts this program, too
  app.callback([&] {
    if (!app.get_subcommands().empty()) return;
    RunOptions& options = arguments.options;
    // GoogleTest shards by itself, and test farms rerun it without --overwrite.
    if (arguments.shard.empty()) arguments.shard = "1/1";
    options.overwrite = options.overwrite || (arguments.folder == kFolder && !options.resume);
    completeRun(arguments);
    context.status = runTests(arguments, context);
  });
  return runApplication(app, argc, argv, context);
}

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  dmlcts::prepareStandardStreams();
  return dmlcts::run(argc, argv);
}
