// Poison, guard bands, gaps, comparison and judgement: each seen failing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/cases/case_string.h"
#include "conformance/comparison.h"
#include "conformance/judge.h"
#include "conformance/mutants/oracle_target.h"
#include "conformance/poison.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

// A case, and what a flawless target answers to it.
struct Answered {
  Case testCase;
  PreparedCase prepared;
  std::vector<gpu::Answer> answers;
  gpu::Identity identity;

  explicit Answered(const std::string& text, uint32_t repeat = 1) : testCase(parseCase(text)) {
    prepared = prepare(testCase, 1, repeat);
    const auto target = makeOracleTarget("reference");
    answers = target->run(prepared.requests);
    identity = target->identity();
  }

  Judgement judged() const { return judge(prepared, answers, identity); }
  std::vector<uint8_t>& output(size_t index = 0) { return answers[0].outputs[index]; }
};

const std::string kGather =
    "gather_nd level=3.0 input=u16:5x3 indices=i32:2x1 output=2x3 fill=unique seed=3";
const std::string kStrided =
    "gather_nd level=3.0 input=u8:5x3 indices=i32:2x1 output=2x3 fill=unique seed=3 "
    "strides.output=8,2 total.output=32";
const std::string kNonzero =
    "nonzero_coordinates level=4.0 input=f32:2x6 coords=12x2 fill=alternate seed=3";

TEST(Poison, FillsEveryDefinedByteWithTheComplementOfWhatIsExpected) {
  const Answered answered(kNonzero);
  const auto& images = answered.prepared.requests[0].outputs;
  for (size_t i = 0; i < images.size(); ++i) {
    const ExpectedOutput& expected = answered.prepared.expected[i];
    EXPECT_EQ(images[i].offset, kGuardBytes);
    EXPECT_EQ(images[i].bytes.size(), images[i].size + 2 * kGuardBytes);
    for (size_t at = 0; at < expected.bytes.size(); ++at) {
      if (expected.status[at] != ByteStatus::Defined) continue;
      EXPECT_EQ(images[i].bytes[kGuardBytes + at], static_cast<uint8_t>(~expected.bytes[at]));
    }
  }
}

TEST(Poison, DiffersFromRunToRun) {
  const Answered answered(kStrided, 2);
  EXPECT_NE(answered.prepared.requests[0].outputs, answered.prepared.requests[1].outputs);
  EXPECT_EQ(answered.prepared.requests[0].inputs, answered.prepared.requests[1].inputs);
}

TEST(Judge, PassesAFlawlessTarget) {
  for (const std::string& text : {kGather, kStrided, kNonzero}) {
    EXPECT_EQ(Answered(text).judged(), (Judgement{Verdict::Pass, "", {}})) << text;
  }
}

TEST(Judge, FailsATargetThatDoesNothing) {
  for (const std::string& text : {kGather, kStrided, kNonzero}) {
    Answered answered(text);
    const auto& sent = answered.prepared.requests[0].outputs;
    for (size_t i = 0; i < sent.size(); ++i) answered.output(i) = sent[i].bytes;
    const Judgement judgement = answered.judged();
    EXPECT_EQ(judgement.verdict, Verdict::Fail);
    EXPECT_THAT(judgement.differences.front(), HasSubstr("(not written)"));
  }
}

// Every single byte of every output buffer is either compared or legally undefined.
TEST(Judge, NoticesEachByteThatMatters) {
  for (const std::string& text : {kGather, kStrided, kNonzero}) {
    Answered answered(text);
    for (size_t i = 0; i < answered.prepared.expected.size(); ++i) {
      const auto& status = answered.prepared.expected[i].status;
      for (size_t at = 0; at < answered.output(i).size(); ++at) {
        const bool inTensor = at >= kGuardBytes && at - kGuardBytes < status.size();
        const bool undefined = inTensor && status[at - kGuardBytes] == ByteStatus::Undefined;
        answered.output(i)[at] ^= 1;
        EXPECT_EQ(answered.judged().verdict, undefined ? Verdict::Pass : Verdict::Fail)
            << text << " output " << i << " byte " << at;
        answered.output(i)[at] ^= 1;
      }
    }
  }
}

