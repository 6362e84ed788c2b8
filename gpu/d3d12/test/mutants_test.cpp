#include <gmock/gmock.h>

#include "gpu/d3d12/target.h"
#include "gpu/d3d12/test/oracle_cases.h"
#include "gpu/shaders/constants.h"

// Each wrong shader must be told from the right one by cases that the right one passes.

namespace dmlcts::gpu {
namespace {

using constants::kScanChunk;
using constants::kTileElements;
using test::batchedGatherOf;
using test::Density;
using test::gatherOf;
using test::nonzeroOf;
using test::requestOf;
using test::tensorOf;

std::vector<Request> discerning() {
  std::vector<Request> requests;
  // Zeros of either sign, more than one pass takes; full tiles, and rows on both sides of where two
  // meet.
  requests.push_back(requestOf(nonzeroOf(DataType::Float32, {1, kTileElements + 50}, 2), {1}));
  requests.push_back(
      requestOf(nonzeroOf(DataType::Float16, {1, 1, 2 * kTileElements + 9}, 3), {2, Density::All}));
  // More tiles than two groups of the scan do.
  requests.push_back(requestOf(nonzeroOf(DataType::UInt8, {2 * kScanChunk * kTileElements + 1}, 1),
                               {3, Density::FirstOnly}));
  // Negative indices of both widths; rows, elements, packed and with gaps.
  for (DataType indexType : {DataType::Int32, DataType::Int64}) {
    for (DataType type : {DataType::Float32, DataType::Float16, DataType::Int8}) {
      for (uint32_t row : {5u, 16u}) {
        GatherNd op = gatherOf(type, {9, row}, indexType, {50, 1}, {50, row}, 2, 2);
        requests.push_back(requestOf(op, {row}));
        op.output = tensorOf(type, {50, row}, {{48, 3}});
        requests.push_back(requestOf(op, {row}));
      }
    }
  }
  // Several elements a thread.
  for (DataType indexType : {DataType::Int32, DataType::Int64}) {
    requests.push_back(requestOf(
        gatherOf(DataType::Float32, {19, 53}, indexType, {1000, 2}, {1, 1000}, 2, 2), {1}));
  }
  // Elements of 8 bytes; batches.
  for (DataType indexType : {DataType::Int32, DataType::Int64}) {
    for (uint32_t row : {1u, 16u}) {
      requests.push_back(
          requestOf(batchedGatherOf(gatherOf(DataType::Float64, {1, 6, 9, row}, indexType,
                                             {1, 6, 50, 1}, {1, 6, 50, row}, 3, 3),
                                    1),
                    {row}));
    }
  }
  return requests;
}

TEST(ShaderMutants, AreAtLeastEightAndDescribed) {
  EXPECT_GE(std::size(kShaderMutants), 8u);
  for (const ShaderMutant& mutant : kShaderMutants) EXPECT_FALSE(mutant.description.empty());
}

TEST(ShaderMutants, AreAllCaught) {
  const std::vector<Request> requests = discerning();
  EXPECT_EQ(test::differences(*makeD3D12Target({}), requests), "");
  for (const ShaderMutant& mutant : kShaderMutants) {
    D3D12Options options;
    options.shaderMutant = mutant.name;
    const std::unique_ptr<Target> target = makeD3D12Target(options);
    EXPECT_EQ(target->identity().target, "mutant:" + std::string(mutant.name));
    EXPECT_NE(test::differences(*target, requests), "") << mutant.name << " survives";
  }
}

}  // namespace
}  // namespace dmlcts::gpu
