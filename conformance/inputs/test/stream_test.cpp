// Compares inputs and outputs computed in parts with those computed as a whole.

#include <gtest/gtest.h>

#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/case_string.h"
#include "conformance/operators/generate.h"
#include "conformance/test/rapidcheck_choices.h"
#include "conformance/tiers/tiers.h"
#include "reference/address_runs.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 16;  // of a case's tensors, to repeat quickly

// Cuts [0, total) into parts that are multiples of 8 bytes.
template <class Visit>
void inParts(Draws& draws, uint64_t total, const Visit& visit) {
  const uint64_t most = 1 + total / 8 / (1 + draws.below(6));
  for (uint64_t first = 0; first < total;) {
    const uint64_t count = std::min(total - first, 8 * (1 + draws.below(most)));
    visit(first, count);
    first += count;
  }
}

void expectSameInputs(const Case& testCase, Draws& draws,
                      const std::vector<std::vector<uint8_t>>& whole,
                      const std::vector<std::unique_ptr<StreamedInput>>& inputs) {
  const auto slots = tensors(testCase.descriptor);
  for (size_t i = 0; i < inputs.size(); ++i) {  // inputs come first
    std::vector<uint8_t> bytes(whole[i].size());
    inParts(draws, bytes.size(), [&](uint64_t first, uint64_t count) {
      inputs[i]->bytes(first, std::span(bytes).subspan(first, count));
    });
    ASSERT_EQ(bytes, whole[i]) << caseString(testCase);

    const TensorDesc& tensor = *slots[i].desc;
    const uint32_t width = info(tensor.type).bytes;
    const auto strides = elementStrides(tensor).value();
    std::vector<uint64_t> expected;
    ElementWalk walk(tensor.sizes, strides);
    do {
      expected.push_back(loadBits(whole[i], walk.offset() * width, width));
    } while (walk.next());
    const uint64_t mask = width == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * width)) - 1;
    std::vector<uint64_t> read(expected.size());
    const uint64_t half = draws.below(read.size() + 1);
    inputs[i]->elements(0, std::span(read).first(half));
    inputs[i]->elements(half, std::span(read).subspan(half));
    for (uint64_t& bits : read) bits &= mask;
    ASSERT_EQ(read, expected) << caseString(testCase);
  }
}

void expectSameOutputs(const Case& testCase, Draws& draws,
                       const std::vector<std::vector<uint8_t>>& whole,
                       const std::vector<std::unique_ptr<StreamedInput>>& inputs) {
  const auto expected = evaluate(testCase.descriptor, whole);
  std::vector<InputElements> elements;
  for (const auto& input : inputs) {
    elements.emplace_back(
        [&input](uint64_t first, std::span<uint64_t> bits) { input->elements(first, bits); });
  }
  const auto parts = stream(testCase.descriptor, elements);
  for (size_t output = 0; output < expected.size(); ++output) {
    inParts(draws, expected[output].bytes.size(), [&](uint64_t first, uint64_t count) {
      const ReferenceOutput part = parts->part(output, first, count);
      ASSERT_EQ(part.bytes.size(), count);
      ASSERT_EQ(part.status.size(), count);
      for (uint64_t i = 0; i < count; ++i) {
        ASSERT_EQ(part.status[i], expected[output].status[first + i])
            << caseString(testCase) << " output " << output << " byte " << first + i;
        if (part.status[i] != ByteStatus::Defined) continue;
        ASSERT_EQ(part.bytes[i], expected[output].bytes[first + i])
            << caseString(testCase) << " output " << output << " byte " << first + i;
      }
    });
  }
}

void expectSame(const Case& testCase, Draws& draws) {
  const auto whole = makeInputs(testCase);
  const auto inputs = streamInputs(testCase);
  expectSameInputs(testCase, draws, whole, inputs);
  if (testing::Test::HasFatalFailure()) return;
  expectSameOutputs(testCase, draws, whole, inputs);
}

bool isSmall(const Case& testCase) {
  if (tensorBytes(testCase) > kMostBytes) return false;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    if (elementCount(slot.desc->sizes).value_or(~uint64_t{0}) > kMostBytes) return false;
  }
  return true;
}

TEST(Stream, OfTheCasesOfTheTiers) {
  Draws draws(1);
  uint64_t tried = 0;
  uint64_t i = 0;
  for (const Case& testCase : cases(Tier::Default)) {
    if (testCase.expect != Expect::Execute || !isSmall(testCase) || i++ % 11 != 0) continue;
    ++tried;
    expectSame(testCase, draws);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tried, 2000u);
}

TEST(Stream, OfRandomDescriptors) {
  Draws draws(7);
  for (int i = 0; i < 3000; ++i) {
    Case testCase;
    testCase.descriptor = generate(draws, anythingAt(Level::L6_4, 400));
    testCase.seed = draws.below(1000);
    testCase.fill.kind = std::array{FillKind::Random, FillKind::Mixed, FillKind::Unique,
                                    FillKind::Density, FillKind::Edges}[draws.below(5)];
    testCase.fill.number = testCase.fill.kind == FillKind::Density ? 300'000 : 5;
    if (inputProblem(testCase) || !isSmall(testCase)) continue;
    expectSame(testCase, draws);
    if (HasFatalFailure()) return;
  }
}

TEST(Stream, SaysWhatItCannotDo) {
  const auto problemOf = [](const std::string& text) {
    return streamProblem(parseCase(text)).value_or("none");
  };
  const std::string gather = "gather_nd level=6.4 indices=u32:7x1 output=7x1 dims=1,2 seed=1 ";
  EXPECT_EQ(problemOf(gather + "input=u32:1x500000000"), "none");
  EXPECT_EQ(problemOf(gather + "input=f32:1x5"), "none");
  EXPECT_EQ(problemOf(gather + "input=f32:1x500000000 fill=ramp"), "none");
  EXPECT_NE(problemOf(gather + "input=f32:1x500000000").find("fill=random"), std::string::npos);
  EXPECT_NE(problemOf("gather_nd level=6.4 input=u32:9x500000000 strides.input=1,1 "
                      "indices=u32:7x2 output=1x7 dims=2,2 seed=1")
                .find("share addresses"),
            std::string::npos);
}

// Far more than a test can hold: positions past 2^32 bytes come from the formula alone.
TEST(Stream, GoesPastFourGiB) {
  const Case testCase = parseCase(
      "gather_nd level=6.4 input=u32:1x2147483647 indices=u64:1500000000x1 output=1x1500000000 "
      "dims=1,2 seed=5 index=last fill=ramp");
  const auto inputs = streamInputs(testCase);
  std::vector<InputElements> elements;
  for (const auto& input : inputs) {
    elements.emplace_back(
        [&input](uint64_t first, std::span<uint64_t> bits) { input->elements(first, bits); });
  }
  const auto parts = stream(testCase.descriptor, elements);
  const ReferenceOutput part = parts->part(0, uint64_t{5'999'999'984}, 16);
  for (uint64_t at = 0; at < 16; at += 4) {
    EXPECT_EQ(loadBits(part.bytes, at, 4), 2147483647u);  // the last element counts from 1
  }
  std::vector<uint8_t> bytes(16);
  inputs[0]->bytes(uint64_t{8'589'934'568}, bytes);
  EXPECT_EQ(loadBits(bytes, 0, 4), 2147483643u);
}

}  // namespace
}  // namespace dmlcts
