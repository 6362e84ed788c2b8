// Expectation files: what they waive, what they do not, and what is wrong with bad ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/cases/case_string.h"
#include "conformance/expectations.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

const std::string kCase =
    "gather_nd level=3.0 input=f16:1x4 indices=u32:1x1 output=1x4 dims=2,2 fill=ramp";

gpu::Identity identity() {
  gpu::Identity identity;
  identity.target = "directml";
  identity.vendorId = 0x10de;
  identity.driver = "NVIDIA 580.159.03";
  identity.runtime = "libvkd3d 1.2";
  return identity;
}

Expectations parse(const std::string& members, const std::string& today = "2026-11-21") {
  return Expectations::parse("{\"expectations\": [{" + members + "}]}", "known.json", identity(),
                             today);
}

// What becomes of a verdict of kCase.
Verdict applied(Expectations expectations, Verdict verdict) {
  std::string message;
  const Case testCase = parseCase(kCase);
  return expectations.apply(testCase, caseString(testCase), verdict, message);
}

const std::string kWaiver =
    "\"query\": \"gather_nd input=f16:*\", \"verdict\": \"Fail\", \"reason\": \"known\"";

TEST(Expectations, WaiveExactlyWhatTheyName) {
  EXPECT_EQ(applied(parse(kWaiver), Verdict::Fail), Verdict::Waived);
  EXPECT_EQ(applied(parse(kWaiver), Verdict::Crash), Verdict::Crash);
  EXPECT_EQ(applied(parse(kWaiver), Verdict::Pass), Verdict::UnexpectedPass);
  const std::string other =
      "\"query\": \"gather_nd input=f32:*\", \"verdict\": \"Fail\", \"reason\": \"known\"";
  EXPECT_EQ(applied(parse(other), Verdict::Fail), Verdict::Fail);
  const std::string exact =
      "\"case\": \"" + kCase + "\", \"verdict\": \"Fail\", \"reason\": \"known\"";
  EXPECT_EQ(applied(parse(exact), Verdict::Fail), Verdict::Waived);
}

TEST(Expectations, AllowWhatFailsOnlySometimes) {
  const std::string sometimes = kWaiver + ", \"sometimes\": true";
  EXPECT_EQ(applied(parse(sometimes), Verdict::Fail), Verdict::Waived);
  EXPECT_EQ(applied(parse(sometimes), Verdict::Pass), Verdict::Pass);
  EXPECT_EQ(applied(parse(sometimes), Verdict::Crash), Verdict::Crash);
  EXPECT_TRUE(parse(sometimes).unused().empty());
}

TEST(Expectations, ExpireOnTheirDay) {
  const std::string expiring = kWaiver + ", \"expires\": \"2027-01-01\"";
  EXPECT_EQ(applied(parse(expiring, "2026-12-31"), Verdict::Fail), Verdict::Waived);
  EXPECT_EQ(applied(parse(expiring, "2027-01-01"), Verdict::Fail), Verdict::Fail);
  EXPECT_THAT(parse(expiring, "2027-01-01").warnings().at(0), HasSubstr("expired on 2027-01-01"));
}

TEST(Expectations, HoldOnlyForTheTargetsTheyName) {
  const auto waives = [](const std::string& when) {
    return applied(parse(kWaiver + ", \"when\": {" + when + "}"), Verdict::Fail) == Verdict::Waived;
  };
  EXPECT_TRUE(waives("\"target\": \"direct*\""));
  EXPECT_FALSE(waives("\"target\": \"d3d12\""));
  EXPECT_TRUE(waives("\"vendor\": \"0x10de\""));
  EXPECT_FALSE(waives("\"vendor\": \"4098\""));
  EXPECT_TRUE(waives("\"runtime\": \"libvkd3d 1.*\""));
  EXPECT_TRUE(waives("\"driver\": {\"from\": \"580.100\", \"through\": \"580\"}"));
  EXPECT_FALSE(waives("\"driver\": {\"from\": \"590\"}"));
  EXPECT_FALSE(waives("\"driver\": {\"through\": \"570.9\"}"));
}

TEST(Expectations, NameTheUnused) {
  EXPECT_THAT(parse(kWaiver).unused().at(0), HasSubstr("gather_nd input=f16:*"));
}

TEST(Expectations, RefuseBadFilesSayingWhere) {
  const auto complaint = [](const std::string& members) -> std::string {
    try {
      parse(members);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string place = "known.json: expectations[0]: ";
  EXPECT_EQ(complaint("\"verdict\": \"Fail\""), place + "needs either \"query\" or \"case\"");
  EXPECT_THAT(complaint("\"query\": \"gather_nd nonsense=1\", \"verdict\": \"Fail\""),
              HasSubstr(place));
  EXPECT_THAT(complaint("\"query\": \"*\", \"verdict\": \"Pass\", \"reason\": \"x\""),
              HasSubstr("\"verdict\" is \"Pass\""));
  EXPECT_THAT(complaint("\"query\": \"*\", \"verdict\": \"Fail\""),
              HasSubstr("needs a \"reason\""));
  EXPECT_THAT(complaint(kWaiver + ", \"expires\": \"tomorrow\""), HasSubstr("not a date"));
  EXPECT_THAT(complaint(kWaiver + ", \"sometimes\": 1"), HasSubstr("not true or false"));
  EXPECT_THAT(complaint(kWaiver + ", \"colour\": 1"), HasSubstr("unknown member \"colour\""));
  EXPECT_THAT(complaint(kWaiver + ", \"when\": {\"vendor\": \"ten\"}"), HasSubstr("not a number"));
  EXPECT_THROW(Expectations::parse("{", "known.json", identity(), ""), std::runtime_error);
  EXPECT_THROW(Expectations::parse("[]", "known.json", identity(), ""), std::runtime_error);
}

}  // namespace
}  // namespace dmlcts
