// Checks the oracle against its second formulation and the documentation's own examples.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>

#include "conformance/language/build.h"
#include "conformance/operators/generate.h"
#include "conformance/test/packed.h"
#include "conformance/test/rapidcheck_choices.h"
#include "reference/element.h"
#include "reference/evaluate.h"
#include "reference/operators/gather_nd.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"
#include "reference/test/naive.h"

namespace dmlcts {
namespace {

using Inputs = std::vector<std::vector<uint8_t>>;

template <typename T>
std::vector<uint8_t> bytesOf(const std::vector<T>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class Operator>
Operator generateSmall(Choices& choices) {
  Wanted wanted = anythingAt(Level::L6_4, 80);
  at(wanted.labels, Parameter::Operator) = detail::Place<Operator, Descriptor>::value;
  // Adds strides that no layout produces.
  for (Parameter layout :
       {Parameter::InputLayout, Parameter::IndicesLayout, Parameter::OutputLayout}) {
    if (choices.oneIn(2)) continue;
    at(wanted.labels, layout) = choices.oneIn(3) ? static_cast<uint8_t>(LayoutKind::Broadcast)
                                                 : static_cast<uint8_t>(OtherLayout);
  }
  return std::get<Operator>(generate(choices, wanted));
}

// About half of the bytes are 0 or 0x80, so that zeros of both signs are common.
std::vector<uint8_t> anyBytes(Draws& draws, const TensorDesc& tensor) {
  std::vector<uint8_t> bytes(tensor.totalBytes);
  for (uint8_t& byte : bytes) {
    const uint64_t kind = draws.below(9);
    byte = static_cast<uint8_t>(kind < 4 ? 0 : kind < 6 ? 0x80 : draws.below(256));
  }
  return bytes;
}

// Returns indices that are mostly in range, some negative, some out of range.
std::vector<uint8_t> anyIndices(Draws& draws, const TensorDesc& indices) {
  std::vector<uint8_t> bytes(indices.totalBytes, 0);
  const uint32_t width = info(indices.type).bytes;
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    storeBits(bytes, at, width, draws.oneIn(13) ? draws.bits() : draws.below(6) - 3);
  }
  return bytes;
}

// Draws all contents from one choice, so that rapidcheck shrinks shapes.
template <class Operator>
Inputs anyInputs(Choices& choices, const Operator& op) {
  Draws draws(choices.bits());
  Inputs inputs{anyBytes(draws, op.input)};
  if constexpr (requires { op.indices; }) inputs.push_back(anyIndices(draws, op.indices));
  return inputs;
}

template <class Operator>
void expectSameAsNaive() {
  RapidcheckChoices choices;
  const Operator op = generateSmall<Operator>(choices);
  const Inputs inputs = anyInputs(choices, op);
  const auto broken = check(op, Level::L6_4);
  RC_ASSERT(broken.empty());
  const auto expected = naive::evaluate(op, inputs);
  const auto actual = evaluate(op, inputs);
  RC_ASSERT(actual.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(actual[i].status == expected[i].status);
    for (size_t at = 0; at < expected[i].bytes.size(); ++at) {
      if (expected[i].status[at] != ByteStatus::Defined) continue;
      RC_ASSERT(actual[i].bytes[at] == expected[i].bytes[at]);
    }
  }
}

constexpr int kMany = 5000;  // cases of an operator

TEST(Oracle, AgreesWithItsSecondFormulationOnGatherNd) {
  EXPECT_TRUE(holds(expectSameAsNaive<GatherNd>, kMany));
}

TEST(Oracle, AgreesWithItsSecondFormulationOnGatherNd1) {
  EXPECT_TRUE(holds(expectSameAsNaive<GatherNd1>, kMany));
}

TEST(Oracle, GatherNd1WithoutBatchesIsGatherNd) {
  EXPECT_TRUE(holds(
      [] {
        RapidcheckChoices choices;
        const auto op = generateSmall<GatherNd>(choices);
        const GatherNd1 same = withoutBatches(op);
        const Inputs inputs = anyInputs(choices, op);
        const auto expected = evaluate(op, inputs);
        const auto actual = evaluate(same, inputs);
        RC_ASSERT(actual.size() == 1u);
        RC_ASSERT(actual[0].bytes == expected[0].bytes);
        RC_ASSERT(actual[0].status == expected[0].status);
      },
      kMany));
}

// The documentation's example for batches.
TEST(Oracle, GatherNd1Example) {
  const GatherNd1 op{packed(DataType::UInt32, {1, 3, 2, 2}),
                     packed(DataType::UInt32, {1, 3, 2, 2}),
                     packed(DataType::UInt32, {1, 1, 3, 2}),
                     3,
                     3,
                     1};
  EXPECT_THAT(check(op, Level::L3_0), ::testing::IsEmpty());
  const auto outputs =
      evaluate(op, Inputs{bytesOf<uint32_t>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
                          bytesOf<uint32_t>({0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0})});
  EXPECT_EQ(outputs[0].bytes, bytesOf<uint32_t>({0, 3, 7, 4, 9, 10}));
}

TEST(Oracle, AgreesWithItsSecondFormulationOnNonzeroCoordinates) {
  EXPECT_TRUE(holds(expectSameAsNaive<NonzeroCoordinates>, kMany));
}

TEST(Oracle, GatherNdExample1) {
  const GatherNd op{packed(DataType::Float32, {2, 2}), packed(DataType::UInt32, {2, 1}),
                    packed(DataType::Float32, {2, 2}), 2, 2};
  ASSERT_TRUE(check(op, Level::L3_0).empty());
  const auto outputs =
      evaluate(op, Inputs{bytesOf<float>({0, 1, 2, 3}), bytesOf<uint32_t>({1, 0})});
  EXPECT_EQ(outputs[0].bytes, bytesOf<float>({2, 3, 0, 1}));
}

TEST(Oracle, GatherNdExample2) {
  const GatherNd op{packed(DataType::Float32, {1, 2, 2, 2}), packed(DataType::UInt32, {1, 1, 2, 2}),
                    packed(DataType::Float32, {1, 1, 2, 2}), 3, 2};
  ASSERT_TRUE(check(op, Level::L2_1).empty());
  const auto outputs = evaluate(
      op, Inputs{bytesOf<float>({0, 1, 2, 3, 4, 5, 6, 7}), bytesOf<uint32_t>({0, 1, 1, 0})});
  EXPECT_EQ(outputs[0].bytes, bytesOf<float>({2, 3, 4, 5}));
}

TEST(Oracle, GatherNdOutputSizesOfTheWorkedExample) {
  GatherNd op{packed(DataType::Float32, {3, 4, 5, 6, 7}), packed(DataType::UInt32, {1, 1, 1, 2, 3}),
              packed(DataType::Float32, {1, 1, 2, 6, 7}), 5, 3};
  EXPECT_TRUE(check(op, Level::L3_0).empty());
  op.output = packed(DataType::Float32, {1, 1, 1, 6, 7});
  EXPECT_FALSE(check(op, Level::L3_0).empty());
}

TEST(Oracle, NonzeroCoordinatesExample) {
  const NonzeroCoordinates op{packed(DataType::Float32, {1, 1, 2, 4}),
                              packed(DataType::UInt32, {1, 1, 1, 1}),
                              packed(DataType::UInt32, {1, 1, 8, 3})};
  ASSERT_TRUE(check(op, Level::L3_0).empty());
  const auto outputs =
      evaluate(op, Inputs{bytesOf<float>({1.0f, 0.0f, 0.0f, 2.0f, -0.0f, 3.5f, 0.0f, -5.2f})});
  EXPECT_EQ(outputs[0].bytes, bytesOf<uint32_t>({4}));
  auto rows = outputs[1].bytes;
  rows.resize(4 * 3 * 4);
  EXPECT_EQ(rows, bytesOf<uint32_t>({0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3}));
  EXPECT_EQ(outputs[1].status[47], ByteStatus::Defined);
  EXPECT_EQ(outputs[1].status[48], ByteStatus::Undefined);
}

// The ordering example in the documentation's text: rows come in element index order.
TEST(Oracle, NonzeroCoordinatesOrderExample) {
  const NonzeroCoordinates op{packed(DataType::UInt8, {2, 6}), packed(DataType::UInt32, {1}),
                              packed(DataType::UInt32, {12, 2})};
  const auto outputs = evaluate(op, Inputs{{0, 0, 0, 0, 0, 9, 9, 0, 9, 0, 0, 0}});
  auto rows = outputs[1].bytes;
  rows.resize(3 * 2 * 4);
  EXPECT_EQ(rows, bytesOf<uint32_t>({0, 5, 1, 0, 1, 2}));
}

TEST(Oracle, OnlyTheTwoZerosAreZero) {
  for (DataType type : {DataType::Float32, DataType::Float16}) {
    const uint64_t sign = type == DataType::Float32 ? 0x80000000 : 0x8000;
    EXPECT_FALSE(isNonzero(type, 0));
    EXPECT_FALSE(isNonzero(type, sign));
    EXPECT_TRUE(isNonzero(type, 1)) << "smallest denormal";
    EXPECT_TRUE(isNonzero(type, sign | 1));
  }
  EXPECT_TRUE(isNonzero(DataType::UInt32, 0x80000000)) << "an integer has no negative zero";
  EXPECT_TRUE(isNonzero(DataType::Int16, 0x8000));
}

TEST(Oracle, OutOfRangeIndicesAreUndefined) {
  const GatherNd op{packed(DataType::UInt32, {3}), packed(DataType::Int64, {1}),
                    packed(DataType::UInt32, {1}), 1, 1};
  const auto statusFor = [&](int64_t index) {
    return evaluate(op, Inputs{bytesOf<uint32_t>({7, 8, 9}), bytesOf<int64_t>({index})})[0]
        .status[0];
  };
  EXPECT_EQ(statusFor(2), ByteStatus::Defined);
  EXPECT_EQ(statusFor(-3), ByteStatus::Defined);
  EXPECT_EQ(statusFor(3), ByteStatus::Undefined);
  EXPECT_EQ(statusFor(-4), ByteStatus::Undefined);
  EXPECT_EQ(statusFor(int64_t{1} << 32), ByteStatus::Undefined);
}

TEST(Oracle, RefusesInputsOfTheWrongNumberOrLength) {
  const GatherNd op{packed(DataType::UInt32, {3}), packed(DataType::UInt32, {1}),
                    packed(DataType::UInt32, {1}), 1, 1};
  const std::vector<uint8_t> input(12), index(4);
  EXPECT_THROW(evaluate(op, Inputs{input}), std::invalid_argument);
  EXPECT_THROW(evaluate(op, Inputs{index, index}), std::invalid_argument);
  EXPECT_THROW(evaluate(op, Inputs{input, index, index}), std::invalid_argument);
}

}  // namespace
}  // namespace dmlcts
