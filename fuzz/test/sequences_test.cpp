#include <gmock/gmock.h>

#include "conformance/cases/language/case_string.h"
#include "conformance/mutants/oracle_target.h"
#include "conformance/run/judging/program_model.h"
#include "conformance/test/rapidcheck_choices.h"
#include "conformance/test/thrown.h"
#include "fuzz/sequence_generator.h"
#include "reference/evaluate.h"

namespace dmlcts {
namespace {

using gpu::kSequenceMutants;
using gpu::SequenceMutantInfo;

constexpr const char* kGather =
    "operator 0 gather_nd level=4.0 input=u32:4x2 indices=u32:3x1 output=3x2; buffer 0 256 seed=1 "
    "16=0.input/3 64=0.indices/4; buffer 1 128 seed=2; create 0; compile 0; initialize 0; ";
constexpr const char* kBound = "bind 0 0 inputs=0@16,0@64 outputs=1@16; ";

Program generated() {
  RapidcheckChoices choices;
  return drawProgram(choices, Level::L6_4).program;
}

Judgement answered(const Program& program, Strictness strictness, Mutation mutation) {
  const auto target = makeOracleTarget("host", std::move(mutation));
  return judge(program, target->runProgram(sequenceOf(program)).value(), strictness);
}

Judgement answered(const Program& program, Strictness strictness, std::string_view fault = "") {
  return answered(program, strictness, Mutation{.sequences = fault});
}

// No fault: writes noise where the documents allow it.
Mutation noise() {
  return {.after = [](Passage& passage) {
    const auto results = evaluate(passage.descriptor, passage.inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      gpu::BufferImage& image = passage.outputs[i];
      for (size_t at = 0; at < results[i].bytes.size(); ++at) {
        if (results[i].status[at] == ByteStatus::Defined) continue;
        uint8_t& byte = image.bytes[image.offset + at];
        byte = static_cast<uint8_t>(size_t{byte} * 5 + at + 1);
      }
    }
  }};
}

TEST(Sequences, areReadAsPrinted) {
  EXPECT_TRUE(rc::check([] {
    const Program program = generated();
    RC_ASSERT(parseProgram(programText(program)) == program);
    std::string lines = "# a comment; of any kind\n";
    for (const std::string& line : programLines(program)) lines += line + "\n";
    RC_ASSERT(parseProgram(lines) == program);
    RC_ASSERT(isProgramText(lines));
  }));
}

// Compares two formulations of the oracle. The model executes at once, byte by byte; the host
// executes lists when they are waited for.
TEST(Sequences, areValidAndHoldForTheOracle) {
  EXPECT_TRUE(rc::check([] {
    const Program program = generated();
    RC_ASSERT(whyInvalid(program) == "");
    const Judgement strict = answered(program, Strictness::Strict);
    RC_ASSERT(strict.verdict == Verdict::Pass || strict.verdict == Verdict::Vacuous);
    const Judgement open = answered(program, Strictness::Documents, noise());
    RC_ASSERT(open.verdict == Verdict::Pass || open.verdict == Verdict::Vacuous);
  }));
}

// Noise reaches bytes that --strict defines, so the other specification edition does exclude
// something.
TEST(Sequences, leaveSomethingOpen) {
  size_t caught = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    const Program program = fuzzProgram(1, i, Level::L6_4).program;
    caught += answered(program, Strictness::Strict, noise()).verdict == Verdict::Fail;
  }
  EXPECT_GT(caught, 5u);
}

TEST(Sequences, sayWhereTextIsWrong) {
  const auto problemOf = [](const std::string& text) -> std::string {
    return thrown<SyntaxError>([&] { parseProgram(text); }, "none");
  };
  const std::string one = "operator 0 gather_nd level=4.0 input=u8:1 indices=u32:1 output=1; ";
  using testing::HasSubstr;
  EXPECT_THAT(problemOf("jump 0"), HasSubstr("column 1, \"jump\": is no call"));
  EXPECT_THAT(problemOf("operator 0 gather_nd level=9.9"), HasSubstr("column 28, \"9.9\""));
  EXPECT_THAT(problemOf("create 0; operator 0 " + one), HasSubstr("column 11, \"operator\""));
  EXPECT_THAT(problemOf("operator 1 x"), HasSubstr("the next has number 0"));
  EXPECT_THAT(problemOf("buffer 0 24"), HasSubstr("column 10, \"24\": is no positive multiple"));
  EXPECT_THAT(problemOf("buffer 0 32 0=0.input/1"), HasSubstr("column 13"));
  EXPECT_THAT(problemOf(one + "buffer 0 32 0=0.output/1"), HasSubstr("is no input"));
  EXPECT_THAT(problemOf(one + "buffer 0 16 16=0.input/1"), HasSubstr("reaches beyond"));
  EXPECT_THAT(problemOf("create"), HasSubstr("column 1, \"create\": lacks an operator"));
  EXPECT_THAT(problemOf("create 16"), HasSubstr("column 8, \"16\""));
  EXPECT_THAT(problemOf("create 0 queue=1"), HasSubstr("has no queue"));
  EXPECT_THAT(problemOf("barrier; execute 0 queue=2"), HasSubstr("column 26, \"2\""));
  EXPECT_THAT(problemOf("copy 0@0 1 16"), HasSubstr("is not BUFFER@OFFSET"));
  EXPECT_THAT(problemOf("wait 0"), HasSubstr("is too much"));
  EXPECT_THAT(
      problemOf("operator 0 gather_nd level=4.0 input=u8:1 indices=u32:1 output=1 expect=accept"),
      HasSubstr("is not a case that executes"));
}

TEST(Sequences, areRefusedWhereTheDocumentsLeaveThemOpen) {
  const auto whyNot = [](const std::string& calls) {
    return whyInvalid(parseProgram(kGather + calls));
  };
  const std::string bound = kBound;
  EXPECT_EQ(whyNot(bound + "execute 0; copy 1@16 0@128 24; execute 0"), "");
  EXPECT_EQ(whyNot("create 0"), "call 4, create 0: it is alive");
  EXPECT_EQ(whyNot("compile 0"), "call 4, compile 0: it is not just created");
  EXPECT_EQ(whyNot("execute 0"), "call 4, execute 0: there is no such table");
  EXPECT_EQ(whyNot(bound + "execute 0; execute 0"),
            "call 6, execute 0: buffer 1 needs a barrier before");
  EXPECT_EQ(whyNot(bound + "execute 0; barrier; execute 0"), "");
  EXPECT_EQ(whyNot(bound + "execute 0; barrier queue=1; execute 0"),
            "call 7, execute 0: buffer 1 needs a barrier before");
  EXPECT_EQ(whyNot(bound + "execute 0; submit; copy 1@16 0@128 24 queue=1"),
            "call 7, copy 1@16 0@128 24 queue=1: buffer 1 is in use on queue 0");
  EXPECT_EQ(whyNot(bound + "execute 0; wait; copy 1@16 0@128 24 queue=1"), "");
  EXPECT_EQ(whyNot(bound + "execute 0; rebind 0 outputs=1@48"),
            "call 6, rebind 0 outputs=1@48: an execution has not been waited for");
  EXPECT_EQ(whyNot(bound + "execute 0; wait; rebind 0 outputs=1@48; execute 0"), "");
  EXPECT_EQ(whyNot(bound + "execute 0; release 0"),
            "call 6, release 0: what it does has not been waited for");
  EXPECT_EQ(whyNot(bound + "execute 0; wait; release 0; execute 0"),
            "call 8, execute 0: the operator was released");
  EXPECT_EQ(whyNot("bind 0 0 inputs=0@16,0@64 outputs=0@32; execute 0"),
            "call 5, execute 0: output overlaps another tensor");
  EXPECT_EQ(whyNot("bind 0 0 inputs=0@16,0@64 outputs=1@112; execute 0"),
            "call 4, bind 0 0 inputs=0@16,0@64 outputs=1@112: output reaches beyond the buffer");
  EXPECT_EQ(whyNot("bind 0 0 inputs=0@16,0@128 outputs=1@16; execute 0"),
            "call 5, execute 0: an index is out of range");
  EXPECT_EQ(whyNot("bind 0 0 inputs=0@8,0@64 outputs=1@16"),
            "call 4, bind 0 0 inputs=0@8,0@64 outputs=1@16: input is not aligned");
}

// Rows past the count are undefined: gathered from them, values are not compared; used as indices,
// they are refused.
TEST(Sequences, followWhatIsUndefined) {
  const std::string text =
      "operator 0 nonzero_coordinates level=4.0 input=u32:4 coords=4x1; operator 1 gather_nd "
      "level=4.0 input=u32:4x1 indices=u32:4x1 output=4x1; buffer 0 512 seed=1 256=1.indices/1; "
      "buffer 1 512 seed=5; create 0; compile 0; create 1; compile 1; initialize 0,1; copy 0@480 "
      "1@0 16; bind 0 0 inputs=0@128 outputs=1@32,1@64; ";
  const std::string gather =
      "bind 1 1 inputs=1@64,0@256 outputs=1@128; execute 0; barrier; execute 1";
  EXPECT_EQ(whyInvalid(parseProgram(text + gather)), "");
  // With this noise all four are non-zero; only with fewer are rows undefined.
  Program program = parseProgram(text + gather);
  program.operators[0].seed = 0;
  program.buffers[0].contents.push_back({128, 0, 0, 0});
  program.operators[0].fill = {FillKind::First, 0, {}};
  ASSERT_EQ(whyInvalid(program), "");
  ProgramModel model(program, Strictness::Strict);
  for (const gpu::SequenceCall& call : program.calls) ASSERT_EQ(model.make(call), "");
  EXPECT_TRUE(model.buffers()[1][64].defined);   // the first row
  EXPECT_FALSE(model.buffers()[1][68].defined);  // the others
  size_t defined = 0;
  for (size_t at = 128; at < 144; ++at) defined += model.buffers()[1][at].defined;
  EXPECT_LT(defined, 16u);
  program.calls.back() = program.calls[program.calls.size() - 2];
  for (gpu::SequenceCall& call : program.calls) {
    if (call.kind == gpu::CallKind::Bind && call.object == 1) call.from[1] = {1, 64};
  }
  program.calls.push_back({gpu::CallKind::Execute, 1});
  EXPECT_THAT(whyInvalid(program), testing::EndsWith("an index is not defined"));
}

// Like the case alone: an inferred rule makes this operator valid, but no rule does for others.
TEST(Sequences, arguableWhereARejectionIs) {
  gpu::Answer answer;
  answer.id = 1;
  answer.status = gpu::Status::Rejected;
  answer.hresult = static_cast<int32_t>(0x80070057);
  const auto verdict = [&](const char* alignment, Strictness strictness) {
    return judge(parseProgram(
                     "operator 0 gather_nd level=4.0 input=u32:4x1 indices=u32:4x1 output=4x1; "
                     "operator 1 nonzero_coordinates level=4.0 input=u32:4 coords=4x1 " +
                     std::string(alignment) + "; create 0; create 1"),
                 answer, strictness)
        .verdict;
  };
  EXPECT_EQ(verdict("align.input=4", Strictness::Documents), Verdict::Arguable);
  EXPECT_EQ(verdict("align.input=4", Strictness::Strict), Verdict::Fail);
  EXPECT_EQ(verdict("align.input=16", Strictness::Documents), Verdict::Fail);
  // Only creating calls are excused.
  const Program later = parseProgram(
      "operator 0 nonzero_coordinates level=4.0 input=u32:4 coords=4x1 align.input=4; create 0; "
      "compile 0");
  EXPECT_EQ(judge(later, answer, Strictness::Documents).verdict, Verdict::Fail);
}

// If one undefined element decides between two rows, a column may still be equal at both extremes.
// It is undefined nevertheless.
TEST(Sequences, takeNothingOfUndefinedElementsForDefined) {
  const Program program = parseProgram(
      "operator 0 nonzero_coordinates level=6.4 input=u8:2x16x1x1 count=1 coords=32x4 fill=nans; "
      "buffer 0 512 seed=349; buffer 1 544 seed=500 496=0.input/348; buffer 2 512 seed=912; buffer "
      "3 528 seed=393; create 0; compile 0; initialize 0; bind 0 0 inputs=1@496 outputs=0@0,3@16; "
      "execute 0; copy 3@16 1@0 512; barrier; execute 0");
  ASSERT_EQ(whyInvalid(program), "");
  EXPECT_EQ(answered(program, Strictness::Strict).verdict, Verdict::Pass);
  ProgramModel model(program, Strictness::Strict);
  for (const gpu::SequenceCall& call : program.calls) ASSERT_EQ(model.make(call), "");
  EXPECT_FALSE(model.buffers()[3][36].defined);
}

// Found within the first programs of a seed, and shrunk to minimal size.
TEST(Sequences, catchEachMutantInAtMostEightCalls) {
  EXPECT_GE(kSequenceMutants.size(), 12u);
  for (const SequenceMutantInfo& mutant : kSequenceMutants) {
    if (mutant.name == "crash-on-reset") continue;  // for command_sequences
    const auto fails = [&](const Program& program) {
      return answered(program, Strictness::Documents, mutant.name).verdict == Verdict::Fail;
    };
    uint64_t index = 0;
    Program program;
    do {
      program = fuzzProgram(7, index++, Level::L6_4).program;
    } while (!fails(program) && index < 5000);
    ASSERT_LT(index, 5000u) << mutant.name;
    const ShrunkProgram shrunk = shrink(program, fails, 1200);
    EXPECT_TRUE(fails(shrunk.smallest)) << mutant.name;
    EXPECT_LE(shrunk.smallest.calls.size(), 8u) << mutant.name << "\n"
                                                << programText(shrunk.smallest);
    EXPECT_EQ(whyInvalid(shrunk.smallest), "") << mutant.name;
  }
}

TEST(Sequences, shrinkWithTensorsThatEndWithTheirBuffer) {
  const Program program = parseProgram(
      "operator 0 gather_nd level=4.0 input=u32:4x2 indices=u32:4x1 output=4x2; buffer 0 80 seed=1 "
      "16=0.input/3 64=0.indices/4; buffer 1 128 seed=2; create 0; compile 0; initialize 0; "
      "bind 0 0 inputs=0@16,0@64 outputs=1@16; execute 0; wait; release 0");
  ASSERT_EQ(whyInvalid(program), "");
  const auto executes = [&](const Program& each) {
    return whyInvalid(each).empty() && each.operators == program.operators &&
           std::ranges::count(each.calls, gpu::CallKind::Execute, &gpu::SequenceCall::kind) > 0;
  };
  EXPECT_EQ(shrink(program, executes, 1200).smallest.calls.size(), 5u);
}

TEST(Sequences, ofASeedAreTheSame) {
  EXPECT_EQ(fuzzProgram(3, 9, Level::L6_4).program, fuzzProgram(3, 9, Level::L6_4).program);
  EXPECT_NE(fuzzProgram(3, 9, Level::L6_4).program, fuzzProgram(3, 10, Level::L6_4).program);
  EXPECT_NE(fuzzProgram(3, 9, Level::L6_4).program, fuzzProgram(4, 9, Level::L6_4).program);
}

}  // namespace
}  // namespace dmlcts
