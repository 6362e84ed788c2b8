#include "conformance/language/case_string.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/inputs/choices.h"
#include "conformance/language/element_text.h"
#include "conformance/language/test/any_case.h"
#include "conformance/test/rapidcheck_choices.h"
#include "conformance/tiers/tiers.h"

namespace dmlcts {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string canonical(std::string_view text) { return caseString(parseCase(text)); }

// Returns the error message for a text.
std::string refusal(std::string_view text) {
  try {
    return "accepted as " + canonical(text);
  } catch (const SyntaxError& error) {
    return error.what();
  }
}

TEST(CaseString, PrintsWhatItParses) {
  for (const std::string text : {
           "nonzero_coordinates level=4.0 input=f16:1x2x4 coords=8x2 fill=mixed seed=7",
           "gather_nd level=3.0 input=f32:3x4x5x6x7 indices=i64:1x1x1x2x3 output=1x1x2x6x7 "
           "dims=5,3 fill=ramp index=negative seed=1 layout.input=perm(4,0,1,2,3)",
           "nonzero_coordinates level=3.0 input=f32:1x1x2x4 coords=1x1x8x3 "
           "fill=values(1,0,0,2,-0,3.5,0,-5.2)",
           "nonzero_coordinates level=6.4 input=u8:9 count=i32:1x1 coords=f16:9x1 "
           "fill=density(0.01) strides.coords=7,5 total.input=64 "
           "expect=reject(nonzero_coordinates.count-type)",
           "gather_nd1 level=3.0 input=f32:2x3x4 indices=i64:2x5x1 output=2x5x4 dims=3,3,1 "
           "fill=unique index=negative",
           "gather_nd level=3.0 input=u8:4 indices=i32:2x1 output=2 align.output=64 "
           "offset.input=0 offset.output=65600",
           "gather_nd1 level=4.1 input=f64:3x4 indices=u32:2x1 output=2x4",
           "gather_nd1 level=6.4 input=i64:1x3 indices=u64:1x1 output=1x1 dims=1,2,0 "
           "fill=values(-1,9223372036854775807)",
           "gather_nd level=3.0 input=f32:2x3 indices=i32:2x1 output=2x3 "
           "fill=npy(a%20b/x.npy,0123456789abcdef) index=npy(y.npy)",
           "gather_nd level=2.1 input=unknown:none indices=u32:0 output=f16:4294967295x1 dims=4,0 "
           "expect=accept",
       }) {
    EXPECT_EQ(canonical(text), text);
  }
}

TEST(CaseString, LeavesDefaultsOut) {
  EXPECT_EQ(canonical("gather_nd  seed=0 output=f32:2x3 dims=2,2\tfill=random index=random "
                      "indices=u32:2x1 input=f32:4x3 level=3.0 total.input=48 expect=execute"),
            "gather_nd level=3.0 input=f32:4x3 indices=u32:2x1 output=2x3");
  EXPECT_EQ(canonical("gather_nd1 level=3.0 input=f32:4x3 indices=u32:2x1 output=2x3 dims=2,2,0"),
            "gather_nd1 level=3.0 input=f32:4x3 indices=u32:2x1 output=2x3");
  EXPECT_EQ(canonical("nonzero_coordinates level=4.0 input=f32:4 count=u32:1 coords=u32:4x1"),
            "nonzero_coordinates level=4.0 input=f32:4 coords=4x1");
}

TEST(CaseString, NamesStridesByTheirLayout) {
  const auto layout = [](const std::string& strides) {
    const std::string text = canonical(
        "nonzero_coordinates level=4.0 input=u8:2x3x4 coords=24x3 strides.input=" + strides);
    return text.substr(text.find_last_of(' ') + 1);
  };
  EXPECT_EQ(layout("12,4,1"), "layout.input=packed");
  EXPECT_EQ(layout("1,2,6"), "layout.input=perm(2,1,0)");
  EXPECT_EQ(layout("15,5,1"), "layout.input=pad(1)");
  EXPECT_EQ(layout("24,8,2"), "layout.input=step(2)");
  EXPECT_EQ(layout("4,0,1"), "layout.input=broadcast(1)");
  EXPECT_EQ(layout("0,0,0"), "layout.input=step(0)");
  EXPECT_EQ(layout("1,1,1"), "strides.input=1,1,1");
}

TEST(CaseString, RoundTripsAnyCase) {
  EXPECT_TRUE(holds(
      [] {
        RapidcheckChoices choices;
        const Case testCase = anyCase(choices);
        const std::string text = caseString(testCase);
        RC_ASSERT(parseCase(text) == testCase);
        RC_ASSERT(canonical(text) == text);
      },
      5000));
}

std::string damaged(std::string text, Choices& choices) {
  constexpr std::string_view kLetters("0123456789.,:=x()- abcdefnu\xFF\0", 29);
  for (uint64_t i = 1 + choices.below(3); i > 0 && !text.empty(); --i) {
    const size_t at = choices.below(text.size());
    const char letter = kLetters[choices.below(kLetters.size())];
    switch (choices.below(3)) {
      case 0:
        text.erase(at, 1 + choices.below(4));
        break;
      case 1:
        text.insert(at, 1, letter);
        break;
      default:
        text[at] = letter;
        break;
    }
  }
  return text;
}

// Any text is a case, or a SyntaxError with a column inside the text.
TEST(CaseString, DamagedTextsAreCasesOrSyntaxErrors) {
  EXPECT_TRUE(holds(
      [] {
        RapidcheckChoices choices;
        const std::string text = damaged(caseString(anyCase(choices)), choices);
        try {
          const Case testCase = parseCase(text);
          RC_ASSERT(parseCase(caseString(testCase)) == testCase);
        } catch (const SyntaxError& error) {
          RC_ASSERT(error.column() >= 1u && error.column() <= text.size() + 1);
        }
      },
      5000));
}

TEST(CaseString, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(refusal(""), "column 1, \"\": an operator's name is missing");
  EXPECT_EQ(refusal("gather level=3.0"),
            "column 1, \"gather\": no such operator; there are gather_nd, nonzero_coordinates, "
            "gather_nd1");
  EXPECT_THAT(refusal("gather_nd level=3.5"),
              AllOf(StartsWith("column 17, \"3.5\": no such feature level; there are 2.1, 3.0"),
                    HasSubstr("6.4")));
  EXPECT_EQ(refusal("nonzero_coordinates input=f32:1 coords=1x1"),
            "column 43, \"\": level= is missing");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 coords=1x1"),
            "column 41, \"\": input= is missing");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 level=4.0"),
            "column 31, \"level\": this key occurs twice");
  EXPECT_THAT(refusal("nonzero_coordinates level=4.0 indices=u32:1"),
              StartsWith("column 31, \"indices\": no such key; nonzero_coordinates has level, "));
  EXPECT_EQ(refusal("nonzero_coordinates level"),
            "column 21, \"level\": KEY=VALUE is expected here");
  EXPECT_THAT(refusal("nonzero_coordinates level=4.0 input=f33:1 coords=1x1"),
              StartsWith("column 37, \"f33\": no such data type; there are "));
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=1x2 coords=1x1"),
            "column 37, \"1x2\": TYPE:SIZES is expected here");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:1xx2 coords=1x1"),
            "column 43, \"\": a size must be a decimal number");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:4294967296 coords=1x1"),
            "column 41, \"4294967296\": a size must be at most 4294967295");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 "
                    "seed=99999999999999999999"),
            "column 59, \"99999999999999999999\": a seed must be at most 18446744073709551615");
  EXPECT_THAT(refusal("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 fill=some"),
              StartsWith("column 59, \"some\": no such fill; there are random, zeros, "));
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 fill=single"),
            "column 59, \"single\": single needs an argument in parentheses");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 fill=ones(1)"),
            "column 59, \"ones(1)\": ones takes no argument");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=f32:1 coords=1x1 fill=density(1.5)"),
            "column 67, \"1.5\": a probability must be at most 1");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:1 coords=1x1 fill=values(1,256)"),
            "column 67, \"256\": no value of type u8");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:1 coords=1x1 fill=values(1"),
            "column 58, \"values(1\": \"(\" without \")\" at the end");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:2x2 coords=4x2 layout.input=perm(0)"),
            "column 68, \"perm(0)\": does not fit a tensor of 2 dimensions");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:2x2 coords=4x2 strides.input=1"),
            "column 69, \"1\": 2 strides expected here");
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:2 coords=2x1 layout.input=packed "
                    "strides.input=1"),
            "column 87, \"1\": layout and strides of one tensor exclude one another");
  EXPECT_THAT(refusal("nonzero_coordinates level=4.0 input=u8:2 coords=2x1 expect=reject(x)"),
              StartsWith("column 67, \"x\": no such rule to reject by"));
  EXPECT_EQ(refusal("nonzero_coordinates level=4.0 input=u8:2 coords=2x1 offset.input=1073741825"),
            "column 66, \"1073741825\": an offset must be at most 1073741824");
  EXPECT_EQ(refusal("gather_nd level=3.0 input=u8:2 indices=u32:1 output=1 dims=1"),
            "column 60, \"1\": 2 numbers expected here");
  EXPECT_EQ(refusal("gather_nd1 level=3.0 input=u8:2 indices=u32:1 output=1 dims=1,1"),
            "column 61, \"1,1\": 3 numbers expected here");
}

