#include "gpu/d3d12/platform/wave_probe.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "gpu/d3d12/target.h"
#include "gpu/shaders/bytecode.h"

namespace dmlcts::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

// Returns the answers of a device with this many lanes per wave.
std::vector<ProbedThread> right(std::span<const uint32_t> values, uint32_t lanes) {
  std::vector<ProbedThread> threads;
  uint32_t before = 0;
  for (uint32_t i = 0; i < values.size(); ++i) {
    threads.push_back({before, 0, i % lanes, lanes});
    before += values[i];
  }
  for (ProbedThread& thread : threads) thread.total = before;
  return threads;
}

const std::vector<uint32_t> kValues = probeValues(256);

template <class Change>
std::string wrongOf(uint32_t lanes, Change change) {
  std::vector<ProbedThread> threads = right(kValues, lanes);
  change(threads);
  return checkWaveAnswers(kValues, threads, true);
}

TEST(WaveProbe, TakesWavesOfAnyLength) {
  for (uint32_t lanes : {4u, 8u, 16u, 32u, 64u, 128u}) {
    EXPECT_EQ(wrongOf(lanes, [](auto&) {}), "") << lanes;
  }
  EXPECT_EQ(checkWaveAnswers(kValues, right(kValues, 1), false), "");
}

TEST(WaveProbe, NoticesWavesOfNoLengthThatThereIs) {
  EXPECT_EQ(wrongOf(2, [](auto&) {}), "thread 0 says that its wave has 2 lanes");
  EXPECT_EQ(wrongOf(256, [](auto&) {}), "thread 0 says that its wave has 256 lanes");
  EXPECT_NE(checkWaveAnswers(kValues, right(kValues, 8), false), "");
}

TEST(WaveProbe, NoticesAShaderThatAnswersNothing) {
  EXPECT_EQ(wrongOf(8, [](auto& threads) { threads.assign(threads.size(), {}); }),
            "thread 0 says that its wave has 0 lanes");
}

TEST(WaveProbe, NoticesLanesInAnotherOrder) {
  EXPECT_EQ(wrongOf(8, [](auto& threads) { std::swap(threads[9].lane, threads[10].lane); }),
            "thread 9 is lane 2 of 8 and not lane 1 of 8");
}

TEST(WaveProbe, NoticesThatLanesOfAWaveDoNotAgree) {
  EXPECT_EQ(wrongOf(8, [](auto& threads) { threads[10].lanes = 4; }),
            "thread 10 is lane 2 of 4 and not lane 2 of 8");
}

TEST(WaveProbe, NoticesWrongSums) {
  EXPECT_THAT(wrongOf(32, [](auto& threads) { ++threads[255].before; }),
              StartsWith("thread 255 has the sums "));
  EXPECT_THAT(wrongOf(32, [](auto& threads) { --threads[77].total; }),
              StartsWith("thread 77 has the sums "));
}

// On a device that reports 6.0, with another shader instead of the probe.
TEST(WaveProbe, DecidesWhichShaderModelIsTaken) {
  Device device("", false);
  if (!device.reports(D3D_SHADER_MODEL_6_0)) {
    GTEST_SKIP() << device.facts().runtime << " does not report shader model 6.0";
  }
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "wave_probe";
  std::filesystem::create_directories(folder);
  const auto write = [&](ShaderModel model, std::string_view shader) {
    const std::span<const uint8_t> bytes = bytecodeOf(model, shader);
    std::ofstream((folder / "wave_probe").concat(extension(model)), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
  D3D12Options options;
  options.bytecode = folder.string();
  write(ShaderModel::Sm5_1, "wave_probe");
  write(ShaderModel::Sm6_0, "wave_probe");
  const Identity taken = makeD3D12Target(options)->identity();
  EXPECT_EQ(taken.shaderModel, "6.0");
  EXPECT_GE(std::stoul(taken.limits.at("wave lanes")), 4u);
  EXPECT_EQ(taken.limits.count("why not shader model 6.0"), 0u);
  EXPECT_EQ(taken.limits.count("driver fault avoided"), 0u);

  write(ShaderModel::Sm6_0, "count");
  const Identity other = makeD3D12Target(options)->identity();
  EXPECT_EQ(other.shaderModel, "5.1");
  EXPECT_EQ(other.limits.count("wave lanes"), 0u);
  EXPECT_THAT(other.limits.at("driver fault avoided"),
              HasSubstr("its wave operations are wrong: thread 0 "));
  options.shaderModel = ShaderModel::Sm6_0;
  EXPECT_THAT([&] { makeD3D12Target(options); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("--shader-model 6.0: ")));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dmlcts::gpu