TEST(Judge, SaysWhatDiffersAndWhere) {
  Answered answered(kGather);
  answered.output()[kGuardBytes + 8] ^= 0xFF;  // element [1,1], 2 bytes wide
  answered.output()[3] ^= 0xFF;
  const Judgement judgement = answered.judged();
  EXPECT_EQ(judgement.message, "1 wrong elements, 1 bytes written that belong to no element");
  ASSERT_EQ(judgement.differences.size(), 2u);
  EXPECT_THAT(judgement.differences[0], HasSubstr("125 bytes in front of the tensor"));
  EXPECT_THAT(judgement.differences[1], HasSubstr("output[1,1] at byte 8: expected 0x"));
}

TEST(Judge, NoticesInputsOverwritten) {
  Answered answered(kGather);
  answered.answers[0].inputs[1][kGuardBytes] ^= 1;
  EXPECT_EQ(answered.judged().message, "1 bytes of inputs overwritten");
}

TEST(Judge, CallsACaseThatProvesNothingVacuous) {
  const Judgement judgement =
      Answered("gather_nd level=3.0 input=f32:1x8 indices=u32:3x1 output=1x3 dims=1,2 fill=zeros")
          .judged();
  EXPECT_EQ(judgement.verdict, Verdict::Vacuous);
  EXPECT_THAT(judgement.message, HasSubstr("any index would do"));
}

TEST(Judge, HoldsRejectionsAgainstTheTarget) {
  const std::string text =
      "gather_nd level=2.1 input=f32:1x1x2x2 indices=i32:1x1x2x1 output=1x1x2x2 dims=2,2 "
      "expect=reject(gather_nd.index-types-2.1)";
  Answered answered(text);
  EXPECT_EQ(answered.judged().verdict, Verdict::Pass);
  answered.answers[0].hresult = static_cast<int32_t>(0x80004005);
  EXPECT_THAT(answered.judged().message, HasSubstr("0x80004005, not E_INVALIDARG"));
  answered.answers[0].status = gpu::Status::Created;
  EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
  EXPECT_THAT(answered.judged().message, HasSubstr("breaks gather_nd.index-types-2.1"));
  answered.identity.limits["levelGate"] = "none";
  EXPECT_EQ(answered.judged().verdict, Verdict::NotSupported);
}

TEST(Judge, FailsTheRejectionOfAValidDescriptor) {
  Answered answered(kGather);
  answered.answers[0].status = gpu::Status::Rejected;
  answered.answers[0].hresult = static_cast<int32_t>(0x80070057);
  EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
  EXPECT_THAT(answered.judged().message, HasSubstr("rejected a valid descriptor"));
}

TEST(Judge, NamesTheRunsThatDiffer) {
  Answered answered(kGather, 4);
  EXPECT_EQ(answered.judged().verdict, Verdict::Pass);
  answered.answers[2].outputs[0][kGuardBytes] ^= 1;
  const Judgement judgement = answered.judged();
  EXPECT_EQ(judgement.verdict, Verdict::Fail);
  EXPECT_THAT(judgement.message, HasSubstr("run 3 of 4 differs from run 1"));
}

TEST(Judge, KeepsTheOtherOutcomesApart) {
  Answered answered(kGather);
  gpu::Answer& answer = answered.answers[0];
  answer.message = "words";
  answer.status = gpu::Status::NotSupported;
  EXPECT_EQ(answered.judged(), (Judgement{Verdict::NotSupported, "words", {}}));
  answer.status = gpu::Status::DeviceRemoved;
  EXPECT_EQ(answered.judged(), (Judgement{Verdict::DeviceRemoved, "words", {}}));
  answer.status = gpu::Status::Failed;
  EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
}

TEST(Compare, RefusesBuffersOfOtherSizes) {
  Answered answered(kGather);
  answered.output().pop_back();
  EXPECT_THROW(answered.judged(), std::runtime_error);
}

}  // namespace
}  // namespace dmlcts
