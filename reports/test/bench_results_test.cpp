#include "reports/compare/bench_results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <utility>

#include "conformance/test/test_folder.h"
#include "reports/compare/significance.h"
#include "reports/summary/mutants.h"

// Benchmarks side by side, the statistics behind that, and the scores of mutants.

namespace dmlcts {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(MannWhitney, KnownValues) {
  // Exact: of the 20 ways to deal 3 of 6 ranks, one is as low, one as high.
  EXPECT_DOUBLE_EQ(mannWhitney({1, 2, 3}, {4, 5, 6}), 0.1);
  EXPECT_DOUBLE_EQ(mannWhitney({4, 5, 6}, {1, 2, 3}), 0.1);
  // U = 9 for 5 and 6 values: table of Mann and Whitney (1947).
  EXPECT_THAT(mannWhitney({1, 4, 5, 8, 10}, {2, 3, 6, 7, 9, 11}), DoubleNear(0.7922, 1e-4));
  EXPECT_EQ(mannWhitney({}, {1}), 1);
  EXPECT_EQ(mannWhitney({2, 2, 2}, {2, 2}), 1);
}

TEST(MannWhitney, TheApproximationAgreesWithTheExactTest) {
  std::vector<double> a, b;
  for (int i = 0; i < 20; ++i) a.push_back(i + 0.1), b.push_back(1.2 * i + 3.0);
  const double exact = mannWhitney(a, b);
  // One value more than the exact test takes.
  a.push_back(10.05);
  EXPECT_THAT(mannWhitney(a, b), DoubleNear(exact, 0.03));
  EXPECT_LT(exact, 0.2);
}

TEST(MannWhitney, OnlyOrderMatters) {
  EXPECT_EQ(mannWhitney({1, 2, 3}, {4, 5, 60000}), mannWhitney({1, 2, 3}, {4, 5, 6}));
}

TEST(Holm, IsNeitherBonferroniNorNothing) {
  EXPECT_THAT(
      holm({0.01, 0.04, 0.03}),
      ElementsAre(DoubleNear(0.03, 1e-12), DoubleNear(0.06, 1e-12), DoubleNear(0.06, 1e-12)));
  EXPECT_THAT(holm({}), IsEmpty());
  EXPECT_THAT(holm({0.9, 0.9}), ElementsAre(1, 1));
}

TEST(Wording, OfRatios) {
  EXPECT_EQ(speedText(0.4348), "2.3x faster");
  EXPECT_EQ(speedText(1 / 1.05), "1.05x faster");
  EXPECT_EQ(speedText(1.05), "1.05x slower");
  EXPECT_EQ(speedText(12.34), "12.3x slower");
  EXPECT_EQ(speedText(1.001), "as fast");
}

TEST(MiddleHalf, AsBenchPrintsIt) {
  const auto of = [](const std::vector<double>& values) {
    const MiddleHalf half = middleHalf(values);
    return std::pair(half.from, half.to);
  };
  EXPECT_EQ(of({}), std::pair(0.0, 0.0));
  EXPECT_EQ(of({5, 1, 4, 2, 3}), std::pair(2.0, 4.0));
}

constexpr char kBench[] = R"({"context": {"host_name": "h", "date": "d", "num_cpus": 2},
 "benchmarks": [
  {"name": "copy/f32/1024/repeats:2", "run_name": "copy/f32/1024", "run_type": "iteration",
   "real_time": 1, "time_unit": "us", "bytes_per_second": 3e9, "fraction_of_copy": 0.9},
  {"name": "copy/f32/1024/repeats:2", "run_name": "copy/f32/1024", "run_type": "iteration",
   "real_time": 3, "time_unit": "us", "bytes_per_second": 1e9, "fraction_of_copy": 0.3},
  {"name": "copy/f32/1024_median", "run_name": "copy/f32/1024", "run_type": "aggregate",
   "real_time": 2, "time_unit": "us"},
  {"name": "broken", "run_type": "iteration", "error_occurred": true, "error_message": "why"}]})";

TEST(Bench, ReadsGoogleBenchmark) {
  TestFolder folder;
  const auto file = folder.write("driver.json", kBench);
  const BenchResults results = readBenchResults({file.string()});
  ASSERT_EQ(results.benchmarks.size(), 1u);
  const BenchRow& row = results.benchmarks[0];
  EXPECT_EQ(row.name, "copy/f32/1024");
  EXPECT_EQ(row.elements, 1024u);
  EXPECT_THAT(row.seconds, ElementsAre(1e-6, 3e-6));
  EXPECT_DOUBLE_EQ(row.bytesPerSecond, 1.5e9) << "of the median time";
  EXPECT_DOUBLE_EQ(row.fraction, 0.45);
  EXPECT_EQ(results.files[0].label, "driver");
  EXPECT_EQ(results.files[0].context.at("num_cpus"), "2");
  ASSERT_EQ(results.errors.size(), 1u);
  EXPECT_EQ(results.errors[0].name, "broken");
  EXPECT_EQ(results.errors[0].message, "why");
  EXPECT_TRUE(results.curves.empty());
}

