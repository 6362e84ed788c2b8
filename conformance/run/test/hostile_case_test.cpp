// Case strings from people and files: each is a SyntaxError, a reported problem, or a case that the
// oracle passes. Also run under sanitizers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <sstream>

#include "conformance/cases/case_string.h"
#include "conformance/cases/choices.h"
#include "conformance/cases/inputs.h"
#include "conformance/cases/labels.h"
#include "conformance/cases/measures.h"
#include "conformance/cases/rules_of.h"
#include "conformance/cases/tiers.h"
#include "conformance/run/environment.h"
#include "conformance/run/runnable.h"
#include "conformance/run/schedule.h"
#include "conformance/test/in_process.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

constexpr uint64_t kSmall = 1 << 16;

std::string problemOf(const std::string& text) {
  return caseProblem(parseCase(text)).value_or("none");
}

TEST(HostileCase, WhatBreaksARuleIsRefusedByNameEverywhere) {
  // Each of these once accessed memory outside a buffer.
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
    EXPECT_THAT(problemOf(text), HasSubstr(rule)) << text;
    EXPECT_THROW(makeInputs(testCase), std::invalid_argument) << text;
    EXPECT_THROW(prepare(testCase, 1), std::invalid_argument) << text;
    std::vector<std::vector<uint8_t>> inputs;
    for (const TensorSlot& slot : tensors(testCase.descriptor)) {
      if (!slot.isOutput) inputs.emplace_back(slot.desc->totalBytes);
    }
    try {
      evaluate(testCase.descriptor, inputs);
      ADD_FAILURE() << "evaluated: " << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(rule));
    }
  }
}

TEST(HostileCase, WhatIsExpectedMustFollowFromTheDescriptor) {
  const std::string valid = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5 ";
  EXPECT_EQ(problemOf(valid), "none");
  EXPECT_EQ(problemOf(valid + "expect=accept"), "none");
  EXPECT_THAT(problemOf(valid + "expect=reject(gather_nd.tuple-size)"),
              HasSubstr("does not break that rule"));
  const std::string wrong = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=3x5 ";
  EXPECT_THAT(problemOf(wrong), HasSubstr("expect=reject(gather_nd.output-sizes)"));
  EXPECT_THAT(problemOf(wrong + "expect=accept"), HasSubstr("gather_nd.output-sizes"));
  EXPECT_EQ(problemOf(wrong + "expect=reject(gather_nd.output-sizes)"), "none");
  EXPECT_THAT(problemOf(wrong + "expect=reject(gather_nd.tuple-size)"),
              HasSubstr("it breaks gather_nd.output-sizes"));
  // Valid at newer levels only.
  EXPECT_THAT(problemOf("gather_nd level=2.1 input=f32:6x5 indices=u32:2x1 output=2x5"),
              HasSubstr("at level 2.1 the descriptor breaks gather_nd.rank-2.1"));
}

TEST(HostileCase, WhatNoMachineHasRoomForIsRefusedBeforeAnythingIsAllocated) {
  const std::string gather = "gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 output=2x5 ";
  EXPECT_THAT(problemOf(gather + "total.output=107374182400"), HasSubstr("tensor.total-elements"));
  EXPECT_THAT(problemOf(gather + "total.input=107374182400"), HasSubstr("tensor.total-elements"));
  EXPECT_THAT(problemOf("nonzero_coordinates level=4.0 input=u8:4294967295 coords=4294967295x1"),
              HasSubstr("tensor.total-elements"));
  // The overlap check must not run for strides this long: it takes minutes.
  const std::string strides =
      "4294967295,4294967280,4294967040,4294963200,4294901760,4293918720,4278190080,4026531840";
  EXPECT_THAT(problemOf("gather_nd level=3.0 input=f32:6x5 indices=u32:2x1 "
                        "output=16x16x16x16x16x16x16x16 strides.output=" +
                        strides),
              HasSubstr("tensor.total-elements"));
  rulesOf(
      parseCase("gather_nd level=3.0 input=f32:16x16x16x16x16x16x16x16 indices=u32:2x1 "
                "output=2x5 strides.input=" +
                strides));
  // Within the suite's limits, but more than any machine's memory.
  const Case large = parseCase(gather +
                               "total.input=17179869180 total.indices=17179869180 "
                               "total.output=17179869180");
  EXPECT_EQ(caseProblem(large), std::nullopt);
  if (availableMemory() < uint64_t{384} << 30) {
    EXPECT_THAT(whyNotRunnable(large).value_or("none"), HasSubstr("384.0 GiB of memory"));
  }
  EXPECT_EQ(whyNotRunnable(parseCase(gather)), std::nullopt);
}

// Random strings.

template <class List>
const auto& oneOf(Draws& draws, const List& list) {
  return list[draws.below(list.size())];
}

std::string anySizes(Draws& draws, char separator) {
  static const std::vector<std::string> kOdd{"0", "8", "17", "256", "65536", "4294967295", "none"};
  std::string text;
  for (uint64_t rank = 1 + draws.below(draws.below(8) ? 4 : 9); rank > 0; --rank) {
    if (!text.empty()) text += separator;
    text += draws.below(12) ? std::to_string(1 + draws.below(5)) : oneOf(draws, kOdd);
  }
  return text;
}

