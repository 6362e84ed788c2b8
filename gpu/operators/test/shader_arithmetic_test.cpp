// The shaders' own arithmetic, compiled as C++.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "gpu/operators/axes.h"
#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {
namespace {

using constants::kTileElements;

using uint = uint32_t;
struct uint4 {
  uint x, y, z, w;
};
// NOLINTBEGIN(bugprone-suspicious-include)
#include "gpu/shaders/carry.hlsli"
// NOLINTEND(bugprone-suspicious-include)

// Tries every axis size up to slightly more than a tile's elements, and every sum that it can meet.
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
