// Poison, guard bands, gaps, comparison and judgement: each must detect a fault.

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

#include "conformance/language/case_string.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/run/judging/comparison.h"
#include "conformance/run/judging/judge.h"
#include "conformance/run/judging/poison.h"
#include "reference/element.h"
#include "reference/evaluate.h"

namespace dmlcts {
namespace {

using Rules = std::vector<std::string>;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A case, and the answer of a mutant or of a flawless target.
struct Answered {
  Case testCase;
  PreparedCase prepared;
  std::vector<gpu::Answer> answers;
  gpu::Identity identity;

  explicit Answered(const std::string& text, uint32_t repeat = 1, std::string_view mutant = "")
      : testCase(parseCase(text)) {
    prepared = prepare(testCase, 1, repeat);
    const auto target =
        makeOracleTarget("reference", mutant.empty() ? Mutation{} : findMutant(mutant)->mutation);
    answers = target->run(prepared.requests);
    identity = target->identity();
  }

  Judgement judged(Strictness strictness = Strictness::Strict) const {
    return judge(prepared, answers, {identity.maxLevel, strictness});
  }
  Judgement lenient() const { return judged(Strictness::Documents); }
  // The binding offset of an output in its buffer.
  uint64_t offset(size_t output = 0) const { return prepared.requests[0].outputs[output].offset; }
  std::vector<uint8_t>& output(size_t index = 0) { return answers[0].outputs[index]; }
};

const std::string kGather =
    "gather_nd level=3.0 input=u16:5x3 indices=i32:2x1 output=2x3 fill=unique seed=3";
const std::string kStrided =
    "gather_nd level=3.0 input=u8:5x3 indices=i32:2x1 output=2x3 fill=unique seed=3 "
    "strides.output=8,2 total.output=32";
const std::string kRejected =
    "gather_nd level=3.0 input=f32:1x1x2x2 indices=u8:1x1x2x1 output=1x1x2x2 dims=2,2 "
    "expect=reject(gather_nd.index-types)";
const std::string kNonzero =
    "nonzero_coordinates level=4.0 input=f32:2x6 coords=12x2 fill=alternate seed=3";

// Returns the first difference after `change` modified the output.
std::string firstDifference(Answered answered, const std::function<void(uint8_t* at)>& change,
                            size_t output) {
  change(&answered.output(output)[answered.offset(output)]);
  const Judgement judgement = answered.judged();
  return judgement.differences.empty() ? "" : judgement.differences.front().text();
}

TEST(Compare, TakesNoOutputOfWhichFewerBytesAreExpected) {
  const Answered whole("nonzero_coordinates level=4.0 input=f32:4 coords=4x1 fill=all");
  auto expected = whole.prepared.expected;
  expected.back().status = ByteStatuses(expected.back().status.size() - 4, 4);
  EXPECT_THROW(compare(whole.prepared.requests[0], expected, whole.answers[0]), std::logic_error);
}

TEST(Meaning, OfAGatheredValueIsTheInputElementWithItsBits) {
  const std::string name =
      "gather_nd level=3.0 input=u16:5x3 indices=i32:2x1 output=2x3 fill=unique index=values(4,1)";
  const auto inputOf = [](const Answered& answered, size_t element) {
    const gpu::BufferImage& image = answered.prepared.requests[0].inputs[0];
    return loadBits(image.bytes, image.offset + 2 * element, 2);
  };
  const Answered answered(name);
  EXPECT_THAT(firstDifference(
                  answered,
                  [&](uint8_t* at) { storeBits({at, 2}, 0, 2, inputOf(answered, 3 * 2 + 1)); }, 0),
              HasSubstr(" (input[2,1], expected input[4,0])"));
  // A value of no element, then a value of several elements.
  EXPECT_THAT(firstDifference(
                  answered, [&](uint8_t* at) { storeBits({at, 2}, 0, 2, 0xFFFE); }, 0),
              Not(HasSubstr("(")));
  const Answered equal(
      "gather_nd level=3.0 input=u8:4x1 indices=i32:2x1 output=2x1 fill=values(7,9,9,5) "
      "index=values(0,3)");
  EXPECT_THAT(firstDifference(equal, [](uint8_t* at) { *at = 9; }, 0), Not(HasSubstr("(input")));
}

TEST(Meaning, OfCoordinatesIsTheirRowAndOfACountTheNumber) {
  const auto swapRows = [](uint8_t* at) { std::swap_ranges(at, at + 8, at + 16); };
  EXPECT_THAT(firstDifference(Answered(kNonzero), swapRows, 1),
              HasSubstr(" (rows 0 and 2 swapped)"));
  const auto copyRow = [](uint8_t* at) { std::copy(at + 16, at + 24, at); };
  EXPECT_THAT(firstDifference(Answered(kNonzero), copyRow, 1),
              AllOf(HasSubstr(" (row 2, expected row 0; ["), HasSubstr(") is missing)")));
  const auto invent = [](uint8_t* at) { *at = 77; };
  EXPECT_THAT(firstDifference(Answered(kNonzero), invent, 1),
              AllOf(HasSubstr(" (row [77,"), HasSubstr("], expected ["),
                    HasSubstr("] is not to be listed; ["), HasSubstr(") is missing)")));
  EXPECT_THAT(firstDifference(Answered(kNonzero), invent, 0), HasSubstr(" (77, expected "));
}

TEST(Meaning, OfCoordinatesNamesTheElementThatIsMissingOrListedWrongly) {
  const Answered small(
      "nonzero_coordinates level=4.0 input=f32:3 coords=3x1 fill=values(0x2a3f1234,-0,2)");
  // The first row is lost, so the second takes its place; then zero is listed instead of it.
  EXPECT_THAT(firstDifference(
                  small, [](uint8_t* at) { std::copy(at + 4, at + 8, at); }, 1),
              HasSubstr(" (row 1, expected row 0; [0] = 0x2a3f1234 (1.7e-13) is missing)"));
  EXPECT_THAT(firstDifference(
                  small, [](uint8_t* at) { *at = 1; }, 1),
              HasSubstr(" (row [1], expected [0]; [1] = 0x80000000 (-0) is not to be listed; [0] = "
                        "0x2a3f1234 (1.7e-13) is missing)"));
  const Answered one("nonzero_coordinates level=4.0 input=i8:1x2 coords=2x1 fill=values(0,-3)");
  const auto sent = [&](uint8_t* at) {
    const gpu::BufferImage& before = one.prepared.requests[0].outputs[1];
    std::copy_n(before.bytes.begin() + static_cast<ptrdiff_t>(before.offset), 4, at);
  };
  EXPECT_THAT(firstDifference(one, sent, 1),
              HasSubstr(" (not written; [1] = 0xfd (-3) is missing)"));
}

// If poison depended only on the expected bytes, a target could derive them.
TEST(Poison, LeavesNoDefinedByteRightAndTellsNothingOfIt) {
  const Answered answered(kNonzero);
  const PreparedCase other = prepare(answered.testCase, 2);
  std::set<uint8_t> masks;
  for (size_t i = 0; i < answered.prepared.expected.size(); ++i) {
    const ReferenceOutput& expected = answered.prepared.expected[i];
    const gpu::BufferImage& image = answered.prepared.requests[0].outputs[i];
    const gpu::BufferImage& again = other.requests[0].outputs[i];
    EXPECT_EQ(image.bytes.size(), image.offset + image.size + kGuardBytes);
    for (size_t at = 0; at < expected.bytes.size(); ++at) {
      if (expected.status[at] != ByteStatus::Defined) continue;
      EXPECT_NE(image.bytes[image.offset + at], expected.bytes[at]);
      EXPECT_NE(again.bytes[again.offset + at], expected.bytes[at]);
      masks.insert(image.bytes[image.offset + at] ^ expected.bytes[at]);
    }
    EXPECT_NE(image.bytes, again.bytes) << "every run and retry has other poison";
  }
  EXPECT_GT(masks.size(), 20u);
}

// A NaN could pass as a copy of another NaN by an inferred rule.
TEST(Poison, IsNoNaN) {
  const Case testCase = parseCase(
      "gather_nd level=6.4 input=f16:64x1 indices=u32:64x1 output=64x1 fill=nans index=identity");
  for (uint64_t run = 0; run < 200; ++run) {
    const PreparedCase prepared = prepare(testCase, run);
    const gpu::BufferImage& image = prepared.requests[0].outputs[0];
    for (uint64_t i = 0; i < 64; ++i) {
      const uint64_t bits = loadBits(image.bytes, image.offset + 2 * i, 2);
      EXPECT_FALSE(floatFormat(DataType::Float16).isNan(bits)) << bits;
      for (uint64_t at = 2 * i; at < 2 * i + 2; ++at) {
        EXPECT_NE(image.bytes[image.offset + at], prepared.expected[0].bytes[at]);
      }
    }
  }
}

TEST(Binding, UsesEveryMultipleOf16To256) {
  std::set<uint64_t> offsets;
  Case testCase = parseCase(kGather);
  for (testCase.seed = 0; testCase.seed < 200; ++testCase.seed) {
    for (size_t slot = 0; slot < 3; ++slot) offsets.insert(bindingOffset(testCase, slot));
  }
  std::set<uint64_t> wanted;
  for (uint64_t offset = 16; offset <= 256; offset += 16) wanted.insert(offset);
  EXPECT_EQ(offsets, wanted);
}

TEST(Binding, IsWhereTheCaseSays) {
  const Answered answered(kGather + " offset.indices=4080 offset.output=0");
  EXPECT_EQ(answered.prepared.requests[0].inputs[1].offset, 4080u);
  EXPECT_EQ(answered.offset(), 0u);
  EXPECT_EQ(answered.judged().verdict, Verdict::Pass);
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
    EXPECT_EQ(judgement.differences.front().note, "not written");
  }
}

// A wrong byte is the poison in 1 of 255 cases.
TEST(Judge, CallsNothingUnwrittenThatMayBeChance) {
  const std::string bytes =
      "gather_nd level=3.0 input=u8:6x5 indices=u32:2x1 output=2x5 fill=unique";
  for (const bool others : {false, true}) {
    Answered answered(bytes);
    const gpu::BufferImage& sent = answered.prepared.requests[0].outputs[0];
    const uint64_t at = answered.offset();
    answered.output(0)[at] = sent.bytes[at];
    if (others) {
      for (uint64_t i = at + 1; i < at + 10; ++i) answered.output(0)[i] = sent.bytes[i] ^ 0x80;
    }
    EXPECT_NE(answered.judged().differences.front().note, "not written");
  }
  Answered answered(bytes);
  answered.output(0) = answered.prepared.requests[0].outputs[0].bytes;
  EXPECT_EQ(answered.judged().differences.front().note, "not written");
}

// Every byte of every output buffer is compared or undefined.
TEST(Judge, NoticesEachByteThatMatters) {
  for (const std::string& text : {kGather, kStrided, kNonzero}) {
    Answered answered(text);
    for (size_t i = 0; i < answered.prepared.expected.size(); ++i) {
      const auto& status = answered.prepared.expected[i].status;
      for (size_t at = 0; at < answered.output(i).size(); ++at) {
        const uint64_t offset = answered.offset(i);
        const bool inTensor = at >= offset && at - offset < status.size();
        const bool undefined = inTensor && status[at - offset] == ByteStatus::Undefined;
        answered.output(i)[at] ^= 1;
        if (undefined) {
          EXPECT_EQ(answered.judged(Strictness::Documents).verdict, Verdict::Pass);
        }
        EXPECT_EQ(answered.judged().verdict, Verdict::Fail)
            << text << " output " << i << " byte " << at;
        answered.output(i)[at] ^= 1;
      }
    }
  }
}

TEST(Judge, SaysWhatDiffersAndWhere) {
  Answered answered(kGather);
  answered.output()[answered.offset() + 8] ^= 0xFF;  // element [1,1], 2 bytes wide
  answered.output()[3] ^= 0xFF;
  const Judgement judgement = answered.judged();
  EXPECT_EQ(judgement.message, "1 wrong element, 1 byte outside the tensor written");
  ASSERT_EQ(judgement.differences.size(), 2u);
  EXPECT_THAT(judgement.differences[0].text(), HasSubstr(std::to_string(answered.offset() - 3) +
                                                         " bytes in front of the tensor: h"));
  const Difference& element = judgement.differences[1];
  EXPECT_EQ(element.element, (std::vector<uint32_t>{1, 1}));
  EXPECT_EQ(element.text(), "output[1,1] at byte 8: expected 0x" + element.expected +
                                ", actual 0x" + element.actual);
}

TEST(Judge, NoticesInputsOverwritten) {
  Answered answered(kGather);
  answered.answers[0].inputs[1][kGuardBytes] ^= 1;
  const Judgement judgement = answered.judged();
  EXPECT_EQ(judgement.message, "1 byte of the inputs overwritten");
  EXPECT_EQ(judgement.kinds, (Kinds{{"input-bytes", 1}}));
}

TEST(Judge, CallsACaseThatProvesNothingVacuous) {
  const Judgement judgement =
      Answered("gather_nd level=3.0 input=f32:1x8 indices=u32:3x1 output=1x3 dims=1,2 fill=zeros")
          .judged();
  EXPECT_EQ(judgement.verdict, Verdict::Vacuous);
  EXPECT_THAT(judgement.message, HasSubstr("any index would do"));
}

TEST(Judge, LooksAtHowADescriptorIsRejected) {
  Answered answered(kRejected);
  EXPECT_EQ(answered.judged().verdict, Verdict::Pass);
  answered.answers[0].hresult = static_cast<int32_t>(0x80004005);
  EXPECT_THAT(answered.judged().message, HasSubstr("0x80004005, not E_INVALIDARG"));
  EXPECT_EQ(answered.judged().kinds, (Kinds{{"hresult", 1}}));
  answered.answers[0].status = gpu::Status::Created;
  answered.answers[0].hresult = 0;
  EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
  EXPECT_THAT(answered.judged().message, HasSubstr("breaks gather_nd.index-types"));
  EXPECT_EQ(answered.judged().kinds, (Kinds{{"accepted", 1}}));
}

// Rules of Standing::Ours are observed, and fail only under --strict.
TEST(Strictness, ObservesWhatIsOurs) {
  Answered padded(kStrided);
  padded.output()[padded.offset() + 31] ^= 1;
  EXPECT_EQ(padded.lenient().verdict, Verdict::Pass);
  EXPECT_EQ(padded.lenient().observations,
            (std::map<std::string, uint64_t>{{"tensor.untouched", 1}}));
  EXPECT_EQ(padded.judged().verdict, Verdict::Fail);
  EXPECT_EQ(padded.judged().violated, Rules{"tensor.untouched"});

  Answered rejected(kRejected);
  rejected.answers[0].hresult = static_cast<int32_t>(0x80004005);
  EXPECT_EQ(rejected.lenient().verdict, Verdict::Pass);
  EXPECT_EQ(rejected.lenient().observations,
            (std::map<std::string, uint64_t>{{"call.e-invalidarg", 1}}));

  // Rows past the count, written in both runs.
  Answered repeated(kNonzero, 2);
  const size_t last = repeated.offset(1) + repeated.prepared.expected[1].bytes.size() - 1;
  for (uint8_t run : {0, 1}) {
    const uint8_t before = repeated.prepared.requests[run].outputs[1].bytes[last];
    repeated.answers[run].outputs[1][last] = static_cast<uint8_t>(before + 1 + run);
  }
  if (repeated.answers[0].outputs[1][last] == repeated.answers[1].outputs[1][last]) {
    repeated.answers[1].outputs[1][last] ^= 0x80;
  }
  EXPECT_EQ(repeated.lenient().verdict, Verdict::Pass);
  EXPECT_EQ(repeated.lenient().observations,
            (std::map<std::string, uint64_t>{{"call.undefined-repeats", 1},
                                             {"nonzero_coordinates.rows-written", 1}}));
  EXPECT_EQ(repeated.judged().verdict, Verdict::Fail);
}

// A rejection, also an arguable one, is a failing HRESULT and not a lost device.
TEST(Strictness, TakesNoSuccessAndNoLostDeviceForARejection) {
  for (const auto& [text, verdict] : std::vector<std::pair<std::string, Verdict>>{
           {kRejected, Verdict::Pass},
           {"gather_nd level=3.0 input=u16:4 indices=i32:1 output=1 fill=unique align.input=8",
            Verdict::Arguable}}) {
    Answered rejected(text);
    gpu::Answer& answer = rejected.answers[0];
    answer = {};
    answer.status = gpu::Status::Rejected;
    answer.hresult = static_cast<int32_t>(0x80070057);
    EXPECT_EQ(rejected.lenient().verdict, verdict) << text;
    for (int32_t success : {0, 1}) {
      answer.hresult = success;
      EXPECT_EQ(rejected.lenient().verdict, Verdict::Fail) << success;
      EXPECT_EQ(rejected.lenient().kinds, (Kinds{{"malformed-answer", 1}}));
    }
    for (uint32_t lost : {0x887A0005u, 0x887A0006u, 0x887A0007u, 0x887A0020u}) {
      answer.hresult = static_cast<int32_t>(lost);
      EXPECT_EQ(rejected.lenient().verdict, Verdict::DeviceRemoved) << lost;
    }
  }
}

// An unwritten element is not excused as a NaN without payload, even if it held one.
TEST(Strictness, ExcusesNoElementThatWasNotWritten) {
  Answered answered("gather_nd level=3.0 input=f16:4 indices=i32:1 output=1 fill=nans");
  storeBits(answered.output(), answered.offset(), 2, 0x7E00);
  EXPECT_EQ(answered.lenient().verdict, Verdict::Arguable);
  answered.prepared.requests[0].outputs[0].bytes = answered.output();
  EXPECT_EQ(answered.lenient().verdict, Verdict::Fail);
}

// Unwritten bytes hold different poison in each run, which is not a different answer.
TEST(Strictness, ComparesRunsByWhatWasWritten) {
  const Answered flushes(
      "nonzero_coordinates level=5.2 input=f32:1x1x1x2 coords=1x1x2x2 fill=denormals", 2,
      "denormals-flushed");
  EXPECT_EQ(flushes.lenient().verdict, Verdict::Arguable);

  Answered pads(kStrided, 2);
  for (gpu::Answer& answer : pads.answers) answer.outputs[0][pads.offset() + 1] ^= 0xFF;
  EXPECT_EQ(pads.lenient().verdict, Verdict::Pass);

  // Beyond the listed differences.
  Answered late("gather_nd level=6.4 input=f16:64x1 indices=u32:32x1 output=32x1 fill=nans seed=1",
                2);
  for (gpu::Answer& answer : late.answers) {
    for (uint64_t i = 0; i < 32; ++i)
      storeBits(answer.outputs[0], late.offset() + 2 * i, 2, 0x7E00);
  }
  EXPECT_EQ(late.lenient().verdict, Verdict::Arguable);
  storeBits(late.answers[1].outputs[0], late.offset() + 2 * 31, 2, 0xFE00);
  EXPECT_EQ(late.lenient().verdict, Verdict::Fail);
  EXPECT_EQ(late.lenient().violated, Rules{"call.repeatable"});
}

TEST(Strictness, NeverExcusesWhatPagesForbid) {
  Answered guard(kStrided);
  guard.output()[guard.offset() + 32] ^= 1;
  EXPECT_EQ(guard.lenient().verdict, Verdict::Fail);
  EXPECT_EQ(guard.lenient().violated, Rules{"tensor.no-write-outside-total"});
  Answered input(kGather);
  input.answers[0].inputs[0][kGuardBytes + 16] ^= 1;
  EXPECT_EQ(input.lenient().verdict, Verdict::Fail);
  EXPECT_EQ(input.lenient().violated, Rules{"tensor.inputs-unchanged"});
  Answered repeated(kGather, 2);
  repeated.answers[1].outputs[0][repeated.offset()] ^= 1;
  EXPECT_EQ(repeated.lenient().verdict, Verdict::Fail);
}

// Targets that treat FLOAT32 or FLOAT16 denormals as zero, in all elements or in some.
TEST(Strictness, CallsFlushedDenormalsArguable) {
  const auto flushed = [](const std::string& input, std::string_view mutant, int seed = 3) {
    return Answered("nonzero_coordinates level=4.0 input=" + input +
                        ":2x31 coords=62x2 fill=mixed seed=" + std::to_string(seed),
                    1, mutant);
  };
  Answered wide = flushed("f32", "denormals-flushed");
  EXPECT_EQ(wide.lenient().verdict, Verdict::Arguable);
  EXPECT_EQ(wide.lenient().violated, Rules{"nonzero_coordinates.float32-denormals"});
  EXPECT_EQ(wide.judged().verdict, Verdict::Fail);
  const Judgement narrow = flushed("f16", "denormals-flushed").lenient();
  EXPECT_EQ(narrow.verdict, Verdict::Arguable);
  EXPECT_EQ(narrow.violated, Rules{"nonzero_coordinates.not-zero-values"});
  // Flushed in a kernel's vectors, and not in the elements behind them.
  for (int seed = 0; seed < 20; ++seed) {
    const Judgement some = flushed("f32", "denormals-flushed-in-vectors", seed).lenient();
    EXPECT_EQ(some.verdict, Verdict::Arguable) << seed;
    EXPECT_EQ(some.violated, wide.lenient().violated) << seed;
  }
  // With another wrong coordinate, denormals no longer explain the failure.
  wide.output(1)[wide.offset(1)] ^= 1;
  EXPECT_EQ(wide.lenient().verdict, Verdict::Fail);
}

// NaNs that arithmetic may produce: the same one made quiet, and one without payload. Another NaN
// of the input means a wrong index.
TEST(Strictness, CallsOtherNanPayloadsArguable) {
  Answered answered(
      "gather_nd level=3.0 input=f32:2 indices=i32:1 output=1 fill=values(0x7f812345,0xffa54321) "
      "index=values(0)");
  const auto verdictOf = [&](uint32_t bits) {
    storeBits(answered.output(), answered.offset(), 4, bits);
    return answered.lenient().verdict;
  };
  EXPECT_EQ(verdictOf(0x7f812345), Verdict::Pass);
  for (uint32_t bits : {0x7fc12345u, 0x7fc00000u, 0xffc00000u, 0x7fffffffu, 0xffffffffu}) {
    EXPECT_EQ(verdictOf(bits), Verdict::Arguable) << bits;
    EXPECT_EQ(answered.lenient().violated, Rules{"gather_nd.nan-payload"});
    EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
  }
  for (uint32_t bits : {0xffa54321u, 0xffe54321u, 0x7f812344u, 0x3f800000u, 0x7f800000u}) {
    EXPECT_EQ(verdictOf(bits), Verdict::Fail) << bits;
  }
}

TEST(Strictness, CallsInferredRejectionsArguable) {
  const auto accepted = [](const std::string& text) {
    Answered answered(text);
    answered.answers[0].status = gpu::Status::Created;
    answered.answers[0].hresult = 0;
    return answered;
  };
  const Answered inferred = accepted(
      "gather_nd level=2.1 input=f32:2x2x2x2 indices=u32:1x2x2x2 output=1x2x2x2 dims=3,3 "
      "expect=reject(gather_nd.input-leading-ones)");
  EXPECT_EQ(inferred.lenient().verdict, Verdict::Arguable);
  EXPECT_EQ(inferred.judged().verdict, Verdict::Fail);
  EXPECT_EQ(accepted(kRejected).lenient().verdict, Verdict::Fail);
  // A rule that two tensors break is one rule.
  const Answered twice = accepted(
      "nonzero_coordinates level=4.0 input=i8:0 coords=1x0x1 expect=reject(tensor.sizes-nonzero)");
  EXPECT_EQ(twice.lenient().violated, Rules{"tensor.sizes-nonzero"});
}

TEST(Judge, LeavesOpenWhatOnlyALevelAsksFor) {
  const std::string text =
      "gather_nd level=2.1 input=f32:1x1x2x2 indices=i32:1x1x2x1 output=1x1x2x2 dims=2,2 "
      "expect=reject(gather_nd.index-types-2.1)";
  Answered answered(text);
  EXPECT_EQ(answered.judged(), (Judgement{Verdict::Pass, "", {}, {}, true}));
  answered.answers[0].status = gpu::Status::Created;
  answered.answers[0].hresult = 0;
  EXPECT_EQ(answered.judged().verdict, Verdict::NotAsked);
  EXPECT_TRUE(answered.judged().levelOnly);
  EXPECT_TRUE(answered.judged().violated.empty()) << "nothing that it was asked";
  // A device of level 2.1 itself cannot accept it.
  answered.identity.maxLevel = Level::L2_1;
  EXPECT_EQ(answered.judged().verdict, Verdict::Fail);
}

TEST(Judge, TakesNoSuccessWithAFailureAndNoNotSupportedWithoutAQuery) {
  Answered success(kGather), unsupported(kGather), rejected(kGather);
  success.answers[0].hresult = static_cast<int32_t>(0x80004005);
  unsupported.answers[0].status = gpu::Status::NotSupported;
  for (const Answered* answered : {&success, &unsupported}) {
    EXPECT_EQ(answered->judged().verdict, Verdict::Fail);
    EXPECT_EQ(answered->judged().kinds, (Kinds{{"malformed-answer", 1}}));
  }
  rejected.answers[0].status = gpu::Status::Rejected;
  rejected.answers[0].hresult = static_cast<int32_t>(0x80070057);
  EXPECT_EQ(rejected.judged().verdict, Verdict::Fail);
  EXPECT_THAT(rejected.judged().message, HasSubstr("rejected a valid descriptor"));
}

TEST(Judge, NamesTheRunsThatDiffer) {
  Answered answered(kGather, 4);
  EXPECT_EQ(answered.judged().verdict, Verdict::Pass);
  answered.answers[2].outputs[0][answered.offset()] ^= 1;
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
  EXPECT_EQ(answered.judged(),
            (Judgement{Verdict::DeviceRemoved, "words", {}, {{"device-removed", 1}}}));
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