// Google Benchmark's JSON with these times in microseconds.
std::string timesJson(const std::vector<std::pair<std::string, std::vector<double>>>& times) {
  std::string rows;
  for (const auto& [name, values] : times) {
    for (double value : values) {
      rows += fmt::format(
          R"({}{{"name": "{}", "time_unit": "us", "real_time": {}, "elements": {}}})",
          rows.empty() ? "" : ",", name, value, name.find("2^20") == name.npos ? 4096 : 1048576);
    }
  }
  return R"({"benchmarks": [)" + rows + "]}";
}

// The same, with 12 repetitions near each time.
std::string benchJson(const std::vector<std::pair<std::string, double>>& times) {
  std::vector<std::pair<std::string, std::vector<double>>> all;
  for (const auto& [name, time] : times) {
    auto& values = all.emplace_back(name, std::vector<double>()).second;
    for (int i = 0; i < 12; ++i) values.push_back(time * (1 + 0.001 * i));
  }
  return timesJson(all);
}

TEST(Bench, ACurveIsAllNamesThatDifferAlongItsAxisOnly) {
  TestFolder folder;
  const auto file = folder.write("a.json", benchJson({{"nonzero/f32/2^20/50%/random/packed", 9},
                                                      {"nonzero/f32/2^12/50%/random/packed", 1},
                                                      {"nonzero/f32/64x64/50%/random/packed", 1},
                                                      {"nonzero/f32/2^12/0.1%/random/packed", 2},
                                                      {"gather/f32/rows-of-1KiB/4/packed", 1},
                                                      {"gather/f32/rows-of-256B/16/packed", 3},
                                                      {"copy/256MiB", 1}}));
  const BenchResults results = readBenchResults({file.string()});
  ASSERT_EQ(results.curves.size(), 3u);
  const auto& [size, density, rows] =
      std::tie(results.curves[0], results.curves[1], results.curves[2]);
  EXPECT_EQ(size.axis, BenchAxis::Size);
  EXPECT_EQ(size.name, "nonzero/f32/*/50%/random/packed");
  ASSERT_EQ(size.points.size(), 2u);
  EXPECT_EQ(size.points[0].x, 4096);
  EXPECT_EQ(results.benchmarks[size.points[1].row].name, "nonzero/f32/2^20/50%/random/packed");
  EXPECT_EQ(density.axis, BenchAxis::Density);
  EXPECT_EQ(density.name, "nonzero/f32/2^12/*%/random/packed");
  ASSERT_EQ(density.points.size(), 2u);
  EXPECT_EQ(density.points[0].x, 0.1);
  EXPECT_EQ(rows.axis, BenchAxis::RowBytes);
  EXPECT_EQ(rows.name, "gather/f32/rows-of-*/packed");
  ASSERT_EQ(rows.points.size(), 2u);
  EXPECT_EQ(rows.points[0].x, 256);
  EXPECT_EQ(rows.points[1].x, 1024);
}

TEST(Bench, RatiosAreToTheFirstFile) {
  TestFolder folder;
  const auto a = folder.write("a.json", benchJson({{"x/2^20", 10}, {"y", 1}, {"only a", 1}}));
  const auto b = folder.write("b.json", benchJson({{"y", 1}, {"x/2^20", 20}, {"only b", 1}}));
  const BenchResults results = readBenchResults({a.string(), b.string()});
  ASSERT_EQ(results.ratios.size(), 2u);
  EXPECT_NEAR(results.ratios[0].ratio, 1, 1e-9);
  EXPECT_GT(results.ratios[0].p, 0.5);
  EXPECT_NEAR(results.ratios[1].ratio, 2, 1e-9);
  EXPECT_LT(results.ratios[1].p, 0.001);
  EXPECT_EQ(results.benchmarks[results.ratios[1].first].name, "x/2^20");
}

// Returns distinct times around a middle, `spread` apart.
std::vector<double> around(double middle, double spread, size_t count = 10) {
  std::vector<double> times;
  for (size_t i = 0; i < count; ++i) times.push_back(middle + spread * (double(i) - 4.5));
  return times;
}

