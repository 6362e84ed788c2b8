// Expectation files: waived failures, and others. hostile_files_test has bad files.

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "conformance/language/case_string.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kCase =
    "gather_nd level=3.0 input=f16:1x4 indices=u32:1x1 output=1x4 dims=2,2 fill=ramp";
const std::string kOverlap =
    "gather_nd level=6.4 input=u8:2x3 indices=u32:2x1 output=2x3 fill=zeros "
    "strides.output=4,2 expect=reject(tensor.output-no-overlap)";

gpu::Identity identity() {
  gpu::Identity identity;
  identity.target = "directml";
  identity.vendorId = 0x10de;
  identity.driver = "NVIDIA 580.159.03";
  identity.runtime = "libvkd3d 1.2";
  identity.shaderModel = "5.1";
  return identity;
}

// Parses a file with these entries of a list, in single instead of double quotes.
Expectations parse(const std::string& entries, const std::string& list = "expectations") {
  std::string text = "{'version': 2, '" + list + "': [" + entries + "]}";
  std::ranges::replace(text, '\'', '"');
  return Expectations::parse(text, "known.json", identity());
}

Judgement apply(Expectations& expectations, Verdict verdict, const Kinds& kinds = {},
                std::string message = "seen", const std::string& text = kCase) {
  const Case testCase = parseCase(text);
  Judgement judgement{.verdict = verdict, .message = std::move(message), .kinds = kinds};
  expectations.apply(testCase, caseString(testCase), judgement);
  return judgement;
}

// Returns the verdict of kCase after expectations.
Verdict applied(Expectations expectations, Verdict verdict, const Kinds& kinds = {}) {
  return apply(expectations, verdict, kinds).verdict;
}

const Kinds kWrong{{"wrong-elements", 3}};
const std::string kAbout = "'query': 'gather_nd input=f16:*', 'reason': 'known', ";
const std::string kFail = kAbout + "'verdict': 'Fail', 'rule': 'gather_nd.gather', ";
const std::string kWaiver = kFail + "'kinds': ['wrong-elements']";

TEST(Expectations, WaiveExactlyWhatTheyName) {
  const Expectations known = parse("{" + kWaiver + "}");
  EXPECT_EQ(applied(known, Verdict::Fail, kWrong), Verdict::Waived);
  EXPECT_EQ(applied(known, Verdict::Pass), Verdict::UnexpectedPass);
  Expectations unmet = known;
  EXPECT_EQ(apply(unmet, Verdict::Pass).message,
            "expected Fail by \"gather_nd input=f16:*\" in known.json: known");
  for (Verdict other :
       {Verdict::Crash, Verdict::Timeout, Verdict::DeviceRemoved, Verdict::Flaky, Verdict::Vacuous,
        Verdict::NotSupported, Verdict::NotAsked, Verdict::InternalError}) {
    EXPECT_EQ(applied(known, other, kWrong), other) << name(other);
  }
  const std::string exact = "{'case': '" + kCase +
                            "', 'verdict': 'Fail', 'reason': 'known', "
                            "'kinds': ['wrong-elements']}";
  EXPECT_EQ(applied(parse(exact), Verdict::Fail, kWrong), Verdict::Waived);
  std::string other = "{" + kWaiver + "}";
  other.replace(other.find("f16"), 3, "f32");
  EXPECT_EQ(applied(parse(other), Verdict::Fail, kWrong), Verdict::Fail);
}

