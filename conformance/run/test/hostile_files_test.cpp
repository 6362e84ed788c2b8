// Files and case strings from strangers, a row for each attack: what reads them says what is wrong,
// and where. journal_test has journals, fuzz/libfuzzer looks for more of all. Also run under
// sanitizers, whose stack frames are the largest.

#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <sstream>

#include "conformance/facts/query.h"
#include "conformance/facts/rules_of.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/test/in_process.h"
#include "conformance/test/test_folder.h"
#include "conformance/test/thrown.h"
#include "fuzz/database.h"
#include "reports/compare/bench_results.h"
#include "reports/journal/json.h"
#include "reports/summary/mutants.h"

namespace dmlcts {
namespace {

const std::string kValid = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5 ";
const std::string kInvalid = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=3x5 ";
const std::string kValidNonzero =
    "nonzero_coordinates level=4.0 input=f16:1x2x5 coords=10x3 seed=77";
constexpr size_t kDeep = 1'000'000;

std::string repeated(const std::string& text, size_t times = kDeep) {
  std::string all;
  all.reserve(times * text.size());
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

// Returns a file of expectations, written with single instead of double quotes.
std::string quoted(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text;
}

// An attack: the reader, the content of its file, and the message, as a pattern.
struct Attack {
  std::string reader;
  std::string text;
  std::string said;
};

class HostileFile : public testing::Test {
 protected:
  // Returns what is said of a file F, "accepted" if nothing.
  std::string said(const std::string& reader, const std::string& text) const {
    const std::string folder = (folder_.path() / "").string();
    std::string error = thrown<std::runtime_error>([&] { readers_.at(reader)(text); }, "accepted");
    if (const size_t at = error.find(folder); at != error.npos) error.erase(at, folder.size());
    return error;
  }

  void expectRefused(const std::vector<Attack>& attacks) const {
    for (const auto& [reader, text, pattern] : attacks) {
      const std::string error = said(reader, text);
      EXPECT_TRUE(matchesPattern(pattern, error))
          << reader << " of: " << text.substr(0, 500) << "\n says: " << error.substr(0, 1000)
          << "\n not: " << pattern;
      EXPECT_EQ(error.find("json.exception"), error.npos) << error.substr(0, 1000);
    }
  }

 private:
  std::string file(const std::string& text) const { return folder_.write("F", text).string(); }

  const TestFolder folder_;
  const std::map<std::string, std::function<void(const std::string&)>> readers_{
      {"benchmarks", [this](const std::string& text) { readBenchResults({file(text)}); }},
      {"case",
       [](const std::string& text) {
         if (const auto problem = caseProblem(parseCase(text))) throw InputError(*problem);
       }},
      {"cases",
       [](const std::string& text) {
         std::istringstream in(text);
         parseCases(in, "F");
       }},
      {"example", [](const std::string& text) { parseExample(text, "F"); }},
      {"expectations", [](const std::string& text) { Expectations::parse(text, "F", {}); }},
      {"journal",
       [](const std::string& text) {
         std::istringstream in(text + "\n");
         parseJournal(in, "F");
       }},
      {"mutants", [this](const std::string& text) { readMutants(file(text)); }},
  };
};

TEST_F(HostileFile, SaysWhatIsWrongWithCases) {
  EXPECT_EQ(said("cases", std::string(99'999, '\n') + kValid), "accepted");
  EXPECT_EQ(said("cases", "#" + std::string(65'535, 'x') + "\n" + kValid), "accepted");
  EXPECT_EQ(said("case", kValid), "accepted");
  EXPECT_EQ(said("case", kValid + "expect=accept"), "accepted");
  EXPECT_EQ(said("case", kInvalid + "expect=reject(gather_nd.output-sizes)"), "accepted");
  // The overlap check must not run for strides this long: it takes minutes.
  const std::string strides =
      "4294967295,4294967280,4294967040,4294963200,4294901760,4293918720,4278190080,4026531840";
  rulesOf(
      parseCase("gather_nd level=3.0 input=f32:16x16x16x16x16x16x16x16 indices=u32:2x1 output=2x5 "
                "strides.input=" +
                strides));
  expectRefused({
      {"cases", "\n" + kValidNonzero + "x\n", "F:2: *"},
      {"cases", "# x\n\nfoo\n", "F:3: *"},
      {"cases", "# x\r\n\r\ngather_md level=3.0\r\n", "F:3: *"},
      {"cases", "gather_md\ngather_nd level=9\n", "F:1: *F:2: *"},
      {"cases", kValid + "\n\n" + kValidNonzero + "\n" + kValid + "\n",
       "F:4: is the case of F:1 again: remove one"},
      // The same case in other words is a duplicate, too.
      {"cases", kValid + "\n" + kValid + " fill=random\n",
       "F:2: is the case of F:1 again: remove one"},
      {"cases", kValid + "\n" + std::string("gather_nd\0", 10) + "\n", "F:2: has a NUL byte*"},
      {"cases", kValid + "\n" + kValidNonzero + " expect=reject(nonzero_coordinates.rank)\n",
       "F:2: expect=reject(nonzero_coordinates.rank), but at level 4.0*"},
      {"cases", "# none\n", "F: has no case string"},
      {"cases", "", "F: has no case string"},
      // An endless text must not fill the memory, whatever it holds.
      {"cases", std::string(100'000, '\n') + kValid, "F:100001: *"},
      {"cases", std::string(10'000'000, '\n'), "*at most 100000 lines*"},
      {"cases", "#\n#" + std::string(65'536, 'x'), "F:2: is longer than 65536 bytes"},
      {"cases", kValid + "\n" + std::string(100'000, '\0'), "F:2: is longer than 65536 bytes"},
      {"example", "# nothing\n", "*"},
      {"example", "# target: t\nnonsense\n", "F:2: *"},
      // Expectations must follow from the descriptor.
      {"case", kValid + "expect=reject(gather_nd.tuple-size)", "*does not break that rule*"},
      {"case", kInvalid, "*expect=reject(gather_nd.output-sizes)*"},
      {"case", kInvalid + "expect=accept", "*gather_nd.output-sizes*"},
      {"case", kInvalid + "expect=reject(gather_nd.tuple-size)",
       "*it breaks gather_nd.output-sizes*"},
      {"case", "gather_nd level=2.1 input=f32:6x5 indices=u32:2x1 output=2x5",
       "*at level 2.1 the descriptor breaks gather_nd.rank-2.1*"},
      // No machine has room for these.
      {"case", kValid + "total.output=107374182400", "*tensor.total-elements*"},
      {"case", kValid + "total.input=107374182400", "*tensor.total-elements*"},
      {"case", "nonzero_coordinates level=4.0 input=u8:4294967295 coords=4294967295x1",
       "*tensor.total-elements*"},
      {"case",
       "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 "
       "output=16x16x16x16x16x16x16x16 strides.output=" +
           strides,
       "*tensor.total-elements*"},
  });
}

TEST_F(HostileFile, SaysWhatIsWrongWithExpectations) {
  const std::string about = "'query': 'gather_nd input=f16:*', 'reason': 'known', ";
  const std::string fails = about + "'verdict': 'Fail', 'rule': 'gather_nd.gather', ";
  const std::string kinds = fails + "'kinds': ";
  const std::string more = kinds + "['wrong-elements', ";
  const std::string waiver = kinds + "['wrong-elements']";
  const std::string when = waiver + ", 'when': ";
  const std::string exact =
      "'case': 'gather_nd level=3.0 input=f16:1x4 indices=u32:1x1 output=1x4 dims=2,2 fill=ramp', ";
  std::vector<Attack> attacks{
      {"expectations", "{'expectations': [{'query': '*', 'verdict': 'Fail', 'reason': 'x'}]}",
       "F: needs \"version\": 2. Entries of that version name a \"rule\"*"},
      {"expectations", "{'version': 3, 'expectations': []}", "*\"version\" is 3*"},
      {"expectations", "{'version': 2}", "*needs a list*"},
      {"expectations", "{'version': 2, 'skip': {}}", "*is not a list*"},
      {"expectations", "{", "*F*"},
      {"expectations", "[]", "F: is not an object*"},
  };
  // The members of an entry, and the problem.
  for (const auto& [members, problem] : std::vector<std::pair<std::string, std::string>>{
           {"'verdict': 'Fail'", "needs either \"query\" or \"case\""},
           {"'query': 'gather_nd nonsense=1', 'verdict': 'Fail'", "\"nonsense\""},
           {about + "'verdict': 'Pass'", "\"verdict\" is \"Pass\", not one of Fail, NotSupported"},
           {about + "'verdict': 'NotAsked'", "\"verdict\" is \"NotAsked\""},
           {about + "'verdict': 'Fail'", "needs a \"rule\""},
           {about + "'verdict': 'Fail', 'rule': 'gather_nd.gathers'", "there is no rule"},
           {about + "'verdict': 'Fail', 'rule': 'gather_nd.out-of-range'", "no case tests"},
           {exact + "'verdict': 'Fail', 'rule': 'tensor.strides'",
            "does not exercise the rule tensor.strides"},
           {fails + "'sometimes': {'atLeast': 1}",
            "needs \"kinds\": what of the failures it covers"},
           {kinds + "[]", "is empty"},
           {kinds + "'accepted'", "\"kinds\" is not a list of texts"},
           {kinds + "[1]", "\"kinds\" is not a list of texts"},
           {kinds + "['wrong']", "unknown kind \"wrong\"; kinds are wrong-elements"},
           {kinds + "['accepted']", "cannot break the rule gather_nd.gather"},
           {kinds + "['crash']", "\"crash\" needs an entry with the verdict Crash"},
           {more + "'guard-bytes']", "\"guard-bytes\" needs an entry of its own"},
           {more + "'input-bytes']", "\"input-bytes\" needs an entry of its own"},
           {more + "'malformed-answer']", "\"malformed-answer\" needs an entry of its own"},
           {about + "'verdict': 'Crash', 'kinds': ['crash']", "for Fail and Flaky, not for Crash"},
           {about + "'verdict': 'NotSupported'", "needs a \"message\""},
           {waiver + ", 'sometimes': {'atLeast': 3}", "\"sometimes\" is not true or false"},
           {kinds + "{'wrong-elements': {'atMost': 9}}", "\"kinds\" is not a list of texts"},
           {waiver + ", 'expires': '2027-01-01'", "unknown member \"expires\""},
           {waiver + ", 'link': 'https://x'", "unknown member \"link\""},
           {waiver + ", 'colour': 1", "unknown member \"colour\""},
           {when + "{'vendor': 'ten'}", "not a number"},
           {when + "{'implementation': '>=1.x'}",
            ".when: \"implementation\" is \">=1.x\": \">=1.x\" is no comparison"},
           {when + "{'driver': '>=1.13 and more'}", "\"and\" is no comparison"},
           {when + "{'driver': '> 580'}", "\">\" is no comparison"},
           {when + "{'driver': {'from': '580', 'through': '590'}}", "a text, like \">=580 <=590\""},
           {when + "{'runtime': '>1.13 <1.14'}", "no version is within it"},
           {when + "{'target': 'd3d12', 'driver': '<'}", "\"driver\" is \"<\""},
           {"'query': '*', 'rule': 'gather_nd.gather', 'verdict': 'Fail', "
            "'kinds': ['wrong-elements']",
            "needs a \"reason\""}}) {
    attacks.push_back({"expectations", "{'version': 2, 'expectations': [{" + members + "}]}",
                       "F: expectations[0]*" + problem + "*"});
  }
  for (const auto& [members, problem] : std::vector<std::pair<std::string, std::string>>{
           {"'query': '*'", "needs a \"reason\""},
           {"'reason': 'hangs'", "needs either \"query\" or \"case\""},
           {"'query': '*', 'reason': 'hangs', 'verdict': 'Crash'", "member \"verdict\""}}) {
    attacks.push_back({"expectations", "{'version': 2, 'skip': [{" + members + "}]}",
                       "F: skip[0]*" + problem + "*"});
  }
  for (Attack& attack : attacks) attack.text = quoted(attack.text);
  EXPECT_EQ(said("expectations", quoted("{'version': 2, 'expectations': []}")), "accepted");
  expectRefused(attacks);
}

TEST_F(HostileFile, SaysWhatIsWrongWithResults) {
  std::vector<Attack> attacks{
      {"benchmarks", "", "F: *"},
      {"benchmarks", "[]", "F: *"},
      {"benchmarks", "{\"context\": {}, \"benchmarks\": [{}]}", "F: *"},
      {"benchmarks",
       "{\"context\": {}, \"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, "
       "\"time_unit\": \"h\"}]}",
       "F: *"},
      {"benchmarks", "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1e308}]}", "F: *"},
      {"benchmarks", "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": -1}]}", "F: *"},
      {"mutants", "{}", "*F*"},
      {"mutants", "{\"version\": 2}", "*F*"},
      {"mutants", "x", "*F*"},
  };
  expectRefused(attacks);
}

// Opened only, and whole; as a document, and where a reader does not look.
TEST_F(HostileFile, IsNotFollowedDeep) {
  const std::string arrays = repeated("[") + repeated("]");
  const std::string inside = R"({"journal":4,"version":2,"expectations":[],"benchmarks":[],"x":)";
  for (const std::string& text :
       {arrays, repeated("{\"a\":") + "0" + repeated("}"), repeated("["), inside + arrays + "}"}) {
    for (const char* reader : {"benchmarks", "expectations", "journal", "mutants"}) {
      const std::string error = said(reader, text);
      EXPECT_THAT(error, testing::HasSubstr("nested deeper than 64")) << reader;
      EXPECT_LT(error.size(), 300u) << reader;
    }
  }
  for (const char* bracket : {"(", "[", "{", "perm(", "layout.input=", "\""}) {
    const std::string deep = repeated(bracket);
    EXPECT_ANY_THROW(parseCase(deep)) << bracket;
    EXPECT_ANY_THROW(parseCase(kValid + "layout.input=" + deep)) << bracket;
    try {
      Query query(kValid + deep);  // some are patterns, of nothing
    } catch (const SyntaxError&) {
    }
  }
}

TEST(Nested, StringsAreNoNesting) {
  EXPECT_NO_THROW(parseJson("[\"" + std::string(kDeep, '[') + "\\\"" + "{\"]", ""));
  EXPECT_EQ(parseJson("[0" + repeated(",[{\"a\":[]}]", 1000) + "]", "").size(), 1001u);
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NO_THROW(parseJson(nested(kMostNested), ""));
  EXPECT_THROW(parseJson(nested(kMostNested + 1), ""), InputError);
}

// Each of these once accessed memory outside a buffer.
TEST(HostileCase, ThatBreaksARuleIsRefusedByNameEverywhere) {
  for (const auto& [text, rule] : std::vector<std::pair<std::string, std::string>>{
           {"gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5 dims=2,2 fill=unique "
            "total.output=0",
            "tensor.total-bytes-cover"},
           {"nonzero_coordinates level=4.0 input=i32:1x4x2x4 coords=2x1 fill=onebit total.coords=4",
            "tensor.total-bytes-cover"},
           {"nonzero_coordinates level=4.0 input=i32:4 coords=2x1 fill=all",
            "nonzero_coordinates.coords-rows"},
           {"nonzero_coordinates level=4.0 input=i32:4 coords=4 fill=all",
            "nonzero_coordinates.rank"},
           {"gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x500 dims=2,2",
            "gather_nd.output-sizes"},
           {"gather_nd level=3.0 input=f32:6x5 indices=f32:2x1 output=2x5 dims=2,2",
            "gather_nd.index-types"}}) {
    const Case testCase = parseCase(text);
    EXPECT_THAT(caseProblem(testCase).value_or("none"), testing::HasSubstr(rule)) << text;
    EXPECT_THROW(makeInputs(testCase), std::invalid_argument) << text;
    EXPECT_THROW(prepare(testCase, 1), std::invalid_argument) << text;
    std::vector<std::vector<uint8_t>> inputs;
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      if (!slot.isOutput) inputs.emplace_back(slot.desc->totalBytes);
    }
    EXPECT_THAT(thrown<std::invalid_argument>([&] { evaluate(testCase.descriptor, inputs); }),
                testing::HasSubstr(rule));
  }
}

// Within the suite's limits, but more than any machine's memory.
TEST(HostileCase, ThatNeedsTooMuchMemoryIsNotRun) {
  const Case large = parseCase(
      kValid + "total.input=17179869180 total.indices=17179869180 total.output=17179869180");
  EXPECT_EQ(caseProblem(large), std::nullopt);
  if (availableMemory() < uint64_t{384} << 30) {
    EXPECT_THAT(whyNotRunnable(large).value_or("none"), testing::HasSubstr("384.0 GiB of memory"));
  }
  EXPECT_EQ(whyNotRunnable(parseCase(kValid)), std::nullopt);
}

}  // namespace
}  // namespace dmlcts
