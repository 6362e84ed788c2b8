#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The iteration space of a pass: axes with a size and a stride in up to three tensors.

namespace dmlcts::gpu {

using PerTensor = std::array<uint64_t, 3>;

struct Axis {
  uint64_t size = 1;
  PerTensor strides{};  // in a unit that the user of the axes chooses

  bool operator==(const Axis&) const = default;
};

// Returns the same iteration order with the fewest axes, outermost first. Drops axes of size 1.
// Merges neighbours whose outer stride is the inner size times the inner stride in all tensors.
std::vector<Axis> coalesced(std::span<const Axis> axes);

// Returns the product of the sizes.
uint64_t itemsOf(std::span<const Axis> axes);

// Returns the distance from the first to the last place that the axes reach in tensor `t`, plus
// one.
uint64_t spanOf(std::span<const Axis> axes, size_t t);

inline constexpr uint64_t kUnlimited = ~uint64_t{0};

// A part of an iteration space: a range of coordinates per axis.
struct Box {
  std::vector<uint64_t> first;
  std::vector<uint64_t> size;
};

// Splits the axes into boxes that together cover each coordinate once. In each box tensor t's span
// is at most `limits[t]`, which is at least 1 (kUnlimited: no limit). Ranges begin at multiples of
// `granularity` where possible.
std::vector<Box> splitIntoBoxes(std::span<const Axis> axes, const PerTensor& limits,
                                uint64_t granularity);

// The axes of one box, and its first item's place in each tensor.
struct BoxAxes {
  std::vector<Axis> axes;
  PerTensor start{};
};
BoxAxes axesIn(const Box& box, std::span<const Axis> axes);

// Division by an axis size as in carry.hlsli, for sizes below a tile's elements. The quotient of x
// is x * multiplier >> shift, exact for x below 2^15 (tested exhaustively).
struct Reciprocal {
  uint32_t multiplier;
  uint32_t shift;
};
Reciprocal reciprocalOf(uint64_t size);

// Writes a divisor's three constants: size, multiplier, shift.
void setDivisor(uint32_t* constants, uint64_t size);

}  // namespace dmlcts::gpu
