#include <gmock/gmock.h>

#include "conformance/cases/generate.h"
#include "conformance/test/packed.h"
#include "conformance/test/rapidcheck_choices.h"
#include "gpu/operators/operators.h"
#include "reference/per_operator.h"
#include "reference/rules.h"

// Compares our implementation's validation with the reference's rules. They share no code.

namespace dmlcts::gpu {
namespace {

uint32_t& anySize(TensorDesc& tensor, Choices& choices) {
  return tensor.sizes[choices.below(tensor.sizes.size())];
}

// Changes one thing. The result may still be valid.
void disturb(TensorDesc& tensor, Choices& choices) {
  if (tensor.sizes.empty()) return;
  switch (choices.below(9)) {
    case 0:
      tensor.type = static_cast<DataType>(choices.below(12));
      break;
    case 1:
      anySize(tensor, choices) += 1;
      break;
    case 2:
      anySize(tensor, choices) -= 1;
      break;
    case 3:
      anySize(tensor, choices) = static_cast<uint32_t>(choices.bits());
      break;
    case 4:
      tensor.totalBytes += choices.below(9) - 4;
      break;
    case 5:
      tensor.sizes.insert(tensor.sizes.begin(), 1);
      break;
    case 6:
      tensor.sizes.erase(tensor.sizes.begin());
      break;
    case 7:
      if (tensor.strides && !tensor.strides->empty()) {
        (*tensor.strides)[choices.below(tensor.strides->size())] =
            static_cast<uint32_t>(choices.below(40));
      }
      break;
    default:
      tensor.strides.reset();
      break;
  }
}

// The members of an operator that can be disturbed.
template <class Operator>
struct Parts {
  std::vector<TensorDesc Operator::*> tensors;
  std::vector<uint32_t Operator::*> counts;
};

const PerOperator<Parts> kParts{
    Parts<GatherNd>{{&GatherNd::input, &GatherNd::indices, &GatherNd::output},
                    {&GatherNd::inputDimensionCount, &GatherNd::indicesDimensionCount}},
    Parts<NonzeroCoordinates>{
        {&NonzeroCoordinates::input, &NonzeroCoordinates::count, &NonzeroCoordinates::coords}, {}},
    Parts<GatherNd1>{{&GatherNd1::input, &GatherNd1::indices, &GatherNd1::output},
                     {&GatherNd1::inputDimensionCount, &GatherNd1::indicesDimensionCount,
                      &GatherNd1::batchDimensionCount}},
};

void disturbPart(Descriptor& descriptor, Choices& choices) {
  visitEntry(kParts, descriptor, [&](const auto& parts, auto& op) {
    const uint64_t what = choices.below(2 * parts.tensors.size() + parts.counts.size());
    if (what < parts.counts.size()) {
      op.*parts.counts[what] += static_cast<uint32_t>(choices.below(3)) - 1;
    } else {
      disturb(op.*parts.tensors[what % parts.tensors.size()], choices);
    }
  });
}

TEST(Accepts, WhatTheReferenceFindsValid) {
  EXPECT_TRUE(holds(
      [] {
        RapidcheckChoices choices;
        Descriptor descriptor = generate(choices, anythingAt(Level::L6_4, 4000));
        const uint64_t times = choices.below(3);
        for (uint64_t time = 0; time < times; ++time) disturbPart(descriptor, choices);
        const Level level = kLevels[choices.below(kLevels.size())];
        const std::vector<BrokenRule> broken = check(descriptor, level);
        if (!broken.empty()) RC_LOG() << broken[0].rule->id << ": " << broken[0].message << "\n";
        RC_ASSERT(accepts(descriptor, level) == broken.empty());
      },
      20000));
}

TEST(Accepts, RandomDescriptorsAreValid) {
  Draws draws(1);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_TRUE(accepts(generate(draws, anythingAt(Level::L6_4, 4000)), Level::L6_4)) << i;
  }
}

// The documentation's worked example applies, not the literal reading of its formula.
TEST(Accepts, GatherNdOutputSizesAsInTheWorkedExample) {
  GatherNd op;
  op.input = packed(DataType::Float32, {3, 4, 5, 6, 7});
  op.indices = packed(DataType::UInt32, {1, 1, 1, 2, 3});
  op.output = packed(DataType::Float32, {1, 1, 2, 6, 7});
  op.inputDimensionCount = 5;
  op.indicesDimensionCount = 3;
  EXPECT_TRUE(accepts(op, Level::L3_0));
  op.output = packed(DataType::Float32, {1, 2, 5, 6, 7});
  EXPECT_FALSE(accepts(op, Level::L3_0));
}

TEST(Accepts, NoMoreThanEightDimensions) {
  for (const size_t rank : {8u, 9u}) {
    const std::vector<uint32_t> ones(rank, 1);
    GatherNd op;
    op.input = packed(DataType::Float32, ones);
    op.indices = packed(DataType::UInt32, ones);
    op.output = packed(DataType::Float32, ones);
    op.inputDimensionCount = 1;
    op.indicesDimensionCount = 1;
    EXPECT_EQ(accepts(op, Level::L6_4), rank == 8);
  }
}

TEST(Accepts, GatherNdAtItsFirstLevelHasRank4AndOneIndexType) {
  GatherNd op;
  op.input = packed(DataType::Float32, {1, 1, 2, 2});
  op.indices = packed(DataType::UInt32, {1, 1, 2, 1});
  op.output = packed(DataType::Float32, {1, 1, 2, 2});
  op.inputDimensionCount = 2;
  op.indicesDimensionCount = 2;
  EXPECT_TRUE(accepts(op, Level::L2_1));
  op.indices = packed(DataType::Int32, {1, 1, 2, 1});
  EXPECT_FALSE(accepts(op, Level::L2_1));
  EXPECT_TRUE(accepts(op, Level::L3_0));
}

// The documentation's example, from level 3.0 on; 8-byte elements from 4.1 on.
GatherNd1 batched(DataType type) {
  GatherNd1 op;
  op.input = packed(type, {1, 3, 2, 2});
  op.indices = packed(DataType::Int64, {1, 3, 2, 2});
  op.output = packed(type, {1, 1, 3, 2});
  op.inputDimensionCount = 3;
  op.indicesDimensionCount = 3;
  op.batchDimensionCount = 1;
  return op;
}

TEST(Accepts, GatherNd1FromItsLevelsOn) {
  EXPECT_FALSE(accepts(batched(DataType::Float32), Level::L2_1));
  EXPECT_TRUE(accepts(batched(DataType::Float32), Level::L3_0));
  for (DataType type : {DataType::Float64, DataType::UInt64, DataType::Int64}) {
    EXPECT_FALSE(accepts(batched(type), Level::L4_0));
    EXPECT_TRUE(accepts(batched(type), Level::L4_1));
  }
}

TEST(Accepts, GatherNd1BatchesThatInputAndIndicesShare) {
  GatherNd1 op = batched(DataType::Float32);
  op.input = packed(DataType::Float32, {1, 1, 2, 2});
  EXPECT_FALSE(accepts(op, Level::L6_4)) << "one batch of the input for all";
  op.input = packed(DataType::Float32, {1, 4, 2, 2});
  EXPECT_FALSE(accepts(op, Level::L6_4)) << "more batches of the input";

  op = batched(DataType::Float32);
  op.batchDimensionCount = 2;
  EXPECT_FALSE(accepts(op, Level::L6_4)) << "a tuple longer than what is behind the batches";
  op.indices = packed(DataType::Int64, {1, 3, 2, 1});
  EXPECT_TRUE(accepts(op, Level::L6_4));
  op.batchDimensionCount = 3;
  EXPECT_FALSE(accepts(op, Level::L6_4)) << "nothing behind the batches";
}

TEST(Accepts, NonzeroCoordinatesFromItsFirstLevelOn) {
  NonzeroCoordinates op;
  op.input = packed(DataType::Float32, {1, 1, 2, 4});
  op.count = packed(DataType::UInt32, {1, 1, 1, 1});
  op.coords = packed(DataType::UInt32, {1, 1, 8, 3});
  EXPECT_FALSE(accepts(op, Level::L2_1));
  EXPECT_TRUE(accepts(op, Level::L3_0));
  // The newer documentation no longer requires equal dimension counts.
  op.count = packed(DataType::UInt32, {1});
  EXPECT_FALSE(accepts(op, Level::L3_1));
  EXPECT_TRUE(accepts(op, Level::L4_0));
}

}  // namespace
}  // namespace dmlcts::gpu
