// The shaders' own arithmetic, compiled as C++: what only tensors past 2^32 bytes need, which no
// routine case has.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdint>

#include "gpu/operators/axes.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {
namespace {

using constants::kTileElements;

using uint = uint32_t;
struct uint2 {
  uint x, y;
  uint2(uint low, uint high) : x(low), y(high) {}
};
struct uint4 {
  uint x, y, z, w;
};
// NOLINTBEGIN(bugprone-suspicious-include)
#include "gpu/shaders/carry.hlsli"
#include "gpu/shaders/wide.hlsli"
// NOLINTEND(bugprone-suspicious-include)

uint2 split(uint64_t value) { return {static_cast<uint>(value), static_cast<uint>(value >> 32)}; }
uint64_t whole(uint2 value) { return uint64_t{value.y} << 32 | value.x; }

// Numbers of all lengths: sums of two carry about as often as not.
const auto kNumbers =
    rc::gen::map(rc::gen::pair(rc::gen::arbitrary<uint64_t>(), rc::gen::inRange(0, 64)),
                 [](const auto& drawn) { return drawn.first >> drawn.second; });

RC_GTEST_PROP(ShaderArithmetic, WideSumsAndDifferencesWrapAt64Bits, ()) {
  const uint64_t a = *kNumbers;
  const uint64_t b = *kNumbers;
  RC_ASSERT(whole(addWide(split(a), split(b))) == a + b);
  RC_ASSERT(whole(subtractWide(split(a), split(b))) == a - b);
  RC_ASSERT(whole(subtractWide(split(a), split(a))) == 0u);
}

RC_GTEST_PROP(ShaderArithmetic, WideProductsAreWhole, ()) {
  const uint64_t sum = *kNumbers;
  const auto a = static_cast<uint>(*kNumbers);
  const auto b = static_cast<uint>(*kNumbers);
  RC_ASSERT(whole(multiplyWide(a, b)) == uint64_t{a} * b);
  RC_ASSERT(whole(addProduct(split(sum), a, b, true)) == sum + uint64_t{a} * b);
  RC_ASSERT(addProduct(split(sum), a, b, false).x == static_cast<uint>(sum + uint64_t{a} * b));
}

TEST(ShaderArithmetic, SmallProductsAreWholeToo) {
  for (const uint a : {0u, 1u, 0xFFFFu, 0x10000u, 0x10001u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    for (const uint b : {0u, 1u, 0xFFFFu, 0x10000u, 0x1FFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      EXPECT_EQ(whole(multiplyWide(a, b)), uint64_t{a} * b) << a << " * " << b;
    }
  }
}

// For every size of an axis up to a tile's elements and a few more, and every sum that it can meet.
TEST(ShaderArithmetic, CarriesExactly) {
  for (uint size = 1; size < kTileElements + 3; ++size) {
    std::array<uint32_t, 3> divisor{};
    setDivisor(divisor.data(), size);
    const uint4 axis{divisor[0], divisor[1], divisor[2], 0};
    for (uint value = 0; value < size + kTileElements; ++value) {
      ASSERT_EQ(carry(value, axis), value / size) << value << " / " << size;
    }
  }
}

}  // namespace
}  // namespace dmlcts::gpu
