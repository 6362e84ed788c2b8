#include "gpu/operators/axes.h"

#include <algorithm>
#include <bit>

#include "gpu/shaders/constants.h"

namespace dmlcts::gpu {

std::vector<Axis> coalesced(std::span<const Axis> axes) {
  std::vector<Axis> result;
  for (const Axis& axis : axes) {
    if (axis.size == 1) continue;
    if (!result.empty()) {
      Axis& outer = result.back();
      bool joins = true;
      for (size_t t = 0; t < axis.strides.size(); ++t) {
        joins = joins && outer.strides[t] == axis.size * axis.strides[t];
      }
      if (joins) {
        outer.size *= axis.size;
        outer.strides = axis.strides;
        continue;
      }
    }
    result.push_back(axis);
  }
  return result;
}

uint64_t itemsOf(std::span<const Axis> axes) {
  uint64_t items = 1;
  for (const Axis& axis : axes) items *= axis.size;
  return items;
}

uint64_t spanOf(std::span<const Axis> axes, size_t t) {
  uint64_t span = 1;
  for (const Axis& axis : axes) span += (axis.size - 1) * axis.strides[t];
  return span;
}

BoxAxes axesIn(const Box& box, std::span<const Axis> axes) {
  BoxAxes result;
  for (size_t i = 0; i < axes.size(); ++i) {
    result.axes.push_back({box.size[i], axes[i].strides});
    for (size_t t = 0; t < result.start.size(); ++t) {
      result.start[t] += box.first[i] * axes[i].strides[t];
    }
  }
  return result;
}

namespace {

class Splitter {
 public:
  Splitter(std::span<const Axis> axes, const PerTensor& limits, uint64_t granularity)
      : axes_(axes), limits_(limits), granularity_(granularity) {}

  // Cuts a box that is too large into equal parts, along the axis that contributes most to its
  // size. Prefers outer axes if equal.
  void split(const Box& box) {
    const size_t none = axes_.size();
    size_t cut = none;
    uint64_t keep = 0;  // coordinates of the cut axis in each part
    const std::vector<Axis> inside = axesIn(box, axes_).axes;
    for (size_t t = 0; t < limits_.size() && cut == none; ++t) {
      if (spanOf(inside, t) <= limits_[t]) continue;
      uint64_t most = 0;
      for (size_t i = 0; i < inside.size(); ++i) {
        const uint64_t reach = (inside[i].size - 1) * inside[i].strides[t];
        if (reach > most) {
          most = reach;
          cut = i;
        }
      }
      const uint64_t others = spanOf(inside, t) - most;
      const uint64_t room = limits_[t] > others ? limits_[t] - others : 0;
      keep = room / inside[cut].strides[t] + 1;
      // The other axes alone are too long: halve this one, and leave the rest to them.
      if (room == 0) keep = (inside[cut].size + 1) / 2;
    }
    if (cut == none) {
      boxes.push_back(box);
      return;
    }
    keep = std::min(keep, inside[cut].size - 1);
    if (keep > granularity_) keep -= keep % granularity_;
    for (uint64_t at = 0; at < inside[cut].size; at += keep) {
      Box part = box;
      part.first[cut] = box.first[cut] + at;
      part.size[cut] = std::min(keep, inside[cut].size - at);
      split(part);
    }
  }

  std::vector<Box> boxes;

 private:
  std::span<const Axis> axes_;
  PerTensor limits_;
  uint64_t granularity_;
};

}  // namespace

std::vector<Box> splitIntoBoxes(std::span<const Axis> axes, const PerTensor& limits,
                                uint64_t granularity) {
  Box whole;
  for (const Axis& axis : axes) {
    whole.first.push_back(0);
    whole.size.push_back(axis.size);
  }
  Splitter splitter(axes, limits, granularity);
  splitter.split(whole);
  return std::move(splitter.boxes);
}

Reciprocal reciprocalOf(uint64_t size) {
  const uint32_t shift = 15 + static_cast<uint32_t>(std::bit_width(size - 1));
  return {static_cast<uint32_t>(((uint64_t{1} << shift) + size - 1) / size), shift};
}

void setDivisor(uint32_t* constants, uint64_t size) {
  constants[0] = static_cast<uint32_t>(size);
  if (size >= constants::kTileElements) return;
  const Reciprocal reciprocal = reciprocalOf(size);
  constants[1] = reciprocal.multiplier;
  constants[2] = reciprocal.shift;
}

}  // namespace dmlcts::gpu
