#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The iteration space of a pass: axes of a size, each with a stride in up to three tensors.

namespace dmlcts::gpu {

using PerTensor = std::array<uint64_t, 3>;

struct Axis {
  uint64_t size = 1;
  PerTensor strides{};  // in units that the user of the axes chooses

  bool operator==(const Axis&) const = default;
};

// The same iteration order with as few axes as possible: axes of size 1 go, and two neighbours
// become one where in all tensors the outer stride is the inner's size times its stride. Outermost
// first.
std::vector<Axis> coalesced(std::span<const Axis> axes);

// Product of the sizes.
uint64_t itemsOf(std::span<const Axis> axes);

// Distance from the first to the last place that the axes reach in tensor `t`, plus one.
uint64_t spanOf(std::span<const Axis> axes, size_t t);

inline constexpr uint64_t kUnlimited = ~uint64_t{0};

// A part of an iteration space: per axis a range of coordinates.
struct Box {
  std::vector<uint64_t> first;
  std::vector<uint64_t> size;
};

// Splits the axes into boxes that together cover each coordinate once, so that in each box tensor
// t's span is at most `limits[t]` (kUnlimited: no limit). Ranges begin at multiples of
// `granularity` on every axis where that is possible. Every limit must be at least 1.
std::vector<Box> splitIntoBoxes(std::span<const Axis> axes, const PerTensor& limits,
                                uint64_t granularity);

// The axes of one box, and where its first item lies in each tensor.
struct BoxAxes {
  std::vector<Axis> axes;
  PerTensor start{};
};
BoxAxes axesIn(const Box& box, std::span<const Axis> axes);

// Division by the size of an axis as carry.hlsli does it: for a size below a tile's elements the
// quotient of x is x * multiplier >> shift, exact for x below 2^15 (the test tries every pair).
struct Reciprocal {
  uint32_t multiplier;
  uint32_t shift;
};
Reciprocal reciprocalOf(uint64_t size);

// Fills in a divisor's three constants: size, multiplier, shift.
void setDivisor(uint32_t* constants, uint64_t size);

}  // namespace dmlcts::gpu
