#include <gmock/gmock.h>

#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/shaders/constants.h"

// The kernels under low limits, which split every pass and give every window edges, beside what
// conformance_d3d12_low_limits runs.

namespace dmlcts::gpu {
namespace {

using constants::kScanChunk;
using constants::kTileElements;
using test::Density;
using test::differences;
using test::requestOf;

constexpr std::array kDensities{Density::None,    Density::FirstOnly, Density::LastOnly,
                                Density::OneTile, Density::Half,      Density::All};

Target& limited() {
  static const std::unique_ptr<Target> shared = [] {
    D3D12Options options;
    options.limits = PlanLimits::low();
    return makeD3D12Target(options);
  }();
  return *shared;
}

Target& unlimited() {
  static const std::unique_ptr<Target> shared = makeD3D12Target({});
  return *shared;
}

TEST(Limits, NonzeroOfEveryLengthFromOneTileToTwo) {
  std::vector<Request> requests;
  for (uint32_t n = kTileElements - 40; n <= 2 * kTileElements + 40; ++n) {
    // All lengths near the ends of mask dwords and tiles; one in 29 of the others.
    const bool near = n % 32 <= 1 || n % 32 == 31 || n % kTileElements < 40 ||
                      n % kTileElements > kTileElements - 40;
    if (near || n % 29 == 0) {
      requests.push_back(requestOf(makeNonzero(DataType::UInt8, {n}, 1), {n, kDensities[n % 6]}));
    }
  }
  EXPECT_EQ(differences(unlimited(), requests), "");
  D3D12Options inPasses;
  inPasses.limits.maxTilesInOneDispatch = 0;
  EXPECT_EQ(differences(*makeD3D12Target(inPasses), requests), "");
}

TEST(Limits, NonzeroAroundEveryWindow) {
  std::vector<Request> requests;
  // The capacity of windows of 128 KiB, less the executor's margin: texels of input, rows of
  // output.
  constexpr uint32_t kWindow = 130560;
  uint64_t seed = 1;
  for (uint32_t edge : {kWindow / 4, kWindow / 8, kWindow / 16, 2 * kWindow / 16, kWindow}) {
    for (uint32_t n : {edge - 1, edge, edge + 1}) {
      for (Density density : kDensities) {
        ++seed;
        requests.push_back(
            requestOf(makeNonzero(DataType::Float32, {1, n}, 1 + seed % 2), {seed, density}));
        requests.push_back(
            requestOf(makeNonzero(DataType::Int8, {1, 1, 1, n}, 4), {seed, density}));
      }
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, NonzeroOfMoreTilesThanOneScanStep) {
  // One, two and three steps.
  for (uint32_t tiles : {kScanChunk, kScanChunk + 1, 2 * kScanChunk + 1}) {
    const Density density = tiles == kScanChunk + 1 ? Density::All : Density::Half;
    const uint32_t n = (tiles - 1) * kTileElements + 1;
    const Request request = requestOf(makeNonzero(DataType::UInt8, {n}, 1), {tiles, density});
    EXPECT_EQ(differences(unlimited(), {request}), "");
  }
}

TEST(Limits, OutputLengthsThatEndInsideADword) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float16, DataType::UInt8}) {
    for (uint32_t n = 1; n <= 600; ++n) {
      GatherNd op = makeGather(type, DataType::UInt32, 2, {5, 3}, {n}, 2);
      if (n % 3 == 0) op.output.totalBytes += 8;
      requests.push_back(requestOf(op, {n}));
    }
  }
  EXPECT_EQ(differences(unlimited(), requests), "");
  EXPECT_EQ(differences(limited(), requests), "");
}

}  // namespace
}  // namespace dmlcts::gpu
