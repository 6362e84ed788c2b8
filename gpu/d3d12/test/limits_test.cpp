#include <gmock/gmock.h>

#include "conformance/cases/generate.h"
#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/shaders/constants.h"

// The kernels under low limits, which split every pass and give every window edges, and their use
// of shared temporaries.

namespace dmlcts::gpu {
namespace {

using constants::kScanChunk;
using constants::kTileElements;
using test::batchedGatherOf;
using test::Density;
using test::differences;
using test::gatherOf;
using test::nonzeroOf;
using test::requestOf;
using test::tensorOf;

constexpr std::array kDensities{Density::None,    Density::FirstOnly, Density::LastOnly,
                                Density::OneTile, Density::Half,      Density::All};

D3D12Options lowLimits() {
  D3D12Options options;
  options.limits = PlanLimits::low();
  options.poisonTemporaries = true;
  return options;
}

Target& limited() {
  static const std::unique_ptr<Target> shared = makeD3D12Target(lowLimits());
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
      requests.push_back(requestOf(nonzeroOf(DataType::UInt8, {n}, 1), {n, kDensities[n % 6]}));
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
            requestOf(nonzeroOf(DataType::Float32, {1, n}, 1 + seed % 2), {seed, density}));
        requests.push_back(requestOf(nonzeroOf(DataType::Int8, {1, 1, 1, n}, 4), {seed, density}));
      }
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, NonzeroOfStridedInputsAcrossWindows) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float32, DataType::Float16, DataType::UInt8}) {
    // With 64 * 50 elements per outer step, memory neighbours are whole mask words apart.
    for (uint32_t middle : {40u, 64u}) {
      const std::vector<uint32_t> sizes{30, middle, 50};
      const uint32_t elements = 30 * middle * 50;
      NonzeroCoordinates op = nonzeroOf(type, sizes, 3);
      op.input = tensorOf(type, sizes, {{1, 31, 31 * middle + 61}});
      for (Density density : kDensities) requests.push_back(requestOf(op, {1, density}));
      op.coords = tensorOf(DataType::UInt32, {elements, 3}, {{1, elements + 1}});
      requests.push_back(requestOf(op, {2}));
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, NonzeroOfMoreTilesThanOneScanStep) {
  // One, two and three steps.
  for (uint32_t tiles : {kScanChunk, kScanChunk + 1, 2 * kScanChunk + 1}) {
    const Density density = tiles == kScanChunk + 1 ? Density::All : Density::Half;
    const uint32_t n = (tiles - 1) * kTileElements + 1;
    const Request request = requestOf(nonzeroOf(DataType::UInt8, {n}, 1), {tiles, density});
    EXPECT_EQ(differences(unlimited(), {request}), "");
  }
}

TEST(Limits, GatherOfRowsAcrossWindows) {
  std::vector<Request> requests;
  for (uint32_t row : {16u, 1024u, 8128u, 32512u, 32640u, 80000u}) {
    requests.push_back(requestOf(
        gatherOf(DataType::Float32, {17, row}, DataType::Int64, {9, 1}, {9, row}, 2, 2), {row}));
  }
  requests.push_back(requestOf(
      gatherOf(DataType::Float32, {18000, 4}, DataType::Int32, {18001, 1}, {18001, 4}, 2, 2), {1}));
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, GatherOfElementsAcrossWindows) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float32, DataType::Float16, DataType::Int8}) {
    const uint32_t window = 130560 / info(type).bytes;
    for (uint32_t n : {window - 1, window, window + 1, 2 * window + 3}) {
      requests.push_back(
          requestOf(gatherOf(type, {300, 251}, DataType::Int32, {n, 2}, {1, n}, 2, 2), {n}));
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, GatherOfTuplesWiderThanAView) {
  std::vector<Request> requests;
  for (DataType indexType : {DataType::UInt32, DataType::Int64}) {
    for (DataType type : {DataType::Float32, DataType::UInt8}) {
      GatherNd op = gatherOf(type, {10, 20, 16}, indexType, {1, 60000, 2}, {1, 60000, 16}, 3, 2);
      op.indices = tensorOf(indexType, {1, 60000, 2}, {{1, 1, 60001}});
      requests.push_back(requestOf(op, {1}));
      requests.push_back(requestOf(nonzeroOf(DataType::UInt8, {100, 100}, 2), {2}));
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, GatherOfBatchesAcrossWindows) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float32, DataType::Float64, DataType::Float16, DataType::Int8}) {
    // Windows that hold several batches, just over one, and less than one.
    for (uint32_t batch : {3u, 1000u, 16000u, 40000u}) {
      const uint32_t batches = 90000 / batch;
      // Elements, rows of whole texels, rows that are not.
      requests.push_back(
          requestOf(batchedGatherOf(gatherOf(type, {1, batches, batch}, DataType::Int64,
                                             {batches, batch, 1}, {1, batches, batch}, 2, 3),
                                    1),
                    {batch}));
      for (uint32_t row : {16u, 7u}) {
        requests.push_back(
            requestOf(batchedGatherOf(gatherOf(type, {batches, 2, batch / 2, row}, DataType::Int32,
                                               {1, batches, 5, 2}, {1, batches, 5, row}, 4, 3),
                                      1),
                      {batch + row}));
      }
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, GatherOfStridedBatchesAcrossWindows) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float32, DataType::Float64, DataType::UInt8}) {
    GatherNd1 op = batchedGatherOf(
        gatherOf(type, {1, 50, 4000}, DataType::Int32, {50, 3000, 1}, {1, 50, 3000}, 2, 3), 1);
    // Batches innermost in one tensor, then in all.
    op.input = tensorOf(type, {1, 50, 4000}, {{0, 1, 51}});
    requests.push_back(requestOf(op, {1}));
    op.output = tensorOf(type, {1, 50, 3000}, {{0, 1, 53}});
    requests.push_back(requestOf(op, {2}));
    op.indices = tensorOf(DataType::Int32, {50, 3000, 1}, {{1, 52, 0}});
    requests.push_back(requestOf(op, {3}));
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, GatherOfBatchesWhoseTuplesAreWiderThanAView) {
  std::vector<Request> requests;
  for (DataType indexType : {DataType::UInt32, DataType::Int64}) {
    for (DataType type : {DataType::Float32, DataType::Float64, DataType::UInt8}) {
      GatherNd1 op = batchedGatherOf(
          gatherOf(type, {8, 10, 20, 2}, indexType, {1, 8, 7000, 2}, {1, 8, 7000, 2}, 4, 3), 1);
      op.indices = tensorOf(indexType, {1, 8, 7000, 2}, {{0, 7000, 1, 60001}});
      requests.push_back(requestOf(op, {1}));
    }
  }
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, OutputLengthsThatEndInsideADword) {
  std::vector<Request> requests;
  for (DataType type : {DataType::Float16, DataType::UInt8}) {
    for (uint32_t n = 1; n <= 600; ++n) {
      GatherNd op = gatherOf(type, {5, 3}, DataType::UInt32, {n, 2}, {1, n}, 2, 2);
      op.output = tensorOf(type, {1, n}, std::nullopt, n % 3 == 0 ? 8 : 0);
      requests.push_back(requestOf(op, {n}));
    }
  }
  EXPECT_EQ(differences(unlimited(), requests), "");
  EXPECT_EQ(differences(limited(), requests), "");
}

