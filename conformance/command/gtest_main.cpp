// The suite as a GoogleTest binary: one test per family and matrix cell (operator, level, data
// type, rank), over the same cases and the same pipeline as `dmlcts run`. GoogleTest's own flags
// filter, repeat and shard it:
//
//   dmlcts-gtest --tier default --target d3d12 --gtest_filter='matrix.gather_nd_level_3_0_*'

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <map>

#include "conformance/cases/case_string.h"
#include "conformance/command/options.h"
#include "conformance/run/lane.h"
#include "conformance/run/schedule.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

struct Suite {
  Schedule schedule;
  std::optional<Lane> lane;
  std::string replayArguments;
};

Suite& suite() {
  static Suite instance;
  return instance;
}

// All cases of one family and cell.
class CellTest : public testing::Test {
 public:
  explicit CellTest(std::vector<size_t> indices) : indices_(std::move(indices)) {}

  void TestBody() override {
    size_t at = 0;
    const auto next = [&]() -> std::optional<size_t> {
      return at < indices_.size() ? std::optional(indices_[at++]) : std::nullopt;
    };
    uint64_t notSupported = 0;
    int arguable = 0;
    std::string reason;
    suite().lane->run(suite().schedule.cases, next, [&](const CaseOutcome& outcome) {
      const Judgement& judgement = outcome.judgement;
      if (judgement.verdict == Verdict::Pass || judgement.verdict == Verdict::NotAsked) return;
      if (judgement.verdict == Verdict::Arguable) {
        ++arguable;
        return;
      }
      if (judgement.verdict == Verdict::NotSupported) {
        ++notSupported;
        reason = judgement.message;
        return;
      }
      std::string differences;
      for (const std::string& line : judgement.differences)
        differences += "  " + plainLine(line) + "\n";
      ADD_FAILURE() << name(judgement.verdict) << ": " << plainLine(judgement.message) << "\n"
                    << differences
                    << replayLine(suite().replayArguments,
                                  suite().schedule.cases[outcome.index].text);
    });
    if (arguable > 0) {
      RecordProperty("arguable", arguable);
      fmt::print("{} cases are arguable: they break a rule that no page states\n", arguable);
    }
    if (notSupported == indices_.size()) GTEST_SKIP() << "not supported: " << plainLine(reason);
  }

 private:
  std::vector<size_t> indices_;
};

std::string cellName(const Case& testCase) {
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  std::string level(name(testCase.level));
  std::ranges::replace(level, '.', '_');
  return fmt::format("{}_level_{}_{}_rank_{}", operatorName(testCase.descriptor), level,
                     info(input.type).name, input.sizes.size());
}

std::string suiteName(std::string_view family) {
  std::string text(family);
  std::ranges::replace(text, '-', '_');
  return text;
}

void registerCells() {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> cells;
  const auto& cases = suite().schedule.cases;
  for (size_t i = 0; i < cases.size(); ++i) {
    cells[{suiteName(cases[i].testCase.family), cellName(cases[i].testCase)}].push_back(i);
  }
  for (const auto& [key, indices] : cells) {
    testing::RegisterTest(key.first.c_str(), key.second.c_str(), nullptr, nullptr, __FILE__,
                          __LINE__,
                          [indices]() -> testing::Test* { return new CellTest(indices); });
  }
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);  // takes its own flags out
  CLI::App app("The conformance suite as GoogleTest tests.", "dmlcts-gtest");
  ScheduleOptions schedule;
  TargetOptions target;
  app.add_option("queries", schedule.queries, "which cases; all when left out");
  app.add_option("--tier", schedule.tier, "smoke, default, large or huge")->capture_default_str();
  addTargetOptions(app, target);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "dmlcts-gtest: {}\n", error.what());
    return 2;
  }
  suite().schedule = makeSchedule(schedule);
  registerCells();
  LaneOptions options;
  options.command = workerCommand(target);
  options.required = target.required;
  options.law = lawFor(target);
  suite().replayArguments = replayArguments(target, "", options.timeout, 1);
  if (!testing::GTEST_FLAG(list_tests)) suite().lane.emplace(options);
  const int status = RUN_ALL_TESTS();
  suite().lane.reset();
  return status;
}

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  try {
    return dmlcts::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "dmlcts-gtest: {}\n", dmlcts::plainText(error.what()));
    return dynamic_cast<const std::invalid_argument*>(&error) ||
                   dynamic_cast<const dmlcts::SyntaxError*>(&error)
               ? 2
               : 3;
  }
}