TEST(Bench, AChangeNeedsSignificanceSizeAndRepetitions) {
  TestFolder folder;
  const auto change = [&](const std::vector<double>& a, const std::vector<double>& b,
                          const BenchThresholds& thresholds = {}) {
    const auto first = folder.write("a.json", timesJson({{"x", a}}));
    const auto second = folder.write("b.json", timesJson({{"x", b}}));
    const BenchResults results = readBenchResults({first.string(), second.string()}, thresholds);
    EXPECT_EQ(results.exitStatus(), results.ratios.at(0).change == TimeChange::Slower);
    return results.ratios.at(0).change;
  };
  const std::vector<double> hundred = around(100, 0.1);
  EXPECT_EQ(change(hundred, around(90, 0.1)), TimeChange::Faster);
  EXPECT_EQ(change(hundred, around(110, 0.1)), TimeChange::Slower);
  EXPECT_EQ(change(hundred, around(100.05, 0.1)), TimeChange::None) << "noise";
  EXPECT_EQ(change(around(100, 20), around(110, 20)), TimeChange::None) << "spread";
  EXPECT_EQ(change(hundred, around(104, 0.1)), TimeChange::None) << "below --least";
  EXPECT_EQ(change(hundred, around(104, 0.1), {.least = 0.02}), TimeChange::Slower);
  EXPECT_EQ(change(hundred, around(110, 0.1), {.significance = 1e-9}), TimeChange::TooFew);
  EXPECT_EQ(change({100, 101, 102}, {1, 2, 3}), TimeChange::TooFew);
  EXPECT_EQ(change({100, 101, 102, 103, 104}, {1, 2, 3, 4, 5}), TimeChange::Faster);  // 2 / 252
  std::vector<double> outlier = hundred;
  outlier.back() = 1e6;
  EXPECT_EQ(change(hundred, outlier), TimeChange::None);
}

// One of twenty equal benchmarks differs by chance: p 0.0021 alone, 0.04 corrected.
TEST(Bench, OneChanceDifferenceOfManyIsNone) {
  TestFolder folder;
  std::vector<std::pair<std::string, std::vector<double>>> a{{"x", around(100, 1)}}, b = a;
  b[0].second = around(107, 1);
  for (int i = 0; i < 19; ++i) {
    a.emplace_back(fmt::format("y{}", i), around(100, 1));
    b.emplace_back(a.back());
  }
  const auto compared = [&](size_t count) {
    a.resize(count), b.resize(count);
    return readBenchResults({folder.write("a.json", timesJson(a)).string(),
                             folder.write("b.json", timesJson(b)).string()});
  };
  const BenchResults many = compared(20);
  EXPECT_EQ(many.ratios[0].change, TimeChange::None);
  EXPECT_EQ(many.exitStatus(), 0);
  EXPECT_THAT(benchText(many), StartsWith("0 faster, 0 slower, 20 alike; "));
  const BenchResults alone = compared(1);
  EXPECT_EQ(alone.ratios[0].change, TimeChange::Slower);
  EXPECT_EQ(alone.exitStatus(), 1);
  EXPECT_THAT(benchText(alone),
              AllOf(StartsWith("0 faster, 1 slower, 0 alike; a difference counts from 5 % with p "
                               "below 0.01; repetitions spread by up to 5.0 %\n"),
                    HasSubstr(": slower\n")));
}

TEST(Bench, FilesThatShareNothingAreNotCompared) {
  TestFolder folder;
  const auto a = folder.write("a.json", timesJson({{"gone", {1}}}));
  const auto b = folder.write("b.json", timesJson({{"new", {1}}}));
  const BenchResults results = readBenchResults({a.string(), b.string()});
  EXPECT_EQ(results.exitStatus(), 3);
  EXPECT_THAT(benchText(results), HasSubstr("not in a\n"));
  EXPECT_THAT(benchText(results), HasSubstr("the files share no benchmark"));
}

// A driver that computes wrong outputs is not as fast as before.
TEST(Bench, WhatIsNoLongerMeasuredFails) {
  TestFolder folder;
  const auto a = folder.write("a.json", timesJson({{"kept", {1}}, {"broken", {1}}, {"gone", {1}}}));
  const std::string broken =
      R"({"name": "broken", "error_occurred": true, "error_message": "wrong outputs"})";
  const auto b = folder.write("b.json", R"({"benchmarks": [)" + broken + R"(,
      {"name": "kept", "time_unit": "us", "real_time": 1}]})");
  const BenchResults results = readBenchResults({a.string(), b.string()});
  EXPECT_EQ(results.exitStatus(), 1);
  EXPECT_THAT(benchText(results), StartsWith("0 faster, 0 slower, 0 alike, 1 with too few "
                                             "repetitions, 1 no longer measured; "));
  EXPECT_THAT(benchText(results), HasSubstr("  no time in b\n"));
  const auto only = folder.write("c.json", R"({"benchmarks": [)" + broken + "]}");
  EXPECT_EQ(readBenchResults({a.string(), only.string()}).exitStatus(), 1);
  EXPECT_EQ(readBenchResults({only.string(), b.string()}).exitStatus(), 3);
}