TEST(CaseString, BoundsDimensionsAndMessages) {
  std::string sizes = "1";
  for (int i = 0; i < 63; ++i) sizes += "x1";
  const std::string head = "nonzero_coordinates level=4.0 coords=1x1 input=u8:";
  EXPECT_EQ(canonical(head + sizes),
            "nonzero_coordinates level=4.0 input=u8:" + sizes + " coords=1x1");
  const std::string message = refusal(head + sizes + "x1");
  EXPECT_THAT(message, HasSubstr("more than 64 entries"));
  EXPECT_LT(message.size(), 200u);
}

TEST(ElementText, EveryHalfHasOneText) {
  for (uint64_t bits = 0; bits < 0x10000; ++bits) {
    std::string text;
    appendElement(text, DataType::Float16, bits);
    ASSERT_EQ(parseElement(text, DataType::Float16), bits) << text;
  }
}

TEST(ElementText, KnowsTheRangesOfTypes) {
  EXPECT_EQ(parseElement("-5.2", DataType::Float32), 0xC0A66666u);
  EXPECT_EQ(parseElement("65504", DataType::Float16), 0x7BFFu);
  EXPECT_EQ(parseElement("65520", DataType::Float16), std::nullopt);
  EXPECT_EQ(parseElement("5.9604645e-08", DataType::Float16), 1u);
  EXPECT_EQ(parseElement("-128", DataType::Int8), 0x80u);
  EXPECT_EQ(parseElement("128", DataType::Int8), std::nullopt);
  EXPECT_EQ(parseElement("-1", DataType::UInt8), std::nullopt);
  EXPECT_EQ(parseElement("0x1ff", DataType::UInt8), std::nullopt);
  for (std::string_view text : {"", "-", "nan", "inf", "-inf", "1e999", "1 ", "+1", "0x"}) {
    EXPECT_EQ(parseElement(text, DataType::Float32), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace dmlcts
