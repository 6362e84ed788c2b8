// `dmlcts bench` as a process: tables and JSON for our kernels and the reference, no time for a
// faulty target, exit statuses.

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "conformance/test/command_test.h"

namespace dmlcts {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class BenchCommandTest : public CommandTest {
 protected:
  Outcome bench(const std::string& arguments) const { return dmlcts("bench --quiet " + arguments); }
  Outcome compare(const std::string& arguments) const {
    return dmlcts("report bench " + arguments);
  }
};

constexpr const char* kNonzero = "nonzero/f32/rank4/2^10/50%/random/packed";
constexpr const char* kNothing = "dispatch/empty";
constexpr const char* kRows = "gather/f32/u32/rows-of-64KiB/16/random/packed";

TEST_F(BenchCommandTest, MeasuresOurKernels) {
  const std::string passes = "nonzero/f32/rank4/2^20/50%/random/input-perm(3210)";
  const Outcome outcome =
      bench("-v --target d3d12 --copy-mib 1 --cache-mib 8 --repetitions 5 --json run.json '" +
            passes + "' '" + kRows + "'");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("seconds: .* in all, .* sending, .* for the rest\n"));
  EXPECT_THAT(outcome.out, ContainsRegex("mark_strided .*count .*rows_4_texels "));

  const nlohmann::json run = json("run.json");
  EXPECT_EQ(run["context"]["target"], "d3d12");
  EXPECT_EQ(run["context"]["evicted_mib"], "8");
  EXPECT_NE(run["context"]["adapter"], "");
  EXPECT_NE(run["context"]["shader_model"], "");
  EXPECT_GT(std::stod(run["context"]["copy_bytes_per_second"].get<std::string>()), 0);
  std::map<std::string, int> repetitions;
  for (const nlohmann::json& one : run["benchmarks"]) {
    if (one["run_type"] != "iteration") continue;
    ++repetitions[one["run_name"]];
    EXPECT_GT(one["real_time"], 0);
    if (one["run_name"] == kNothing) continue;  // moves no bytes
    EXPECT_GT(one["bytes_moved"], 0);
    EXPECT_NEAR(one["bytes_per_second"].get<double>() * one["real_time"].get<double>() * 1e-6,
                one["bytes_moved"].get<double>(), one["bytes_moved"].get<double>() * 1e-6);
    EXPECT_GT(one["elements_per_second"], 0);
    EXPECT_GT(one["fraction_of_copy"], 0);
  }
  const std::map<std::string, int> expected{{"copy/uint4-kernel/1MiB", 5},
                                            {"copy/CopyBufferRegion/1MiB", 5},
                                            {kNothing, 5},
                                            {passes, 5},
                                            {kRows, 5}};
  EXPECT_EQ(repetitions, expected);

  const Outcome same = compare("run.json run.json");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out,
              ContainsRegex("^0 faster, 0 slower, 0 alike, 5 .*1.000 x run.json, p 1: too few"));
}

TEST_F(BenchCommandTest, MeasuresATargetWithoutACopy) {
  const Outcome outcome =
      bench("-v --target reference --json run.json '" + std::string(kNonzero) + "'");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("no copy to compare with: .* waiting for "));
  const nlohmann::json run = json("run.json");
  EXPECT_FALSE(run["benchmarks"][0].contains("fraction_of_copy"));
  EXPECT_EQ(run["benchmarks"][0]["run_name"], kNonzero);
}

TEST_F(BenchCommandTest, SaysWhereCachesAreHot) {
  const auto namesOf = [&](const std::string& options) {
    const Outcome outcome =
        bench("--target d3d12 --copy-mib 1 --repetitions 2 --cache-mib 1 " + options +
              " --overwrite --json run.json '" + kNonzero + "' '" + kRows + "'");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::set<std::string> names;
    const nlohmann::json run = json("run.json");
    for (const nlohmann::json& one : run["benchmarks"]) {
      if (one.contains("label")) names.insert(one["run_name"]);  // none of copies and dispatches
    }
    return names;
  };
  const std::string nonzero = kNonzero;
  EXPECT_THAT(namesOf(""), UnorderedElementsAre(nonzero, kRows));
  EXPECT_THAT(namesOf("--cold"), UnorderedElementsAre(nonzero, kRows));
  // The rows take 2 MiB or more, twice --cache-mib, so they are never hot.
  EXPECT_THAT(namesOf("--hot"), UnorderedElementsAre(nonzero + "/hot", kRows));
  EXPECT_THAT(bench("--cold --hot").err, HasSubstr("--cold excludes --hot"));
}

