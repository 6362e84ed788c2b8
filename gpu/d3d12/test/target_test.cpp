#include "gpu/d3d12/target.h"

#include <gmock/gmock.h>

#include "gpu/d3d12/test/oracle_cases.h"

namespace dmlcts::gpu {
namespace {

using test::Density;
using test::differences;
using test::gatherOf;
using test::nonzeroOf;
using test::requestOf;
using test::tensorOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Pair;
using ::testing::StartsWith;

constexpr std::array kElementTypes{DataType::Float32, DataType::Float16, DataType::UInt32,
                                   DataType::UInt16,  DataType::UInt8,   DataType::Int32,
                                   DataType::Int16,   DataType::Int8};
constexpr std::array kIndexTypes{DataType::UInt32, DataType::Int32, DataType::UInt64,
                                 DataType::Int64};

// One target for the whole binary: making a device and its pipelines takes longer than any test.
Target& target() {
  static const std::unique_ptr<Target> shared = makeD3D12Target({});
  return *shared;
}

TEST(D3D12Target, SaysWhoItIs) {
  const Identity identity = target().identity();
  EXPECT_EQ(identity.target, "d3d12");
  EXPECT_FALSE(identity.adapter.empty());
  EXPECT_THAT(identity.runtime, HasSubstr("vkd3d"));
  // This program, libvkd3d, the Vulkan loader and its driver.
  for (const char* start :
       {"d3d12_target_test", "libvkd3d.so", "libvulkan.so", "libvulkan_lvp.so"}) {
    EXPECT_THAT(identity.files, Contains(Pair(StartsWith(start), MatchesRegex("[0-9a-f]{64}"))));
  }
}

TEST(D3D12Target, KnowsNoOtherAdapterThanThereIs) {
  D3D12Options options;
  options.adapter = "no such adapter";
  EXPECT_THROW(makeD3D12Target(options), std::runtime_error);
}

TEST(D3D12Target, KnowsNoOtherMutantThanThereIs) {
  D3D12Options options;
  options.shaderMutant = "no such mutant";
  EXPECT_THROW(makeD3D12Target(options), std::invalid_argument);
}

TEST(D3D12Target, NonzeroCoordinatesOfEveryType) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (DataType type : kElementTypes) {
    for (Density density :
         {Density::None, Density::FirstOnly, Density::LastOnly, Density::Half, Density::All}) {
      for (uint32_t columns : {2u, 3u, 4u}) {
        requests.push_back(requestOf(nonzeroOf(type, {1, 1, 37, 151}, columns), {seed++, density}));
      }
    }
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, NonzeroCoordinatesOfEveryRank) {
  std::vector<Request> requests;
  std::vector<uint32_t> sizes;
  for (uint32_t size : {3u, 1u, 5u, 2u, 7u, 4u, 1u, 6u}) {
    sizes.insert(sizes.begin(), size);
    requests.push_back(requestOf(
        nonzeroOf(DataType::Float16, sizes, static_cast<uint32_t>(sizes.size())), {sizes.size()}));
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, NonzeroCoordinatesOfLargeAxes) {
  std::vector<Request> requests;
  for (uint32_t size : {4095u, 4096u, 4097u, 8191u, 8192u, 100003u}) {
    requests.push_back(requestOf(nonzeroOf(DataType::Int8, {3, size}, 2), {size}));
    requests.push_back(requestOf(nonzeroOf(DataType::Int8, {size, 3}, 2), {size}));
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, NonzeroCoordinatesOfStridedTensors) {
  std::vector<Request> requests;
  for (DataType type : kElementTypes) {
    NonzeroCoordinates op = nonzeroOf(type, {2, 3, 40, 50}, 4);
    op.input = tensorOf(type, {2, 3, 40, 50}, {{1, 0, 3, 121}}, 8);
    requests.push_back(requestOf(op, {1}));
    op.coords = tensorOf(DataType::UInt32, {1, 12000, 4}, {{77, 1, 12001}}, 16);
    requests.push_back(requestOf(op, {2}));
    op.coords = tensorOf(DataType::UInt32, {1, 12000, 4}, {{0, 8, 1}}, 4);
    requests.push_back(requestOf(op, {3}));
    op.coords = tensorOf(DataType::UInt32, {1, 12000, 4}, {{0, 9, 2}}, 4);
    requests.push_back(requestOf(op, {4}));
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, GatherNdOfEveryTypeAndIndexType) {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (DataType type : kElementTypes) {
    for (DataType indexType : kIndexTypes) {
      requests.push_back(requestOf(
          gatherOf(type, {3, 4, 5, 6, 7}, indexType, {1, 1, 1, 2, 3}, {1, 1, 2, 6, 7}, 5, 3),
          {seed++}));
      requests.push_back(requestOf(
          gatherOf(type, {1, 6, 5, 7}, indexType, {1, 1, 37, 3}, {1, 1, 1, 37}, 3, 2), {seed++}));
      requests.push_back(requestOf(
          gatherOf(type, {1, 9, 5, 16}, indexType, {1, 1, 61, 2}, {1, 1, 61, 16}, 3, 2), {seed++}));
    }
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, GatherNdOfStridedTensors) {
  std::vector<Request> requests;
  for (DataType type : kElementTypes) {
    for (DataType indexType : kIndexTypes) {
      GatherNd op = gatherOf(type, {1, 6, 5, 16}, indexType, {1, 1, 37, 2}, {1, 1, 37, 16}, 3, 2);
      op.indices = tensorOf(indexType, {1, 1, 37, 2}, {{5, 5, 1, 41}});
      op.output = tensorOf(type, {1, 1, 37, 16}, {{0, 0, 3, 113}}, 8);
      requests.push_back(requestOf(op, {1}));
      op.input = tensorOf(type, {1, 6, 5, 16}, {{0, 3, 0, 1}}, 8);
      op.output = tensorOf(type, {1, 1, 37, 16}, {{0, 0, 48, 1}}, 8);
      requests.push_back(requestOf(op, {2}));
      op.output = tensorOf(type, {1, 1, 37, 16}, {{0, 0, 33, 2}}, 4);
      requests.push_back(requestOf(op, {3}));
    }
  }
  EXPECT_EQ(differences(target(), requests), "");
}

TEST(D3D12Target, OutOfRangeIndicesWriteInsideTheOutputOnly) {
  for (DataType indexType : kIndexTypes) {
    const GatherNd op = gatherOf(DataType::Float32, {4, 8}, indexType, {1000, 1}, {1000, 8}, 2, 2);
    Request request = requestOf(op, {1});
    BufferImage& indices = request.inputs[1];
    for (uint64_t i = 0; i < indices.size; ++i) {
      indices.bytes[indices.offset + i] = static_cast<uint8_t>(i * 37 + i / 256);
    }
    const std::vector<Answer> answers = target().run({&request, 1});
    ASSERT_EQ(answers[0].status, Status::Executed);
    const BufferImage& before = request.outputs[0];
    for (size_t i = 0; i < before.bytes.size(); ++i) {
      if (i >= before.offset && i < before.offset + before.size) continue;
      ASSERT_EQ(answers[0].outputs[0][i], before.bytes[i]) << i;
    }
  }
}

TEST(D3D12Target, RejectsAndCreatesWithoutExecuting) {
  Request good;
  good.descriptor = nonzeroOf(DataType::Float32, {1, 1, 2, 4}, 3);
  good.execute = false;
  Request bad = good;
  std::get<NonzeroCoordinates>(bad.descriptor).input.sizes[3] = 0;
  const std::vector<Request> requests{good, bad};
  const std::vector<Answer> answers = target().run(requests);
  EXPECT_EQ(answers[0].status, Status::Created);
  EXPECT_EQ(answers[1].status, Status::Rejected);
  EXPECT_EQ(static_cast<uint32_t>(answers[1].hresult), 0x80070057u);
}

TEST(D3D12Target, DoesNotSupportLevelsAboveItsOwn) {
  D3D12Options options;
  options.maxLevel = Level::L3_0;
  Request request;
  request.descriptor = nonzeroOf(DataType::Float32, {1, 1, 2, 4}, 3);
  request.execute = false;
  request.level = Level::L4_0;
  const std::vector<Answer> answers = makeD3D12Target(options)->run({&request, 1});
  EXPECT_EQ(answers[0].status, Status::NotSupported);
  EXPECT_THAT(answers[0].message, HasSubstr("3.0"));
}

TEST(D3D12Target, FailsRequestsWithoutTheirBuffers) {
  Request request = requestOf(nonzeroOf(DataType::Float32, {1, 1, 2, 4}, 3), {1});
  request.outputs.pop_back();
  const std::vector<Answer> answers = target().run({&request, 1});
  EXPECT_EQ(answers[0].status, Status::Failed);
  EXPECT_THAT(answers[0].message, HasSubstr("coords"));
}

TEST(D3D12Target, MeasuresTimes) {
  const Request request = requestOf(nonzeroOf(DataType::Float32, {64, 64, 64}, 3), {1});
  const Timing timing = target().time(request, 5);
  EXPECT_EQ(timing.status, Status::Executed) << timing.message;
  ASSERT_EQ(timing.nanoseconds.size(), 5u);
  for (double time : timing.nanoseconds) {
    EXPECT_GT(time, 0);
    EXPECT_LT(time, 1e10);
  }
  EXPECT_GT(target().bareSeconds({&request, 1}), 0);
}

}  // namespace
}  // namespace dmlcts::gpu