TEST(Expectations, CoverNoOtherKind) {
  Expectations known = parse("{" + kWaiver + "}");
  EXPECT_EQ(applied(known, Verdict::Fail, {{"wrong-elements", 4000}}), Verdict::Waived);
  EXPECT_EQ(apply(known, Verdict::Fail, {{"accepted", 1}}).message,
            "seen; not waived by \"gather_nd input=f16:*\": 1 accepted");
  for (std::string_view kind : kKinds) {
    if (kind == kind::kWrongElements) continue;
    Kinds both = kWrong;
    both[std::string(kind)] = 509;
    const Judgement result = apply(known, Verdict::Fail, both);
    EXPECT_EQ(result.verdict, Verdict::Fail) << kind;
    EXPECT_THAT(result.message,
                HasSubstr("not waived by \"gather_nd input=f16:*\": 509 " + std::string(kind)));
  }
  EXPECT_EQ(applied(known, Verdict::Fail, {}), Verdict::Fail) << "of no known kind";
  EXPECT_THAT(apply(known, Verdict::Crash, {{"crash", 1}}).message, HasSubstr("expects Fail"));
}

TEST(Expectations, HoldOnlyForCasesOfTheirRule) {
  const std::string overlap =
      "{'query': '*', 'rule': 'tensor.output-no-overlap', 'verdict': 'Fail', 'reason': 'known', "
      "'kinds': ['accepted']}";
  Expectations known = parse(overlap);
  EXPECT_EQ(apply(known, Verdict::Fail, {{"accepted", 1}}, "", kOverlap).verdict, Verdict::Waived);
  std::string aligned = kOverlap;
  aligned.replace(aligned.find("strides.output=4,2"), 18, "align.output=3");
  aligned.replace(aligned.find("output-no-overlap"), 17, "base-offset-alignment");
  EXPECT_EQ(apply(known, Verdict::Fail, {{"accepted", 1}}, "", aligned).verdict, Verdict::Fail);
  // A valid descriptor keeps the rule and must be accepted.
  Expectations strict = parse(
      "{'query': '*', 'rule': 'gather_nd.rank', 'verdict': 'Fail', 'reason': 'known', "
      "'kinds': ['rejected']}");
  EXPECT_EQ(apply(strict, Verdict::Fail, {{"rejected", 1}}).verdict, Verdict::Waived);
}

TEST(Expectations, OfSeveralEntriesEachCoversItsOwnKinds) {
  const std::string guards = kFail + "'kinds': ['guard-bytes']";
  const Kinds both{{"wrong-elements", 3}, {"guard-bytes", 4}};
  Expectations known = parse("{" + kWaiver + "}, {" + guards + "}");
  EXPECT_EQ(apply(known, Verdict::Fail, both).verdict, Verdict::Waived);
  EXPECT_THAT(known.unmet(), IsEmpty());
  Expectations first = parse("{" + kWaiver + "}, {" + guards + "}");
  EXPECT_EQ(apply(first, Verdict::Fail, kWrong).verdict, Verdict::Waived);
  ASSERT_EQ(first.unmet().size(), 1u) << "no case had bytes outside the tensor";
}

TEST(Expectations, CoverVerdictsThatHaveNoKinds) {
  const auto own = [](const char* verdict) {
    return parse("{" + kAbout + "'verdict': '" + verdict + "'}");
  };
  EXPECT_EQ(applied(own("Crash"), Verdict::Crash, {{"crash", 1}}), Verdict::Waived);
  EXPECT_EQ(applied(own("Crash"), Verdict::Crash), Verdict::Waived);
  EXPECT_EQ(applied(own("Crash"), Verdict::Crash, {{"crash", 1}, {"guard-bytes", 1}}),
            Verdict::Crash);
  EXPECT_EQ(applied(own("Crash"), Verdict::Timeout), Verdict::Timeout);
  EXPECT_EQ(applied(own("Timeout"), Verdict::Timeout), Verdict::Waived);
  EXPECT_EQ(applied(own("DeviceRemoved"), Verdict::DeviceRemoved), Verdict::Waived);
  EXPECT_EQ(applied(own("Vacuous"), Verdict::Vacuous), Verdict::Waived);
  EXPECT_EQ(applied(own("Vacuous"), Verdict::Fail, kWrong), Verdict::Fail);

  Expectations gate = parse("{" + kAbout + "'verdict': 'NotSupported', 'message': 'types: *'}");
  EXPECT_EQ(apply(gate, Verdict::NotSupported, {}, "types: none").verdict, Verdict::Waived);
  const Judgement other = apply(gate, Verdict::NotSupported, {}, "memory: none");
  EXPECT_EQ(other.verdict, Verdict::NotSupported);
  EXPECT_THAT(other.message, HasSubstr("expects the message \"types: *\""));
}