std::string anyTensor(Draws& draws) {
  const std::string type(oneOf(draws, kDataTypes).name);
  return type + ":" + anySizes(draws, 'x');
}

// Returns a value that is valid, or nearly valid, for the key.
std::string anyValue(Draws& draws, const std::string& key) {
  static const std::vector<std::string> kArguments{
      "",         "(0)", "(1)",   "(3)",   "(0.5)", "(18446744073709551615)",
      "(1,0,-1)", "(",   "(4,0)", "(1,0)", "(0,2)", "(2,1,0)"};
  static const std::vector<std::string> kLayouts{"packed", "perm", "pad", "step", "broadcast"};
  if (key == "level") return std::string(name(oneOf(draws, kLevels)));
  if (key == "fill") {
    return std::string(oneOf(draws, kFillKinds).name) +
           (draws.below(3) ? "" : oneOf(draws, kArguments));
  }
  if (key == "index") {
    return std::string(oneOf(draws, kIndexKinds).name) +
           (draws.below(3) ? "" : oneOf(draws, kArguments));
  }
  if (key == "seed") return std::to_string(draws.bits() >> draws.below(64));
  if (key == "dims") return anySizes(draws, ',');
  if (key.starts_with("strides.")) return anySizes(draws, ',');
  if (key.starts_with("layout.")) return oneOf(draws, kLayouts) + oneOf(draws, kArguments);
  if (key.starts_with("total.")) {
    return std::to_string(draws.below(2) ? 4 * draws.below(64) : draws.bits() >> draws.below(64));
  }
  if (key == "expect") {
    if (draws.below(3)) return draws.below(2) ? "accept" : "execute";
    return "reject(" + std::string(oneOf(draws, rules()).id) + ")";
  }
  return draws.below(3) ? anySizes(draws, 'x') : anyTensor(draws);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Returns a smoke case string with words replaced, added or removed, or characters changed.
std::string hostileString(uint64_t seed) {
  static const std::vector<Case> kCases = cases(Tier::Smoke);
  Draws draws(seed);
  std::vector<std::string> words;
  std::istringstream text(caseString(oneOf(draws, kCases)));
  for (std::string word; text >> word;) words.push_back(word);
  for (uint64_t changes = draws.below(4); changes > 0; --changes) {
    const size_t at = draws.below(words.size());
    const std::string key = draws.below(2) && at > 0 ? words[at].substr(0, words[at].find('='))
                                                     : oneOf(draws, caseKeys());
    const std::string word = key + "=" + anyValue(draws, key);
    const auto same = std::ranges::find_if(
        words, [&](const std::string& each) { return each.starts_with(key + "="); });
    if (draws.below(8) == 0 && words.size() > 1) {
      words.erase(words.begin() + static_cast<ptrdiff_t>(1 + draws.below(words.size() - 1)));
    } else if (same != words.end()) {
      *same = word;
    } else {
      words.push_back(word);
    }
  }
  std::string result = joined(words);
  if (draws.below(6) == 0) {
    static constexpr std::string_view kLetters = "0123456789x:,=()-. fiu\x1b\n\xff";
    result[draws.below(result.size())] = oneOf(draws, kLetters);
  }
  return result;
}

struct Outcomes {
  int syntaxErrors = 0;
  int problems = 0;
  int executed = 0;
  int large = 0;
};

void takeAllTheWay(const std::string& text, Outcomes& outcomes) {
  Case testCase;
  try {
    testCase = parseCase(text);
  } catch (const SyntaxError&) {
    ++outcomes.syntaxErrors;
    return;
  }
  RC_ASSERT(parseCase(caseString(testCase)) == testCase);
  rulesOf(testCase);
  estimatedCost(testCase);
  whyNotRunnable(testCase);
  const auto problem = caseProblem(testCase);
  if (!problem) labelsOf(testCase);
  if (problem) ++outcomes.problems;
  if (testCase.expect == Expect::Execute && !isSmall(testCase, kSmall)) {
    ++outcomes.large;
    return;
  }
  findMeasure("denormals")->of(testCase);
  try {
    const Judgement judgement = judgedInProcess(testCase);
    if (problem) return;
    ++outcomes.executed;
    RC_ASSERT(judgement.verdict == Verdict::Pass || judgement.verdict == Verdict::Vacuous);
  } catch (const std::invalid_argument&) {
    RC_ASSERT(problem.has_value());
  }
}

TEST(HostileCase, RandomStringsGoAllTheWay) {
  Outcomes outcomes;
  rc::detail::TestParams params;
  params.maxSuccess = 600;
  const auto result = rc::detail::checkTestable(
      [&](uint64_t seed) { takeAllTheWay(hostileString(seed), outcomes); },
      rc::detail::TestMetadata(), params);
  rc::detail::printResultMessage(result, std::cerr);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>());
  // The generator reaches every outcome.
  EXPECT_GT(outcomes.syntaxErrors, 30);
  EXPECT_GT(outcomes.problems, 20);
  EXPECT_GT(outcomes.executed, 30);
  RecordProperty("large", outcomes.large);
}

}  // namespace
}  // namespace dmlcts