TEST(Limits, RandomOperatorsUnderLowLimits) {
  Draws draws(7);
  for (int round = 0; round < 4; ++round) {
    std::vector<Request> requests;
    for (uint64_t i = 0; i < 40; ++i) {
      requests.push_back(requestOf(generate(draws, anythingAt(Level::L6_4, 60000)), {i}));
    }
    ASSERT_EQ(differences(limited(), requests), "") << "round " << round;
  }
}

// Alternates the operators: a large case, then small ones.
std::vector<Request> mixedRequests() {
  std::vector<Request> requests;
  uint64_t seed = 1;
  for (uint32_t n : {40000u, 3u, 5000u, 1u, 4096u}) {
    for (Density density : {Density::All, Density::None, Density::LastOnly}) {
      requests.push_back(requestOf(nonzeroOf(DataType::Float16, {1, n}, 2), {++seed, density}));
      requests.push_back(requestOf(
          gatherOf(DataType::Int8, {9, 33}, DataType::Int64, {n, 1}, {n, 33}, 2, 2), {++seed}));
      requests.push_back(requestOf(
          batchedGatherOf(
              gatherOf(DataType::Float64, {1, n, 3}, DataType::Int32, {1, n, 1}, {1, 1, n}, 2, 2),
              1),
          {++seed}));
    }
  }
  return requests;
}

TEST(Temporaries, MayHoldAnythingAndBeSharedByRequestsInTurn) {
  D3D12Options options;
  options.poisonTemporaries = true;
  options.serial = true;
  const std::unique_ptr<Target> target = makeD3D12Target(options);
  EXPECT_EQ(differences(*target, mixedRequests()), "");
}

TEST(Temporaries, AreLeftReadyForTheNextBatch) {
  const std::vector<Request> requests = mixedRequests();
  for (const Request& request : requests) {
    EXPECT_EQ(differences(unlimited(), {request}), "");
  }
  EXPECT_EQ(differences(unlimited(), requests), "");
}

}  // namespace
}  // namespace dmlcts::gpu