TEST(Expectations, OfFlakyCasesLetThemPass) {
  const auto twice = [](Verdict verdict, const Kinds& kinds) {
    Expectations known = parse("{" + kAbout + "'verdict': 'Flaky', 'kinds': ['crash']}");
    apply(known, Verdict::Pass);
    const Verdict first = apply(known, verdict, kinds).verdict;
    EXPECT_EQ(apply(known, verdict, kinds).verdict, first);
    EXPECT_THAT(known.unmet(), IsEmpty());
    return first;
  };
  EXPECT_EQ(twice(Verdict::Flaky, {{"wrong-elements", 1}}), Verdict::Flaky);
  EXPECT_EQ(twice(Verdict::Flaky, {{"crash", 1}}), Verdict::Waived);
  EXPECT_EQ(twice(Verdict::Crash, {{"crash", 1}}), Verdict::Crash);
  EXPECT_EQ(twice(Verdict::Pass, {}), Verdict::Pass);
}

TEST(Expectations, CoverWhatFailsSometimes) {
  const std::string sometimes = "{" + kWaiver + ", 'sometimes': true}";
  Expectations known = parse(sometimes);
  EXPECT_EQ(known.unused(), "no case matched: gather_nd input=f16:*");
  EXPECT_EQ(parse(sometimes + "," + sometimes).unused(),
            "no case matched 2 of 2 entries; the first: gather_nd input=f16:*");
  EXPECT_EQ(apply(known, Verdict::Pass).verdict, Verdict::Pass);
  EXPECT_EQ(known.unused(), "");
  EXPECT_THAT(known.unmet(), IsEmpty()) << "0 or more";
  EXPECT_EQ(apply(known, Verdict::Fail, kWrong).verdict, Verdict::Waived);
  EXPECT_EQ(apply(known, Verdict::Flaky, kWrong).verdict, Verdict::Waived);
  EXPECT_EQ(apply(known, Verdict::Flaky, {{"crash", 1}}).verdict, Verdict::Flaky);
  EXPECT_EQ(apply(known, Verdict::Crash).verdict, Verdict::Crash);
  const Expectations crash = parse("{" + kAbout + "'verdict': 'Crash', 'sometimes': true}");
  EXPECT_EQ(applied(crash, Verdict::Flaky, {{"crash", 1}}), Verdict::Waived);
  EXPECT_EQ(applied(parse("{" + kWaiver + ", 'sometimes': false}"), Verdict::Pass),
            Verdict::UnexpectedPass);
}

TEST(Expectations, ThatNoFailureMetFailTheRun) {
  Expectations known = parse("{" + kWaiver + "}");
  EXPECT_THAT(known.unmet(), IsEmpty()) << "the tier has no such case";
  EXPECT_EQ(apply(known, Verdict::Crash).verdict, Verdict::Crash);
  EXPECT_THAT(known.unmet(),
              ElementsAre(HasSubstr("expected Fail of cases matching \"gather_nd input=f16:*\"")));
  EXPECT_EQ(apply(known, Verdict::Fail, kWrong).verdict, Verdict::Waived);
  EXPECT_THAT(known.unmet(), IsEmpty());
}

TEST(Expectations, CountWhatAnEarlierSessionSaw) {
  // Also where the session had other entries, which did not waive it.
  for (const Verdict verdict : {Verdict::Waived, Verdict::Fail}) {
    Expectations known = parse("{" + kWaiver + "}");
    JournalEntry earlier;
    earlier.caseString = kCase;
    earlier.verdict = verdict;
    earlier.kinds = {{"guard-bytes", 1}};
    known.recall(earlier);
    EXPECT_EQ(known.unmet().size(), 1u);
    earlier.kinds = kWrong;
    known.recall(earlier);
    EXPECT_THAT(known.unmet(), IsEmpty());
  }
}

