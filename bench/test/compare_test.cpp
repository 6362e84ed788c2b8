// Comparing two runs: the thresholds for faster and slower, and the files that are refused.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "bench/compare.h"
#include "conformance/test/test_folder.h"
#include "reports/journal/input_error.h"

namespace dmlcts::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string runOf(const std::map<std::string, std::vector<double>>& microseconds) {
  nlohmann::json benchmarks = nlohmann::json::array();
  for (const auto& [name, times] : microseconds) {
    for (double time : times) {
      benchmarks.push_back({{"name", name},
                            {"run_name", name},
                            {"run_type", "iteration"},
                            {"real_time", time},
                            {"time_unit", "us"}});
    }
    benchmarks.push_back({{"name", name + "_mean"},
                          {"run_name", name},
                          {"run_type", "aggregate"},
                          {"real_time", 1e9},
                          {"time_unit", "us"}});
  }
  return nlohmann::json{{"context", nlohmann::json::object()}, {"benchmarks", benchmarks}}.dump();
}

// Returns distinct times around a middle, `spread` apart.
std::vector<double> around(double middle, double spread, size_t count = 10) {
  std::vector<double> times;
  for (size_t i = 0; i < count; ++i) times.push_back(middle + spread * (double(i) - 4.5));
  return times;
}

class CompareTest : public testing::Test {
 protected:
  BenchmarkPair one(const std::vector<double>& a, const std::vector<double>& b) {
    const Compared compared = compareFiles(folder_.write("a.json", runOf({{"x", a}})),
                                           folder_.write("b.json", runOf({{"x", b}})));
    EXPECT_EQ(compared.both.size(), 1u);
    return compared.both.at(0);
  }
  Change change(const std::vector<double>& a, const std::vector<double>& b) {
    return one(a, b).change;
  }

  TestFolder folder_;
};

TEST_F(CompareTest, SaysFasterAndSlower) {
  EXPECT_EQ(change(around(100, 0.1), around(90, 0.1)), Change::Faster);
  EXPECT_EQ(change(around(100, 0.1), around(110, 0.1)), Change::Slower);
  const BenchmarkPair comparison = one(around(100, 0.1), around(110, 0.1));
  EXPECT_DOUBLE_EQ(comparison.medianA, 100e3);  // nanoseconds
  EXPECT_DOUBLE_EQ(comparison.ratio, 1.1);
  EXPECT_NEAR(comparison.p, 2.0 / 184756, 1e-12);  // 20 over 10
}

TEST_F(CompareTest, SeesNoDifferenceInNoise) {
  EXPECT_EQ(change(around(100, 0.1), around(100.05, 0.1)), Change::None);
  // Medians differ by much less than the spread.
  EXPECT_EQ(change(around(100, 20), around(110, 20)), Change::None);
  // A significant difference that is too small to matter.
  EXPECT_EQ(change(around(100, 0.01), around(101, 0.01)), Change::None);
}

TEST_F(CompareTest, TooFewRepetitionsProveNothing) {
  EXPECT_EQ(change({100, 101, 102}, {1, 2, 3}), Change::TooFew);
  EXPECT_EQ(change({100, 101, 102, 103, 104}, {1, 2, 3, 4, 5}), Change::Faster);  // p = 2 / 252
}

TEST_F(CompareTest, OneOutlierIsNoDifference) {
  std::vector<double> b = around(100, 0.1);
  b.back() = 1e6;
  EXPECT_EQ(change(around(100, 0.1), b), Change::None);
}

TEST_F(CompareTest, NamesWhatOnlyOneHas) {
  const Compared compared =
      compareFiles(folder_.write("a.json", runOf({{"gone", {1}}, {"x", {1}}})),
                   folder_.write("b.json", runOf({{"new", {1}}, {"x", {1}}})));
  EXPECT_THAT(compared.onlyA, ElementsAre("gone"));
  EXPECT_THAT(compared.onlyB, ElementsAre("new"));
  EXPECT_THAT(table(compared), HasSubstr("new: only in B"));
}

TEST_F(CompareTest, RefusesBadFiles) {
  const auto good = folder_.write("good.json", runOf({{"x", {1}}}));
  const auto refused = [&](const std::string& text, const std::string& why) {
    const auto bad = folder_.write("bad.json", text);
    EXPECT_THAT([&] { compareFiles(good, bad); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(why)))
        << text;
  };
  refused("{}", "bad.json: not Google Benchmark's JSON");
  refused(R"({"benchmarks": 7})", "bad.json: not Google Benchmark's JSON");
  refused(R"({"benchmarks": [{"name": "x"}]})", "bad.json: not Google Benchmark's JSON");
  refused(R"({"benchmarks": [{"name": "x", "real_time": 1, "time_unit": "days"}]})", "days");
  refused(runOf({{"y", {1}}}), "no benchmark is in both");
  EXPECT_THROW(compareFiles(good, folder_.path() / "nowhere.json"), InputError);
  EXPECT_THROW(compareFiles(good, folder_.write("bad.json", "")), InputError);
}

}  // namespace
}  // namespace dmlcts::bench
