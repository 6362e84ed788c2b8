#include "gpu/operators/plan.h"
#include "conformance/operators/generate.h"
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