TEST(Expectations, HoldOnlyForTheTargetsTheyName) {
  const auto waives = [](const std::string& when) {
    return applied(parse("{" + kWaiver + ", 'when': {" + when + "}}"), Verdict::Fail, kWrong) ==
           Verdict::Waived;
  };
  for (const char* when :
       {"'target': 'direct*'", "'vendor': '0x10de'", "'runtime': 'libvkd3d 1.*'",
        "'driver': '>=580.100 <=580'", "'driver': '>=580 <580.160'", "'driver': '<=580'",
        "'driver': 'NVIDIA 580.*'", "'runtime': '=1.2'", "'shaderModel': '5.1'"}) {
    EXPECT_TRUE(waives(when)) << when;
  }
  // The implementation has no version.
  for (const char* when :
       {"'target': 'd3d12'", "'vendor': '4098'", "'driver': '>=590'", "'driver': '<=570.9'",
        "'driver': '<580.159'", "'driver': '>580'", "'driver': '580.159.03'", "'runtime': '>=2'",
        "'shaderModel': '>=6.0'", "'implementation': '>=0'"}) {
    EXPECT_FALSE(waives(when)) << when;
  }
}

TEST(Expectations, SkipWhatTheirEntriesMatch) {
  const auto skips = [](const std::string& skip) {
    return parse("{" + skip + "}", "skip").whySkipped(parseCase(kCase));
  };
  EXPECT_EQ(skips("'query': 'gather_nd input=f16:*', 'reason': 'hangs'"), "hangs");
  EXPECT_EQ(skips("'case': '" + kCase + "', 'reason': 'hangs'"), "hangs");
  EXPECT_EQ(skips("'query': 'gather_nd input=f32:*', 'reason': 'hangs'"), std::nullopt);

  Expectations known = parse("{'query': 'gather_nd', 'reason': 'hangs'}", "skip");
  EXPECT_EQ(known.unused(), "no case matched: gather_nd");
  EXPECT_EQ(apply(known, Verdict::Skipped, {}, "hangs").verdict, Verdict::Skipped);
  EXPECT_EQ(apply(known, Verdict::Skipped, {}, "hangs").message, "hangs");
  EXPECT_EQ(known.unused(), "");
}

// Every word of many cases is a query, and every query is asked of each of them.
TEST(CaseSetIndex, FindsWhatMatches) {
  std::vector<Case> some;
  const std::vector<Case> smoke = cases(Tier::Smoke);
  for (size_t i = 0; i < smoke.size(); i += 97) some.push_back(smoke[i]);
  std::set<std::string> words{"*", "input=*", "nonzero_coordinates", "level>=3.1", "fill!=ramp"};
  for (const Case& each : some) {
    std::istringstream text(caseString(each));
    for (std::string word; text >> word;) words.insert(word);
  }
  std::vector<CaseSet> sets;
  CaseSetIndex index;
  const auto add = [&](CaseSet set) {
    index.add(set);
    sets.push_back(std::move(set));
  };
  for (const std::string& word : words) add({word, false, {Query(word)}, "", false});
  for (const Case& each : some) add({caseString(each), true, {}, "", false});
  size_t candidates = 0;
  for (const Case& each : some) {
    const std::string text = caseString(each);
    const std::vector<size_t> found = index.candidates(each, text);
    candidates += found.size();
    for (size_t n = 0; n < sets.size(); ++n) {
      const bool offered = std::ranges::find(found, n) != found.end();
      EXPECT_TRUE(offered || !sets[n].matches(each, text)) << sets[n].text;
    }
  }
  EXPECT_LT(candidates, some.size() * sets.size() / 10);
  EXPECT_LT(index.others().size(), 20u);
}

}  // namespace
}  // namespace dmlcts