TEST_F(BenchCommandTest, ListsTheNamesThatRunsHave) {
  const std::string nonzero = kNonzero;
  EXPECT_EQ(bench("--cache-mib 1 --list '" + nonzero + "'").out, nonzero + "\n");
  EXPECT_EQ(bench("--cache-mib 1 --list --hot '" + nonzero + "' " + kRows).out,
            std::string(kRows) + "\n" + nonzero + "/hot\n");
  EXPECT_EQ(bench("--cache-mib 1 --list --hot '" + nonzero + "/hot'").out, nonzero + "/hot\n");
}

// No document forbids flushing denormals: it gets a time, for another input, and the name says so.
TEST_F(BenchCommandTest, MeasuresATargetThatFlushesDenormalsWithoutThem) {
  const Outcome outcome =
      bench("--target mutant:denormals-flushed --repetitions 2 --json run.json '" +
            std::string(kNonzero) + "' '" + kRows + "'");
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("without denormals"));
  const nlohmann::json run = json("run.json");
  std::set<std::string> names;
  for (const nlohmann::json& one : run["benchmarks"]) names.insert(one["run_name"]);
  EXPECT_EQ(names, (std::set<std::string>{std::string(kNonzero) + "/without-denormals", kRows}));
}

TEST_F(BenchCommandTest, GivesNoTimeToAWrongTarget) {
  for (const auto& [mutant, why] :
       std::map<std::string, std::string>{{"last-row-lost", "wrong outputs: 4 elements"},
                                          {"written-behind", "8 bytes beside them"}}) {
    const Outcome outcome =
        bench("--target mutant:" + mutant + " --repetitions 3 --overwrite --json run.json '" +
              kNonzero + "'");
    EXPECT_EQ(outcome.status, 1) << mutant;
    EXPECT_THAT(outcome.out, HasSubstr(why)) << mutant;
    const nlohmann::json run = json("run.json");
    for (const nlohmann::json& one : run["benchmarks"]) {
      EXPECT_TRUE(one.value("error_occurred", false)) << mutant << one;
    }
  }
}

TEST_F(BenchCommandTest, GoesOnAfterACrash) {
  const Outcome outcome = bench("--worker '" DMLCTS_HOSTILE_WORKER
                                " segfault' --repetitions 3 --json run.json 'rank4/2^10' 2^20/0%");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("no copy to compare with: the worker crashed"));
  EXPECT_THAT(outcome.out,
              HasSubstr("nonzero/f32/rank4/2^10/50%/random/packed/hot the worker crashed"));
  EXPECT_THAT(outcome.out,
              HasSubstr("nonzero/f32/rank4/2^20/0%/random/packed/hot  the worker crashed"));
}

TEST_F(BenchCommandTest, TakesNoTimeThatNoExecutionTakes) {
  for (const char* manner : {"no-time", "endless-time"}) {
    const Outcome outcome = bench("--worker '" DMLCTS_HOSTILE_WORKER " " + std::string(manner) +
                                  "' --repetitions 3 'rank4/2^10'");
    EXPECT_EQ(outcome.status, 1) << manner;
    EXPECT_THAT(outcome.out, HasSubstr("a number of "
                                       "nanoseconds that no execution takes"))
        << manner;
  }
}

TEST_F(BenchCommandTest, SaysWhatTheLastWorkerDiedOf) {
  std::ofstream(folder_.path() / "dies")
      << "echo >>starts; [ $(wc -l <starts) -lt 3 ] && exec " DMLCTS_HOSTILE_WORKER " segfault";
  const Outcome outcome = bench("--worker 'sh dies' 'rank4/2^10' 2^20/0%");
  EXPECT_EQ(outcome.status, 3) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("/2^10/50%/random/packed/hot the worker crashed"));
}

