#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "gpu/operators/operators.h"
#include "gpu/operators/test/random_descriptors.h"
#include "reference/rules.h"

// Our implementation's own validation against the reference's rules. They share no code.

namespace dmlcts::gpu {
namespace {

using test::Random;

uint32_t& anySize(TensorDesc& tensor, Random& random) {
  return tensor.sizes[random() % tensor.sizes.size()];
}

// Changes one thing; the result may still be valid.
void disturb(TensorDesc& tensor, Random& random) {
  if (tensor.sizes.empty()) return;
  switch (random() % 9) {
    case 0:
      tensor.type = static_cast<DataType>(random() % 12);
      break;
    case 1:
      anySize(tensor, random) += 1;
      break;
    case 2:
      anySize(tensor, random) -= 1;
      break;
    case 3:
      anySize(tensor, random) = static_cast<uint32_t>(random());
      break;
    case 4:
      tensor.totalBytes += random() % 9 - 4;
      break;
    case 5:
      tensor.sizes.insert(tensor.sizes.begin(), 1);
      break;
    case 6:
      tensor.sizes.erase(tensor.sizes.begin());
      break;
    case 7:
      if (tensor.strides && !tensor.strides->empty()) {
        (*tensor.strides)[random() % tensor.strides->size()] = static_cast<uint32_t>(random() % 40);
      }
      break;
    default:
      tensor.strides.reset();
      break;
  }
}

void disturb(NonzeroCoordinates& op, Random& random) {
  TensorDesc* const all[] = {&op.input, &op.count, &op.coords};
  disturb(*all[random() % 3], random);
}

void disturb(GatherNd& op, Random& random) {
  TensorDesc* const all[] = {&op.input, &op.indices, &op.output};
  const uint64_t what = random() % 8;
  if (what == 6) {
    op.inputDimensionCount += static_cast<uint32_t>(random() % 3) - 1;
  } else if (what == 7) {
    op.indicesDimensionCount += static_cast<uint32_t>(random() % 3) - 1;
  } else {
    disturb(*all[what % 3], random);
  }
}

TEST(Accepts, WhatTheReferenceFindsValid) {
  EXPECT_TRUE(rc::check("accepts() equals an empty check()", [] {
    Random random(*rc::gen::arbitrary<uint64_t>());
    for (int i = 0; i < 200; ++i) {
      Descriptor descriptor = test::randomDescriptor({}, random);
      const uint64_t times = random() % 3;
      for (uint64_t time = 0; time < times; ++time) {
        std::visit([&](auto& op) { disturb(op, random); }, descriptor);
      }
      const Level level = kLevels[random() % kLevels.size()];
      const std::vector<BrokenRule> broken = check(descriptor, level);
      if (!broken.empty()) RC_LOG() << broken[0].rule->id << ": " << broken[0].message << "\n";
      RC_ASSERT(accepts(descriptor, level) == broken.empty());
    }
  }));
}

TEST(Accepts, RandomDescriptorsAreValid) {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_TRUE(accepts(test::randomDescriptor({}, random), Level::L6_4)) << i;
  }
}

TensorDesc packed(DataType type, std::vector<uint32_t> sizes) {
  uint64_t bytes = info(type).bytes;
  for (uint32_t size : sizes) bytes *= size;
  return {type, std::move(sizes), std::nullopt, (bytes + 3) / 4 * 4};
}

// The worked example of the operator document rules; its formula, read literally, does not.
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

TEST(Accepts, NonzeroCoordinatesFromItsFirstLevelOn) {
  NonzeroCoordinates op;
  op.input = packed(DataType::Float32, {1, 1, 2, 4});
  op.count = packed(DataType::UInt32, {1, 1, 1, 1});
  op.coords = packed(DataType::UInt32, {1, 1, 8, 3});
  EXPECT_FALSE(accepts(op, Level::L2_1));
  EXPECT_TRUE(accepts(op, Level::L3_0));
  // The newer edition of the document no longer wants equal dimension counts.
  op.count = packed(DataType::UInt32, {1});
  EXPECT_FALSE(accepts(op, Level::L3_1));
  EXPECT_TRUE(accepts(op, Level::L4_0));
}

}  // namespace
}  // namespace dmlcts::gpu
