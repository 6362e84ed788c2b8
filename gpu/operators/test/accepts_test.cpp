#include <gmock/gmock.h>

#include "conformance/language/operator_syntax.h"
#include "conformance/operators/generate.h"
#include "conformance/test/rapidcheck_choices.h"
#include "gpu/operators/operators.h"
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

void disturbPart(Descriptor& descriptor, Choices& choices) {
  const auto tensors = mutableTensors(descriptor);
  const auto counts = dimensionCounts(descriptor);
  const uint64_t what = choices.below(2 * tensors.size() + counts.size());
  if (what < counts.size()) {
    *counts[what] += static_cast<uint32_t>(choices.below(3)) - 1;
  } else {
    disturb(*tensors[what % tensors.size()], choices);
  }
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

}  // namespace
}  // namespace dmlcts::gpu
