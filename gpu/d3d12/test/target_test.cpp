#include "gpu/d3d12/target.h"

#include <gmock/gmock.h>

#include "gpu/d3d12/device/buffer.h"
#include "gpu/d3d12/device/device.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/program.h"

namespace dmlcts::gpu {
namespace {

using test::Density;
using test::differences;
using test::requestOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

constexpr std::array kIndexTypes{DataType::UInt32, DataType::Int32, DataType::UInt64,
                                 DataType::Int64};

// Shared by the whole binary: creating a device and its pipelines takes longer than any test.
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

TEST(D3D12Target, IsNoOtherThanItSays) {
  EXPECT_THAT(target().identity().target, Not(StartsWith("mutant:")));
  EXPECT_EQ(target().identity().limits.count("max unscanned tiles"), 0u);

  D3D12Options options;
  options.modeMutant = "last-dispatch-lost";
  options.limits = PlanLimits::low();
  const Identity other = makeD3D12Target(options)->identity();
  EXPECT_EQ(other.target, "mutant:mode.last-dispatch-lost");
  EXPECT_EQ(other.limits.at("max unscanned tiles"), "2");
}

TEST(D3D12Target, KnowsNoOtherAdapterThanThereIs) {
  D3D12Options options;
  options.adapter = "no such adapter";
  EXPECT_THROW(makeD3D12Target(options), std::runtime_error);
}

TEST(D3D12Target, KnowsNoOtherMutantThanThereIs) {
  D3D12Options options;
  options.modeMutant = "no such mutant";
  EXPECT_THROW(makeD3D12Target(options), std::invalid_argument);
}

// DXIL if the device accepts it (libvkd3d 1.2 does not), else DXBC.
TEST(D3D12Target, TakesTheHighestShaderModelThatTheDeviceHas) {
  const bool has6 = Device("", false).reports(D3D_SHADER_MODEL_6_0);
  EXPECT_EQ(target().identity().shaderModel, has6 ? "6.0" : "5.1");
  D3D12Options options;
  options.shaderModel = ShaderModel::Sm5_1;
  EXPECT_EQ(makeD3D12Target(options)->identity().shaderModel, "5.1");
  options.shaderModel = ShaderModel::Sm6_0;
  if (has6) {
    EXPECT_EQ(makeD3D12Target(options)->identity().shaderModel, "6.0");
  } else {
    EXPECT_THAT([&] { makeD3D12Target(options); },
                ThrowsMessage<std::invalid_argument>(
                    MatchesRegex("--shader-model 6\\.0: .*vkd3d.* on .* does not report that .*")));
  }
}

// A pipeline that cannot be created affects only its own requests.
TEST(D3D12Target, ExecutesOthersWhereAPipelineCannotBeMade) {
  D3D12Options options;
  options.truncated = Shader::Nonzero2;
  options.shaderModel = ShaderModel::Sm5_1;
  const auto broken = makeD3D12Target(options);
  const Request nonzero = requestOf(makeNonzero(DataType::Float16, {16385}, 1), {1, Density::Half});
  const Request gather =
      requestOf(makeGather(DataType::Float32, DataType::UInt32, 2, {5, 4}, {3}, 1), {1});
  for (int i = 0; i < 2; ++i) {
    const std::vector<Answer> answers = broken->run(std::vector{gather, nonzero, gather});
    EXPECT_EQ(answers[0].status, Status::Executed) << answers[0].message;
    EXPECT_THAT(answers[1].message, HasSubstr("CreateComputePipelineState(nonzero_2)"));
    EXPECT_EQ(answers[2].status, Status::Executed) << answers[2].message;
  }
}

// Two are in flight at a time.
TEST(D3D12Target, TakesMoreBatchesThanItHasInFlight) {
  std::vector<Request> requests;
  for (uint64_t i = 0; i < 7; ++i) {  // one batch has no room for two
    requests.push_back(
        requestOf(makeNonzero(DataType::UInt8, {9u << 20}, 1), {i, Density::OneTile}));
  }
  EXPECT_EQ(differences(target(), requests), "");
}

// Neighbours share a copy, but not the bytes between two that are written.
TEST(D3D12Target, TransfersOfAProgramReachNoOtherBytes) {
  using Bytes = std::vector<uint8_t>;
  Bytes expected(1024, 1);
  Program program{{call::Buffer{0, 1024}, call::Put{{0, 0}, expected}}, true};
  ASSERT_EQ(target().runProgram(program)->status, Status::Executed);
  // Other bytes are staged, which a copy that is too long would write.
  program.calls = {call::Buffer{1, 1024}, call::Put{{1, 0}, Bytes(1024, 3)}};
  ASSERT_EQ(target().runProgram(program)->status, Status::Executed);
  program.calls.clear();
  for (uint64_t at : {0, 256, 512, 514}) {
    program.calls.push_back(call::Put{{0, at}, Bytes(2, 2)});
    std::fill_n(expected.begin() + static_cast<ptrdiff_t>(at), 2, uint8_t{2});
  }
  std::vector<Bytes> read;
  for (uint64_t at : {0, 256, 514, 514}) {
    program.calls.push_back(call::Get{{0, at}, 9});
    const auto from = expected.begin() + static_cast<ptrdiff_t>(at);
    read.emplace_back(from, from + 9);
  }
  program.calls.push_back(call::Get{{0, 0}, 1024});
  read.push_back(expected);
  program.continues = false;
  EXPECT_EQ(target().runProgram(program)->outputs, read);
}

TEST(D3D12Target, OutOfRangeIndicesWriteInsideTheOutputOnly) {
  std::vector<Descriptor> descriptors;
  for (DataType indexType : kIndexTypes) {
    descriptors.push_back(makeGather(DataType::Float32, indexType, 2, {4, 8}, {1000}, 1));
    descriptors.push_back(makeGather1(DataType::Float64, indexType, 3, {20, 4}, {20, 50}, 1, 1));
  }
  for (const Descriptor& descriptor : descriptors) {
    Request request = requestOf(descriptor, {1});
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
  good.descriptor = makeNonzero(DataType::Float32, {1, 1, 2, 4}, 3);
  good.execute = false;
  Request bad = good;
  std::get<NonzeroCoordinates>(bad.descriptor).input.sizes[3] = 0;
  const std::vector<Request> requests{good, bad};
  const std::vector<Answer> answers = target().run(requests);
  EXPECT_EQ(answers[0].status, Status::Created);
  EXPECT_EQ(answers[1].status, Status::Rejected);
  EXPECT_EQ(static_cast<uint32_t>(answers[1].hresult), 0x80070057u);
}

// Uses several views of the input and of the mask, and several dispatches for each.
TEST(D3D12Target, MarksALargeStridedInputPieceByPiece) {
  NonzeroCoordinates op = makeNonzero(DataType::UInt8, {300, 1000}, 2);
  op.input.strides = {1, 300};
  D3D12Options options;
  options.limits = PlanLimits::low();
  EXPECT_EQ(differences(*makeD3D12Target(options), {requestOf(op, {1})}), "");
}

// A bound range may be longer than the tensor, which ends where its total does.
TEST(D3D12Target, TakesRangesThatAreLongerThanTheTotal) {
  Request request = requestOf(makeNonzero(DataType::Float32, {1, 1, 2, 4}, 3), {1});
  Request longer = request;
  for (auto* images : {&longer.inputs, &longer.outputs}) {
    for (BufferImage& image : *images) image.size = image.bytes.size() - image.offset;
  }
  const std::vector<Answer> answers = target().run({&longer, 1});
  EXPECT_EQ(test::difference(request, answers[0]), "");
}

TEST(Buffer, GrowsByDoublingAndKeepsWhatSuffices) {
  Device device("", false);
  Buffer buffer(device, D3D12_HEAP_TYPE_UPLOAD, L"grows");
  EXPECT_TRUE(buffer.reserve(1));
  EXPECT_EQ(buffer.bytes(), 1u << 20);
  EXPECT_FALSE(buffer.reserve(1 << 20));
  EXPECT_TRUE(buffer.reserve((1 << 20) + 1));
  EXPECT_EQ(buffer.bytes(), 2u << 20);
  EXPECT_TRUE(buffer.reserve(32 << 20));
  EXPECT_EQ(buffer.bytes(), 32u << 20);
  EXPECT_TRUE(buffer.reserve((32 << 20) + 1));
  EXPECT_EQ(buffer.bytes(), 64u << 20);
  EXPECT_TRUE(buffer.reserve((64 << 20) + 1));
  EXPECT_EQ(buffer.bytes(), (64u << 20) + (1u << 16));
  buffer.release();
  EXPECT_TRUE(buffer.reserve(33 << 20));
  EXPECT_TRUE(buffer.reserve((33 << 20) + 1));
  EXPECT_EQ(buffer.bytes(), (33u << 20) + (1u << 16));
}

// Holds each resource, so that a new one has another address.
TEST(BufferPool, KeepsSmallBuffersThatAreInTheirFirstState) {
  Device device("", false);
  BufferPool pool(device);
  BufferPool::Taken buffer = pool.take(D3D12_HEAP_TYPE_DEFAULT, 1);
  const ComPtr<ID3D12Resource> first = buffer->get();
  EXPECT_NE(pool.take(D3D12_HEAP_TYPE_DEFAULT, 1)->get(), first.Get());
  buffer.reset();
  EXPECT_NE(pool.take(D3D12_HEAP_TYPE_UPLOAD, 1)->get(), first.Get());
  EXPECT_NE(pool.take(D3D12_HEAP_TYPE_DEFAULT, 2 << 20)->get(), first.Get());
  buffer = pool.take(D3D12_HEAP_TYPE_DEFAULT, 1 << 20);
  EXPECT_EQ(buffer->get(), first.Get());
  D3D12_RESOURCE_BARRIER barrier;
  EXPECT_TRUE(buffer->transition(D3D12_RESOURCE_STATE_COPY_DEST, barrier));
  buffer.reset();  // in a list that was never submitted
  buffer = pool.take(D3D12_HEAP_TYPE_DEFAULT, BufferPool::kMostKept + 1);
  const ComPtr<ID3D12Resource> large = buffer->get();
  EXPECT_NE(large.Get(), first.Get());
  buffer.reset();
  EXPECT_NE(pool.take(D3D12_HEAP_TYPE_DEFAULT, BufferPool::kMostKept + 1)->get(), large.Get());
}

TEST(D3D12Target, MeasuresTimes) {
  const Request request = requestOf(makeNonzero(DataType::Float32, {64, 64, 64}, 3), {1});
  for (uint64_t evict : {0, 1 << 20}) {
    const Timing timing = target().time(request, 5, evict);
    EXPECT_EQ(timing.status, Status::Executed) << timing.message;
    ASSERT_EQ(timing.nanoseconds.size(), 5u);
    for (double time : timing.nanoseconds) EXPECT_GT(time, 0);
    EXPECT_EQ(timing.outputs, target().run({&request, 1})[0].outputs);
  }
  const std::vector<Request> both{request, request};
  EXPECT_GT(target().bareSeconds(both), 0);
}

}  // namespace
}  // namespace dmlcts::gpu
