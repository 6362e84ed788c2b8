#include "conformance/facts/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "conformance/language/case_string.h"
#include "conformance/language/nearest.h"

namespace dmlcts {
namespace {

using testing::EndsWith;
using testing::StartsWith;

Case gatherCase() {
  Case testCase = parseCase(
      "gather_nd level=3.1 input=f16:3x4 indices=i64:2x1 output=2x4 index=allnegative seed=1 "
      "layout.input=perm(1,0)");
  testCase.family = "input-layouts";
  return testCase;
}

Case rejectedCase() {
  return parseCase(
      "nonzero_coordinates level=6.4 input=u8:9 count=i32:1 coords=9x1 "
      "expect=reject(nonzero_coordinates.count-type)");
}

std::string queryRefusal(std::string_view text) {
  try {
    Query query{text};
    return "accepted";
  } catch (const SyntaxError& error) {
    return error.what();
  }
}

TEST(Query, MatchesFields) {
  for (std::string_view text :
       {"*", "gather_nd", "gather*", "operator=gather_nd", "gather_nd input=f16:* level=3.*",
        "family=input-layouts", "family=input-*", "indices=i64:?x1", "index=*negative", "seed=1",
        "layout.input=perm*", "level!=3.0", "rule=gather_nd.negative-indices", "dims=2,2",
        "rank=2"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  for (std::string_view text :
       {"nonzero_coordinates", "level=3.0", "gather_nd level=4.*", "family=matrix",
        "layout.indices=*", "index!=allnegative", "input=f16", "seed=11", "count=*",
        "rule=nonzero_coordinates.*", "rank=1", "gather_nd1"}) {
    EXPECT_FALSE(Query(text).matches(gatherCase())) << text;
  }
}

TEST(Query, MatchesGatherNd1) {
  const Case batched = parseCase(
      "gather_nd1 level=4.1 input=f64:2x3x4 indices=i64:2x5x1 output=2x5x4 dims=3,3,1 "
      "fill=unique index=negative");
  for (std::string_view text :
       {"gather_nd1", "gather*", "dims=*,1", "dims=3,3,1", "output=f64:*", "elements=24",
        "rule=gather_nd1.negative-indices", "index=negative indices=i64:*"}) {
    EXPECT_TRUE(Query(text).matches(batched)) << text;
  }
  for (std::string_view text : {"gather_nd", "dims=*,0", "rule=gather_nd.*", "count=*"}) {
    EXPECT_FALSE(Query(text).matches(batched)) << text;
  }
}

TEST(Query, MeasuresNumbers) {
  for (std::string_view text : {"elements=12", "elements>=12", "elements<=12", "elements!=11",
                                "gather_nd input=f16:* elements>=1"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  for (std::string_view text : {"elements=1", "elements>=13", "elements<=11", "elements!=12"}) {
    EXPECT_FALSE(Query(text).matches(gatherCase())) << text;
  }
  const Case denormals =
      parseCase("nonzero_coordinates level=4.0 input=f32:3 coords=3x1 fill=values(1e-45,0,-1e-40)");
  EXPECT_TRUE(Query("denormals=2").matches(denormals));
  EXPECT_TRUE(Query("denormals=0").matches(rejectedCase()));
  const Case roomy =
      parseCase("gather_nd level=4.0 input=f16:2 indices=i64:1 output=1 total.output=64");
  EXPECT_TRUE(Query("room=32").matches(roomy));
  EXPECT_THAT(queryRefusal("elements>=many"), StartsWith("column 11"));
  EXPECT_THAT(queryRefusal("denormals>=-1"), StartsWith("column 12"));
}

TEST(Query, ComparesLevelsAndRanks) {
  for (std::string_view text : {"level>=3.1", "level>=2.1", "level<=3.1", "level<=6.4", "rank>=2",
                                "rank<=2", "rank>=1 rank<=8"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  for (std::string_view text : {"level>=4.0", "level<=3.0", "rank>=3", "rank<=1"}) {
    EXPECT_FALSE(Query(text).matches(gatherCase())) << text;
  }
  EXPECT_THAT(queryRefusal("level>=3.5"), testing::HasSubstr("no such level"));
  EXPECT_THAT(queryRefusal("rank<=many"), StartsWith("column 7"));
  EXPECT_THAT(queryRefusal("input>=f16:1"), StartsWith("column 1"));
}

TEST(Query, ComparesWithoutTheBound) {
  for (std::string_view text : {"level>3.0", "level<4.0", "rank>1", "rank<3", "elements>11"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  for (std::string_view text : {"level>3.1", "level<3.1", "rank>2", "rank<2", "elements<12"}) {
    EXPECT_FALSE(Query(text).matches(gatherCase())) << text;
  }
  EXPECT_THAT(queryRefusal("input>f16:1"), StartsWith("column 1, \"input\": not a number"));
  EXPECT_THAT(queryRefusal("rank>"), StartsWith("column 6"));
  EXPECT_THAT(queryRefusal("ranc>4"), testing::HasSubstr("did you mean \"rank\"?"));
}

TEST(Query, SaysWhatALevelMayMean) {
  for (std::string_view text : {"level=3", "level!=3", "level>=3", "level<3"}) {
    EXPECT_THAT(queryRefusal(text),
                EndsWith("no such level; there are 3.0, 3.1, and \"3.*\" is all of "
                         "them"))
        << text;
  }
  EXPECT_THAT(queryRefusal("level=4.2"), testing::HasSubstr("no such level"));
}

TEST(Query, FindsOperatorsInCapitals) {
  for (std::string_view text : {"GATHER_ND", "Gather_ND level=3.1", "operator=GATHER*"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  EXPECT_FALSE(Query("NONZERO_COORDINATES").matches(gatherCase()));
}

TEST(Queries, AreTheWordsOfACommandLine) {
  using Texts = std::vector<std::string>;
  const auto of = [](const Texts& arguments) { return queriesOf(arguments); };
  EXPECT_EQ(of({}), Texts{});
  EXPECT_EQ(of({"gather_nd", "input=f16:*", "level>3.0"}),
            Texts{"gather_nd input=f16:* level>3.0"});
  EXPECT_EQ(of({"input=f16:*", "gather_nd"}), Texts{"input=f16:* gather_nd"});
  EXPECT_EQ(of({"family=matrix", "family=layouts"}), Texts{"family=matrix family=layouts"});
  EXPECT_EQ(of({"family=matrix", "or", "family=layouts"}),
            (Texts{"family=matrix", "family=layouts"}));
  EXPECT_EQ(of({"gather_nd", "rank=2", "nonzero_coordinates"}),
            (Texts{"gather_nd rank=2", "nonzero_coordinates"}));
  EXPECT_EQ(of({"gather_nd rank=2", "gather_nd1 rank=3"}),
            (Texts{"gather_nd rank=2", "gather_nd1 rank=3"}));
  EXPECT_EQ(of({"gather_nd rank=2", "or", "family=matrix"}),
            (Texts{"gather_nd rank=2", "family=matrix"}));
  for (const Texts& unclear :
       {Texts{"gather_nd rank=2", "level=3.0"}, Texts{"rank=2", "gather_nd level=3.0"}, Texts{"or"},
        Texts{"rank=2", "or"}, Texts{"or", "rank=2"}, Texts{"rank=2", "or", "or", "rank=3"}}) {
    EXPECT_THROW(of(unclear), SyntaxError) << unclear.back();
  }
}

TEST(Query, FindsWhatInputsHold) {
  for (std::string_view text :
       {"has=negative-index", "has=nonzero", "has!=one-nonzero", "attributes=partial-tuples"}) {
    EXPECT_TRUE(Query(text).matches(gatherCase())) << text;
  }
  const Case floats = parseCase(
      "nonzero_coordinates level=4.0 input=f32:3 coords=3x1 fill=values(0x7fc00000,-0,0x80000000)");
  for (std::string_view text : {"has=nan", "has=minus-zero", "has=one-nonzero", "has=zero",
                                "has!=denormal", "has!=inf*", "has!=negative-index"}) {
    EXPECT_TRUE(Query(text).matches(floats)) << text;
  }
  for (const auto& [value, isSmall] :
       {std::pair("0x33000000", true), std::pair("0x33000001", false),
        std::pair("0x00800000", true), std::pair("0x007fffff", false), std::pair("0", false)}) {
    const Case small =
        parseCase("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 fill=values(" +
                  std::string(value) + ")");
    EXPECT_EQ(Query("has=small").matches(small), isSmall) << value;
  }
  for (std::string_view text : {"has=*", "attributes=*"}) {
    EXPECT_FALSE(Query(text).matches(rejectedCase())) << text << ": it has no inputs";
  }
}

TEST(Query, FindsDefaultsThatAreLeftOut) {
  EXPECT_TRUE(Query("fill=random").matches(gatherCase()));
  EXPECT_TRUE(Query("output=f16:2x4").matches(gatherCase()));
  EXPECT_TRUE(Query("output=2x4").matches(gatherCase()));
  EXPECT_TRUE(Query("expect=execute").matches(gatherCase()));
}

TEST(Query, FindsRejections) {
  EXPECT_TRUE(Query("expect=reject(*)").matches(rejectedCase()));
  EXPECT_TRUE(Query("expect=reject(*count-type)").matches(rejectedCase()));
  EXPECT_TRUE(Query("rule=*.count-type").matches(rejectedCase()));
  EXPECT_FALSE(Query("expect=reject(*)").matches(gatherCase()));
}

TEST(Query, ACaseStringIsAQueryForItself) {
  for (const Case& testCase : {gatherCase(), rejectedCase()}) {
    EXPECT_TRUE(Query(caseString(testCase)).matches(testCase));
  }
}

TEST(Query, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(queryRefusal(" "), "column 1, \" \": an empty query; \"*\" names every case");
  EXPECT_EQ(queryRefusal("conv2d"),
            "column 1, \"conv2d\": no operator matches; there are gather_nd, nonzero_coordinates, "
            "gather_nd1");
  EXPECT_THAT(
      queryRefusal("gather_nd inptu=f16:*"),
      StartsWith(
          "column 11, \"inptu\": no such key; there are family, rule, rank, attributes, has, "
          "operator, "));
  EXPECT_EQ(queryRefusal("gather_nd level="), "column 17, \"level\": a pattern is missing");
}

TEST(Query, AsksWhatWasMeant) {
  EXPECT_THAT(queryRefusal("gather_dn"), EndsWith("gather_nd1; did you mean \"gather_nd\"?"));
  EXPECT_THAT(queryRefusal("gather_nd inptu=f16:*"), EndsWith("; did you mean \"input\"?"));
  EXPECT_THAT(queryRefusal("element>=4"), EndsWith("; did you mean \"elements\"?"));
  const auto why = [](const std::string& query) { return whyNothingMatches({{query}}); };
  EXPECT_EQ(why("family=documnets"), ": no family is \"documnets\"; did you mean \"documents\"?");
  EXPECT_THAT(why("rule=gather_nd.gahter"), EndsWith("\"gather_nd.gather\"?"));
  EXPECT_THAT(why("gather_nd input=F61:*"), EndsWith("\"f16\"?"));
  EXPECT_THAT(why("fill=singel(3)"), EndsWith("\"single\"?"));
  EXPECT_THAT(why("has=negative-indx"), EndsWith("\"negative-index\"?"));
  EXPECT_EQ(why("level=7.*"), ": no level is \"7.*\"");
  EXPECT_EQ(whyNothingMatches({{"level=9.*", "index=qqqqqq"}}).find(", no index fill is"),
            why("level=9.*").size());
  for (const char* query : {"gather_nd input=f* level=3.? fill=single(*) has=* family=input-*",
                            "level>=3.0", "input=f16:3x4", "input=*:9"}) {
    EXPECT_EQ(why(query), "") << query;
  }
}

TEST(Nearest, CountsEdits) {
  constexpr std::array<std::string_view, 4> kNames{"level", "layout", "a", "gather_nd"};
  const auto nearest = [&](std::string_view text) { return didYouMean(text, kNames); };
  for (std::string_view text : {"levle", "leve", "levels", "lwvel", "LEVEL"}) {
    EXPECT_EQ(nearest(text), "; did you mean \"level\"?") << text;
  }
  EXPECT_EQ(nearest("gathernd"), "; did you mean \"gather_nd\"?");
  for (std::string_view text : {"", "x", "lyat", "nonzero", "leaves!"}) {
    EXPECT_EQ(nearest(text), "") << text;
  }
  EXPECT_EQ(nearest(std::string(100'000, 'l')), "");
}

TEST(Query, Patterns) {
  EXPECT_TRUE(matchesPattern("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(matchesPattern("a?c", "abc"));
  EXPECT_TRUE(matchesPattern("", ""));
  EXPECT_FALSE(matchesPattern("a?c", "ac"));
  EXPECT_FALSE(matchesPattern("*ab", "aba"));
  EXPECT_FALSE(matchesPattern("a", "A"));
  // Time is bounded by the product of the lengths.
  const std::string text(10'000, 'a');
  EXPECT_FALSE(matchesPattern("*a*a*a*a*a*a*a*a*b", text));
}

}  // namespace
}  // namespace dmlcts
