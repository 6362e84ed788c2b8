// Case strings from people and files, which were once not refused. fuzz/libfuzzer/case.cpp looks
// for more. Also run under sanitizers.

#include <gmock/gmock.h>

#include "conformance/facts/rules_of.h"
#include "conformance/inputs/inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/run/environment.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/test/in_process.h"
#include "conformance/test/thrown.h"

namespace dmlcts {
namespace {

using testing::HasSubstr;

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
    EXPECT_THAT(thrown<std::invalid_argument>([&] { evaluate(testCase.descriptor, inputs); }),
                HasSubstr(rule));
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
      parseCase("gather_nd level=3.0 input=f32:16x16x16x16x16x16x16x16 indices=u32:2x1 output=2x5 "
                "strides.input=" +
                strides));
  // Within the suite's limits, but more than any machine's memory.
  const Case large = parseCase(
      gather + "total.input=17179869180 total.indices=17179869180 total.output=17179869180");
  EXPECT_EQ(caseProblem(large), std::nullopt);
  if (availableMemory() < uint64_t{384} << 30) {
    EXPECT_THAT(whyNotRunnable(large).value_or("none"), HasSubstr("384.0 GiB of memory"));
  }
  EXPECT_EQ(whyNotRunnable(parseCase(gather)), std::nullopt);
}

}  // namespace
}  // namespace dmlcts
