#include "gpu/operators/plan.h"
#include "conformance/cases/generate.h"
#include "conformance/test/packed.h"
#include "conformance/test/rapidcheck_choices.h"

#include <gmock/gmock.h>

#include "gpu/operators/operators.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {
namespace {

uint64_t memoryBytes(const Descriptor& descriptor, const Plan& plan, const Memory& memory) {
  if (memory.kind == Memory::Kind::Temporary) return plan.temporaryBytes;
  uint32_t slot = 0;
  for (const TensorSlot& tensor : tensors(descriptor)) {
    if (tensor.isOutput != (memory.kind == Memory::Kind::Output)) continue;
    if (slot++ == memory.slot) return tensor.desc->totalBytes;
  }
  return 0;
}

TEST(Plan, KeepsLimitsAndStaysInsideBuffers) {
  EXPECT_TRUE(holds(
      [] {
        RapidcheckChoices choices;
        PlanLimits limits;
        if (choices.below(4) != 0) {
          limits.maxGroupsPerDimension = static_cast<uint32_t>(2 + choices.below(3));
          limits.maxViewBytes = 131072 * (1 + choices.below(3));  // a tile of dwords must fit
        }
        const Descriptor descriptor = generate(choices, anythingAt(Level::L6_4, 160000));
        const Plan plan = planOf(descriptor, limits);
        RC_ASSERT(plan.temporaryBytes % 256 == 0u);
        RC_ASSERT(!plan.passes.empty());
        uint32_t stage = 0;
        for (const Pass& pass : plan.passes) {
          RC_ASSERT(pass.groupsX >= 1 && pass.groupsX <= limits.maxGroupsPerDimension);
          RC_ASSERT(pass.groupsY >= 1 && pass.groupsY <= limits.maxGroupsPerDimension);
          RC_ASSERT(pass.stage >= stage);
          stage = pass.stage;
          RC_ASSERT(pass.constants.size() % 4 == 0u);
          for (const Binding& binding : pass.bindings) {
            RC_ASSERT(binding.baseAt < pass.constants.size());
            RC_ASSERT(binding.bytes >= 1u);
            RC_ASSERT(binding.bytes <= limits.maxViewBytes - 512);
            RC_ASSERT(!isTyped(binding.where) || binding.offset % 16 == 0u);
            // A typed view of whole texels may reach past the tensor's end.
            RC_ASSERT(binding.offset + binding.bytes <=
                      memoryBytes(descriptor, plan, binding.memory));
          }
        }
      },
      2000));
}

TEST(Plan, ShowsLessThanAViewByWhatItsEndsMayBeAlignedBy) {
  for (const auto& [bytes, window] :
       {std::pair{512u, 256u}, {700u, 256u}, {768u, 256u}, {1023u, 256u}, {1024u, 512u}}) {
    EXPECT_EQ(PlanLimits{.maxViewBytes = bytes}.rawWindow(), window) << bytes;
  }
}

NonzeroCoordinates vectorOf(DataType type, uint32_t elements) {
  return {packed(type, {elements}), packed(DataType::UInt32, {1}),
          packed(DataType::UInt32, {elements, 1})};
}

std::vector<Shader> shadersOf(const Plan& plan) {
  std::vector<Shader> shaders;
  for (const Pass& pass : plan.passes) shaders.push_back(pass.shader);
  return shaders;
}

TEST(Plan, ReadsPackedInputsAsTexels) {
  NonzeroCoordinates op;
  op.input = packed(DataType::Float16, {8, 8, 257});
  op.count = packed(DataType::UInt32, {1});
  op.coords = packed(DataType::UInt32, {64 * 257, 3});
  EXPECT_EQ(planOf(op, {}).passes.front().shader, Shader::Nonzero2);
  PlanLimits limits;
  limits.maxTilesInOneDispatch = 0;
  EXPECT_THAT(shadersOf(planOf(op, limits)), testing::ElementsAre(Shader::Mark2, Shader::Rows3));
}

TEST(Plan, TakesOneDispatchForAPackedTensorOfFewTiles) {
  constexpr uint32_t kMost = constants::kNonzeroElements * constants::kNonzeroTiles;
  for (const auto& [type, shader] : {std::pair{DataType::Float32, Shader::Nonzero4},
                                     {DataType::Float16, Shader::Nonzero2},
                                     {DataType::Int8, Shader::Nonzero1}}) {
    const Plan plan = planOf(vectorOf(type, kMost), {});
    ASSERT_THAT(shadersOf(plan), testing::ElementsAre(shader));
    EXPECT_EQ(plan.temporaryBytes, 0u);
    EXPECT_GE(plan.stateBytes, 4 * (constants::kNonzeroTiles + 1));
    EXPECT_EQ(plan.passes[0].groupsX, constants::kNonzeroTiles);
  }
  // Smaller groups have smaller tiles.
  PlanLimits smaller;
  smaller.groupThreads = 64;
  EXPECT_EQ(planOf(vectorOf(DataType::Float32, kMost / 4), smaller).passes.size(), 1u);
  EXPECT_EQ(planOf(vectorOf(DataType::Float32, kMost / 4 + 1), smaller).passes.size(), 2u);
}

TEST(Plan, TakesSeveralPassesForAllOtherInputs) {
  const auto twoPasses = testing::ElementsAre(Shader::Mark4, Shader::Rows1Texels);
  constexpr uint32_t kMost = constants::kNonzeroElements * constants::kNonzeroTiles;
  EXPECT_THAT(shadersOf(planOf(vectorOf(DataType::Float32, kMost + 1), {})), twoPasses);
  NonzeroCoordinates op = vectorOf(DataType::Float32, constants::kTileElements);
  EXPECT_THAT(shadersOf(planOf(op, PlanLimits::low())), twoPasses);
  op.input.strides = {2};
  EXPECT_THAT(shadersOf(planOf(op, {})),
              testing::ElementsAre(Shader::MarkStrided, Shader::Count, Shader::Rows1Texels));
  op.input.strides.reset();
  op.coords.totalBytes = uint64_t{1} << 30;  // more than a view shows
  EXPECT_EQ(planOf(op, {}).passes.front().shader, Shader::Mark4);
}

TEST(Plan, ScansTheCountsOfManyTiles) {
  NonzeroCoordinates op;
  op.input = packed(DataType::UInt8, {constants::kFewTiles * constants::kTileElements});
  op.count = packed(DataType::UInt32, {1});
  op.coords = packed(DataType::UInt32, {op.input.sizes[0], 1});
  const Plan few = planOf(op, {});
  EXPECT_EQ(few.passes[1].shader, Shader::Rows1Texels);
  EXPECT_EQ(few.passes[1].constants[constants::kRowsScanned], 0u);
  op.input.sizes[0] = ++op.coords.sizes[0];
  const Plan many = planOf(op, {});
  ASSERT_GE(many.passes.size(), 3u);
  EXPECT_EQ(many.passes[1].shader, Shader::Scan);
  EXPECT_EQ(many.passes[2].shader, Shader::Rows1Texels);
  EXPECT_EQ(many.passes[2].constants[constants::kRowsScanned], 1u);
}

// A view of texels shows four times as much as one of dwords, so the ends of tiles are separate.
TEST(Plan, WritesTheEndsOfTilesApartWhereItTakesManyViewsOfDwords) {
  NonzeroCoordinates op;
  op.input = packed(DataType::Float32, {1u << 19, 512});
  op.count = packed(DataType::UInt32, {1});
  op.coords = packed(DataType::UInt32, {1u << 28, 2});
  const Plan plan = planOf(op, {});
  std::vector<Shader> shaders;
  uint64_t shown = 0;
  for (const Pass& pass : plan.passes) {
    shaders.push_back(pass.shader);
    if (pass.shader == Shader::RowEnds2) shown += pass.bindings.back().bytes;
  }
  EXPECT_THAT(shaders, testing::ElementsAre(Shader::Mark4, Shader::Scan, Shader::Rows2Texels,
                                            Shader::Rows2Texels, Shader::RowEnds2, Shader::RowEnds2,
                                            Shader::RowEnds2, Shader::RowEnds2, Shader::RowEnds2));
  EXPECT_EQ(shown, uint64_t{8} << 28);
}

TEST(Plan, WritesContiguousColumnsOneByOne) {
  NonzeroCoordinates op;
  op.input = packed(DataType::Float32, {4, 3, 5});
  op.count = packed(DataType::UInt32, {1});
  op.coords = packed(DataType::UInt32, {60, 3});
  op.coords.strides = {1, 60};
  PlanLimits limits;
  limits.maxTilesInOneDispatch = 0;
  const Plan plan = planOf(op, limits);
  ASSERT_EQ(plan.passes.size(), 4u);
  for (uint32_t column = 0; column < 3; ++column) {
    const Pass& pass = plan.passes[1 + column];
    EXPECT_EQ(pass.shader, Shader::RowsColumn);
    EXPECT_EQ(pass.stage, 1u);  // independent of each other
    EXPECT_EQ(pass.constants[constants::kRowsAxes], op.input.sizes[column]);
    EXPECT_EQ(pass.constants[constants::kRowsAxes + 3], (std::array{15u, 5u, 1u})[column]);
    EXPECT_EQ(pass.constants[constants::kRowsAxes + 4], (std::array{15u, 5u, 1u})[column]);
    const auto texels = std::ranges::find(pass.bindings, Register::OutTexels, &Binding::where);
    ASSERT_NE(texels, pass.bindings.end());
    EXPECT_EQ(texels->offset, column * 240u);
  }
  op.coords.strides = {1, 61};  // columns begin within a texel
  EXPECT_EQ(planOf(op, limits).passes[1].shader, Shader::Rows3);
}

TEST(Plan, CopiesWholeTexelsWhereRowsAreAligned) {
  GatherNd op;
  op.input = packed(DataType::Float16, {10, 64});
  op.indices = packed(DataType::UInt32, {100, 1});
  op.output = packed(DataType::Float16, {100, 64});
  op.inputDimensionCount = 2;
  op.indicesDimensionCount = 2;
  EXPECT_EQ(planOf(op, {}).passes[0].shader, Shader::GatherRows);
  op.input.sizes[1] = op.output.sizes[1] = 63;
  EXPECT_EQ(planOf(op, {}).passes[0].shader, Shader::GatherSub);
  // Rows of one and two groups, and one texel more or less.
  for (uint32_t elements : {8192u, 16'384u}) {
    op.input.sizes[1] = op.output.sizes[1] = elements;
    const Pass pass = planOf(op, {}).passes.at(0);
    EXPECT_EQ(pass.shader, Shader::GatherLongRows);
    EXPECT_EQ(pass.groupsX * 1024, pass.constants[constants::kEnd]);
    for (uint32_t other : {elements - 8, elements + 8}) {
      op.input.sizes[1] = op.output.sizes[1] = other;
      EXPECT_EQ(planOf(op, {}).passes[0].shader, Shader::GatherRows);
    }
  }
}

TEST(Plan, ReadsPackedTuplesAsTexels) {
  const GatherNd op{packed(DataType::Float32, {19, 53}), packed(DataType::Int32, {1027, 2}),
                    packed(DataType::Float32, {1, 1027}), 2, 2};
  const Plan plan = planOf(op, {});
  ASSERT_EQ(plan.passes.size(), 2u);
  const Pass& texels = plan.passes[0];
  EXPECT_EQ(texels.shader, Shader::GatherScalars);
  EXPECT_EQ(texels.constants[constants::kEnd], 256u);
  EXPECT_EQ(texels.groupsX, 1u);
  // Three elements are less than a texel.
  const Pass& rest = plan.passes[1];
  EXPECT_EQ(rest.shader, Shader::Gather4);
  EXPECT_EQ(rest.constants[constants::kEnd], 3u);
  EXPECT_EQ(rest.stage, 0u);
  EXPECT_EQ(rest.bindings[0].offset, 1024u * 8);
  EXPECT_EQ(rest.bindings[1].offset, 1024u * 4);

  const auto shaderOf = [](const Descriptor& descriptor, const PlanLimits& limits = {}) {
    return planOf(descriptor, limits).passes.at(0).shader;
  };
  GatherNd other = op;
  other.indices = packed(DataType::Int64, {1027, 2});
  const Plan wide = planOf(other, {});
  ASSERT_EQ(wide.passes.size(), 1u);
  EXPECT_EQ(wide.passes[0].shader, Shader::GatherScalarsWide);
  EXPECT_EQ(wide.passes[0].constants[constants::kEnd], 1027u);
  EXPECT_EQ(wide.passes[0].groupsX, 2u);
  other.indices.strides = {1, 1027};
  EXPECT_EQ(shaderOf(other), Shader::Gather4);
  other = op;
  other.input.strides = {1, 19};
  EXPECT_EQ(shaderOf(other), Shader::GatherScalars);
  other.output.strides = {2054, 2};
  EXPECT_EQ(shaderOf(other), Shader::Gather4);
  other = op;
  other.indices.strides = {1, 1027};
  EXPECT_EQ(shaderOf(other), Shader::Gather4);
  other.indices.strides = {3, 1};
  EXPECT_EQ(shaderOf(other), Shader::Gather4);
  other = op;
  other.input.type = other.output.type = DataType::Float64;
  EXPECT_EQ(shaderOf(other), Shader::Gather8);
  // An input of more than one window.
  EXPECT_EQ(shaderOf(op, PlanLimits{.maxViewBytes = 19 * 53 * 4 + 512}), Shader::Gather4);
  EXPECT_EQ(shaderOf(op, PlanLimits{.maxViewBytes = 8192}), Shader::GatherScalars);
  // Slices, or few elements.
  EXPECT_EQ(shaderOf(GatherNd{packed(DataType::Float32, {19, 53, 2}),
                              packed(DataType::Int32, {1, 1027, 2}),
                              packed(DataType::Float32, {1, 1027, 2}), 3, 2}),
            Shader::Gather4);
  other = op;
  other.indices.sizes[0] = other.output.sizes[1] = 255;
  EXPECT_EQ(shaderOf(other), Shader::Gather4);
}

// Sizes and strides (in elements of output and input) of the axes that a gather's threads walk.
using WalkedAxis = std::array<uint32_t, 3>;
std::vector<WalkedAxis> walked(const Descriptor& descriptor) {
  const std::vector<uint32_t> constants = planOf(descriptor, {}).passes.at(0).constants;
  std::vector<WalkedAxis> axes;
  for (size_t i = 0; i < constants[constants::kGatherAxisCount]; ++i) {
    const uint32_t* axis = &constants[constants::kGatherAxes + 4 * i];
    axes.push_back({axis[0], axis[2], axis[3]});
  }
  return axes;
}

// Rows follow the output's order, without the axis of the columns.
TEST(Plan, MovesBlocksWhereNeighboursInTheInputAreNoneInTheOutput) {
  GatherNd op{packed(DataType::Float32, {64, 48}), packed(DataType::UInt32, {100, 1}),
              packed(DataType::Float32, {100, 48}), 2, 2};
  op.output.strides = {1, 100};
  EXPECT_EQ(walked(op), (std::vector<WalkedAxis>{{100, 1, 0}}));
  const Pass along = planOf(op, {}).passes[0];
  EXPECT_EQ(along.shader, Shader::GatherBlock4);
  const auto columnsOf = [](const Pass& pass) {
    return WalkedAxis{pass.constants[constants::kBlockColumns],
                      pass.constants[constants::kBlockColumns + 2],
                      pass.constants[constants::kBlockColumns + 3]};
  };
  EXPECT_EQ(columnsOf(along), (WalkedAxis{48, 100, 1}));
  EXPECT_EQ(along.constants[constants::kBlockReadsDown], 0u);
  // Two blocks of up to 32 columns and 128 rows.
  EXPECT_EQ(along.constants[constants::kEnd], 2u);
  // Columns of the input are rows in memory, and are read for all tuples.
  op.output.strides.reset();
  op.input.strides = {1, 64};
  EXPECT_EQ(walked(op), (std::vector<WalkedAxis>{{100, 48, 0}}));
  const Pass down = planOf(op, {}).passes[0];
  EXPECT_EQ(down.shader, Shader::GatherBlock4);
  EXPECT_EQ(columnsOf(down), (WalkedAxis{48, 1, 64}));
  EXPECT_EQ(down.constants[constants::kBlockReadsDown], 1u);
  EXPECT_EQ(down.constants[constants::kEnd], 3u);
  // A window with few columns has blocks whose rows still fit group memory.
  op = {packed(DataType::Float32, {7, 226}), packed(DataType::UInt32, {400, 1}),
        packed(DataType::Float32, {400, 226}), 2, 2};
  op.output.strides = {1, 400};
  PlanLimits limits;
  limits.maxViewBytes = 32 * 400 * 4 + 512;
  uint32_t fewest = 226;
  for (const Pass& pass : planOf(op, limits).passes) {
    fewest = std::min(fewest, pass.constants[constants::kBlockColumns]);
    EXPECT_LE(1u << pass.constants[constants::kBlockRowsShift], constants::kBlockMostRows);
  }
  EXPECT_EQ(fewest, 2u);
  // With few columns, elements go one by one.
  GatherNd narrow{packed(DataType::Float32, {64, 15}), packed(DataType::UInt32, {100, 1}),
                  packed(DataType::Float32, {100, 15}), 2, 2};
  narrow.output.strides = {1, 100};
  EXPECT_EQ(planOf(narrow, {}).passes[0].shader, Shader::Gather4);
  EXPECT_EQ(walked(narrow), (std::vector<WalkedAxis>{{15, 100, 1}, {100, 1, 0}}));
}

// Batches are ordinary axes: those packed in all tensors merge into one.
TEST(Plan, TakesBatchesForAxes) {
  GatherNd1 op;
  op.input = packed(DataType::Float64, {4, 6, 10, 2});
  op.indices = packed(DataType::Int64, {1, 4, 6, 1});
  op.output = packed(DataType::Float64, {1, 4, 6, 2});
  op.inputDimensionCount = 4;
  op.indicesDimensionCount = 3;
  op.batchDimensionCount = 2;
  const Plan rows = planOf(op, {});
  ASSERT_EQ(rows.passes.size(), 1u);
  EXPECT_EQ(rows.passes[0].shader, Shader::GatherRows);
  // 24 batches with rows of one texel.
  EXPECT_EQ(rows.passes[0].constants[constants::kGatherAxisCount], 1u);
  op.input.sizes[3] = op.output.sizes[3] = 1;
  EXPECT_EQ(planOf(op, {}).passes[0].shader, Shader::Gather8);
}

TEST(Plan, ShowsABoxOfBatchesTheirInputOnly) {
  GatherNd1 op;
  op.input = packed(DataType::Float32, {1, 64, 4096});
  op.indices = packed(DataType::UInt32, {64, 4096, 1});
  op.output = packed(DataType::Float32, {1, 64, 4096});
  op.inputDimensionCount = 2;
  op.indicesDimensionCount = 3;
  op.batchDimensionCount = 1;
  PlanLimits limits;
  limits.maxViewBytes = 131072;
  // One view shows 7 batches of each tensor.
  EXPECT_EQ(planOf(op, limits).passes.size(), 10u);
}

// No test here can execute it.
TEST(Plan, SplitsTensorsBeyondFourGibibytes) {
  GatherNd op;
  op.input = packed(DataType::UInt32, {1u << 18, 12345});
  op.indices = packed(DataType::UInt32, {1u << 18, 1});
  op.output = packed(DataType::UInt32, {1u << 18, 12345});
  op.inputDimensionCount = 2;
  op.indicesDimensionCount = 2;
  const Plan plan = planOf(op, {});
  uint64_t items = 0;
  uint64_t windowEnd = 0;
  for (const Pass& pass : plan.passes) {
    const uint64_t first = pass.constants[constants::kGatherWindow];
    if (first == 0) items += pass.constants[constants::kEnd] - pass.constants[constants::kFirst];
    windowEnd = std::max(windowEnd, first + pass.constants[constants::kGatherWindowSize]);
  }
  EXPECT_EQ(items, (uint64_t{1} << 18) * 12345);
  EXPECT_EQ(windowEnd, (uint64_t{1} << 18) * 12345);
}

}  // namespace
}  // namespace dmlcts::gpu