TEST(Bench, ScoresOfEachKindOfWork) {
  TestFolder folder;
  const auto a = folder.write(
      "a.json", benchJson({{"gather/a", 1}, {"gather/b", 8}, {"nonzero/c", 1}, {"gather/d", 0}}));
  const auto b = folder.write(
      "b.json", benchJson({{"gather/a", 4}, {"gather/b", 4}, {"nonzero/c", 1}, {"gather/d", 1}}));
  const BenchResults results = readBenchResults({a.string(), b.string()});
  ASSERT_EQ(results.scores.size(), 2u);
  const BenchScore& gather = results.scores[0];
  EXPECT_EQ(gather.work, "gather");
  EXPECT_EQ(gather.file, 1u);
  EXPECT_EQ(gather.benchmarks, 2u) << "none of which one time is 0";
  EXPECT_EQ(gather.faster, 1u);
  EXPECT_EQ(gather.slower, 1u);
  EXPECT_NEAR(gather.geometricMean, std::sqrt(4.0 / 2), 1e-9);
  EXPECT_NEAR(results.scores[1].geometricMean, 1, 1e-9);
  EXPECT_THAT(benchText(results), HasSubstr("gather, a to b: 1.41x slower in the geometric mean of "
                                            "2 benchmarks, 1 faster, 1 slower\n"));
}

TEST(Bench, FoldersTellFilesOfOneNameApart) {
  TestFolder folder;
  const auto labels = [&](const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const std::string& name : names) {
      const std::filesystem::path path = folder.path() / name;
      std::filesystem::create_directories(path.parent_path());
      paths.push_back(folder.write(name, timesJson({{"x", {1}}})).string());
    }
    std::vector<std::string> found;
    for (const BenchFile& file : readBenchResults(paths).files) found.push_back(file.label);
    return found;
  };
  EXPECT_THAT(labels({"old/run.json", "new/run.json"}), ElementsAre("old", "new"));
  EXPECT_THAT(labels({"old/run.json", "new/other.json"}), ElementsAre("run", "other"));
  EXPECT_THAT(labels({"old/out/run.json", "new/out/run.json"}), ElementsAre("old", "new"));
  EXPECT_THAT(labels({"old/run.json", "old/other.json", "new/run.json"}),
              ElementsAre(HasSubstr("old/run.json"), HasSubstr("old/other.json"),
                          HasSubstr("new/run.json")));
}

TEST(Bench, WarnsOfAFileThatIsNotComplete) {
  TestFolder folder;
  const auto file = folder.write("a.json", R"({"context": {"stopped": "after 1 of 2 benchmarks"},
      "benchmarks": [{"name": "x", "real_time": 1}]})");
  EXPECT_THAT(benchText(readBenchResults({file.string()})),
              HasSubstr("warning: a: bench was told to stop after 1 of 2 benchmarks\n"));
}

TEST(Bench, SaysWhereTimesSpread) {
  TestFolder folder;
  const auto text = [&](const std::vector<double>& times) {
    const auto file = folder.write("a.json", timesJson({{"a", times}}));
    return benchText(readBenchResults({file.string()}));
  };
  EXPECT_THAT(text({1, 1, 2, 3, 3}), HasSubstr("(spread 100 %)"));
  EXPECT_THAT(text({1, 1, 1, 1.05, 9}), Not(HasSubstr("spread")));
}

TEST(Bench, RefusesAFileThatIsNotThere) {
  TestFolder folder;
  EXPECT_THROW(readBenchResults({(folder.path() / "none").string()}), std::runtime_error);
}

TEST(Mutants, ReadsWhatSelftestWrites) {
  TestFolder folder;
  const auto file = folder.write("m.json", R"({"version": 1, "tier": "smoke", "mutants": [
    {"target": "mutant:a", "caught": true, "cases": 3, "family": "f", "rules": "r s", "case": "c",
     "how": "Fail: x", "catches": 2, "onlyRules": "r s"},
    {"target": "mutant:b", "caught": false, "cases": 0, "family": "", "rules": "", "case": "",
     "how": ""}]})");
  const ReportDocument mutants = readMutants(file.string())["mutants"];
  ASSERT_EQ(mutants.size(), 2u);
  EXPECT_THAT(mutants[0]["onlyRules"], ElementsAre("r", "s"));
  EXPECT_FALSE(mutants[1]["caught"]);
}

}  // namespace
}  // namespace dmlcts