TEST_F(BenchCommandTest, ASignalEndsItWithWhatWasMeasured) {
  const std::string first = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5";
  const std::string second = "gather_nd level=3.0 input=f32:7x5 indices=u32:2x1 output=2x5";
  const std::string third = "nonzero_coordinates level=4.0 input=f32:2048x2048 coords=4194304x2";
  folder_.write("cases.txt", first + "\n" + second + "\n" + third + "\n");
  // The line of the first is printed when the second is measured, too, and the oracle begins to
  // execute the third 10,000 times, which takes minutes.
  folder_.write("interrupt",
                "(sh -c 'echo $$ >pid; exec \"$@\"' - " DMLCTS_COMMAND
                " bench -q --hot --target reference --repetitions 10000 --cases cases.txt"
                " --overwrite --json run.json; echo $? >status) |\n"
                "while read -r line; do echo \"$line\"\n"
                "case $line in gather_nd*6x5*) kill -$1 $(cat pid);; esac; done >stdout.txt\n");
  for (const auto& [signal, status] : {std::pair{"TERM", "143\n"}, {"INT", "130\n"}}) {
    const std::string command = "cd " + folder_.path().string() + " && sh interrupt " + signal;
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("status"), status);
    EXPECT_THAT(read("stdout.txt"), HasSubstr("\nstopped: told to stop after 2 of 3 benchmarks\n"));
    const nlohmann::json run = json("run.json");
    std::set<std::string> cases;
    for (const nlohmann::json& one : run["benchmarks"]) {
      if (one.contains("label")) cases.insert(one["label"]);
    }
    EXPECT_THAT(cases, UnorderedElementsAre(first, second));
    EXPECT_EQ(run["context"]["stopped"], "after 2 of 3 benchmarks");
  }
}

TEST_F(BenchCommandTest, ASignalBeforeTheFirstBenchmarkWritesNothing) {
  folder_.write("silent", "kill -TERM $(cat pid); exec tail -f /dev/null");
  const std::string command =
      "cd " + folder_.path().string() +
      " && sh -c 'echo $$ >pid; exec \"$@\"' - " DMLCTS_COMMAND
      " bench -q --json run.json --worker 'sh silent' >stdout.txt 2>stderr.txt";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 143);
  EXPECT_EQ(read("stdout.txt"), "\nstopped: told to stop before the first benchmark\n");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "run.json"));
}

TEST_F(BenchCommandTest, ComparesTwoRuns) {
  const auto write = [&](const char* name, double base) {
    nlohmann::json benchmarks = nlohmann::json::array();
    for (int i = 0; i < 10; ++i) {
      benchmarks.push_back({{"name", "x"}, {"real_time", base + i}, {"time_unit", "us"}});
    }
    folder_.write(name, nlohmann::json{{"benchmarks", benchmarks}}.dump());
  };
  write("a.json", 1000);
  write("faster.json", 500);
  write("slower.json", 2000);
  write("same.json", 1000.5);
  folder_.write("cold.json",
                nlohmann::json{{"context", {{"caches", {{{"level", 1}}}}, {"evicted_mib", "128"}}},
                               {"benchmarks", json("same.json")["benchmarks"]}}
                    .dump());
  const Outcome faster = compare("a.json faster.json");
  EXPECT_EQ(faster.status, 0);
  EXPECT_THAT(faster.out, HasSubstr(": faster\n"));
  const Outcome slower = compare("a.json slower.json");
  EXPECT_EQ(slower.status, 1);
  EXPECT_THAT(slower.out, HasSubstr(": slower\n"));
  const Outcome same = compare("a.json same.json");
  EXPECT_EQ(same.status, 0);
  EXPECT_THAT(same.out, AllOf(HasSubstr("no difference"), Not(HasSubstr("warning"))));
  EXPECT_THAT(compare("a.json cold.json").out, HasSubstr("a does not say, cold 128 MiB"));

  folder_.write("bad.json", "{");
  const Outcome bad = compare("a.json bad.json");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("bad.json"));
  EXPECT_EQ(compare("a.json nowhere.json").status, 2);
  folder_.write("other.json", R"({"benchmarks": [{"name": "y", "real_time": 1}]})");
  const Outcome nothing = compare("a.json other.json");
  EXPECT_EQ(nothing.status, 3);
  EXPECT_THAT(nothing.out, HasSubstr("the files share no benchmark"));
}

TEST_F(BenchCommandTest, ListsASet) {
  const Outcome list = bench("--list --set goals");
  EXPECT_EQ(list.status, 0);
  EXPECT_THAT(list.out, HasSubstr("nonzero/f32/rank4/2^26/50%/random/packed\n"));
}

}  // namespace
}  // namespace dmlcts
