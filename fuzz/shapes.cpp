#include "fuzz/shapes.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "conformance/cases/layout.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Sizes = std::vector<uint32_t>;

constexpr uint64_t kMostUsual = 100'000;  // elements; more are rare and always used up

// What strides may make of a tensor, before it is left packed instead.
constexpr uint64_t kMostStridedBytes = 1u << 20;

std::vector<uint32_t> shuffledAxes(Choice& choice, size_t rank) {
  std::vector<uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  for (size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[choice.below(i)]);
  return axes;
}

// Axes in any order in memory, with a few elements of gap anywhere.
Sizes gappedStrides(Choice& choice, const Sizes& sizes) {
  Sizes strides(sizes.size());
  uint32_t next = 1;
  for (uint32_t axis : shuffledAxes(choice, sizes.size())) {
    strides[axis] = next + choice.between(0, 3);
    const uint64_t end = uint64_t{strides[axis]} * sizes[axis];
    if (end > kMostStridedBytes) return {};
    next = static_cast<uint32_t>(end);
  }
  return strides;
}

// Short strides that let elements share addresses: sliding windows, diagonals, repeats.
Sizes windowStrides(Choice& choice, const Sizes& sizes) {
  Sizes strides(sizes.size());
  for (uint32_t& stride : strides) stride = choice.between(0, 3);
  return strides;
}

Layout drawLayout(Choice& choice, const Sizes& sizes, bool isOutput) {
  const auto rank = static_cast<uint32_t>(sizes.size());
  switch (choice.below(isOutput ? 4 : 5)) {
    case 0:
      return {LayoutKind::Packed, {}};
    case 1:
      return {LayoutKind::Perm, shuffledAxes(choice, rank)};
    case 2:
      return {LayoutKind::Pad, {choice.between(1, 9)}};
    case 3:
      return {LayoutKind::Step, {choice.between(2, 5)}};
    default: {
      Layout broadcast{LayoutKind::Broadcast, {}};
      for (uint32_t axis = 0; axis < rank; ++axis) {
        if (choice.oneIn(2)) broadcast.arguments.push_back(axis);
      }
      if (broadcast.arguments.empty()) broadcast.arguments = {choice.between(0, rank - 1)};
      return broadcast;
    }
  }
}

Sizes drawStrides(Choice& choice, const Sizes& sizes, bool isOutput) {
  switch (choice.below(8)) {
    case 0:
    case 1:
      return gappedStrides(choice, sizes);
    case 2:
      return isOutput ? gappedStrides(choice, sizes) : windowStrides(choice, sizes);
    default:
      return layoutStrides(drawLayout(choice, sizes, isOutput), sizes).value_or(Sizes{});
  }
}

}  // namespace

uint64_t elementBudget(Choice& choice, int size) {
  if (size < 75) return 1 + choice.below(64);
  if (size < 95) return choice.oneIn(4) ? 1024 : 256;
  if (size < 99) return choice.oneIn(4) ? 8200 : 1024;  // 8200: two tiles
  // A case of 300,000 elements takes as long as hundreds of small ones.
  if (!choice.oneIn(24)) return choice.oneIn(16) ? 70000 : 4100;
  return choice.oneIn(4) ? 1'100'000 : kMostUsual + 200'000;
}

uint32_t drawBoundary(Choice& choice, uint64_t most) {
  const auto fitting =
      static_cast<uint64_t>(std::ranges::upper_bound(kBoundaries, most) - kBoundaries.begin());
  // The largest ones that fit are rarer than the small ones by nature, so they get a second draw.
  const uint64_t first = choice.below(fitting);
  return kBoundaries[choice.oneIn(2) ? std::max(first, choice.below(fitting)) : first];
}

std::vector<uint32_t> drawSizes(Choice& choice, size_t count, uint64_t budget) {
  Sizes sizes(count, 1);
  const uint64_t whole = budget;
  for (uint32_t axis : shuffledAxes(choice, count)) {
    if (choice.oneIn(3)) {
      sizes[axis] = choice.between(1, static_cast<uint32_t>(std::min<uint64_t>(budget, 4)));
    } else if (choice.oneIn(6)) {
      sizes[axis] = choice.between(1, static_cast<uint32_t>(std::min<uint64_t>(budget, 300000)));
    } else {
      sizes[axis] = drawBoundary(choice, budget);
    }
    budget /= sizes[axis];
  }
  // Shapes that use the whole budget are what reaches second dispatches and wide counters.
  if (count > 0 && (whole > kMostUsual || choice.oneIn(6))) {
    sizes[choice.below(count)] *= static_cast<uint32_t>(budget);
  }
  return sizes;
}

void layOut(Choice& choice, TensorDesc& tensor, bool isOutput) {
  tensor.strides.reset();
  if (choice.oneIn(2)) {
    Sizes strides = drawStrides(choice, tensor.sizes, isOutput);
    if (!strides.empty()) tensor.strides = std::move(strides);
  }
  // Nothing is ever multiplied with the stride of a dimension of size 1.
  if (tensor.strides && choice.oneIn(4)) {
    for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
      if (tensor.sizes[axis] == 1) (*tensor.strides)[axis] = choice.of({0u, 1u, 7u, UINT32_MAX});
    }
  }
  const auto least = minimumTotalBytes(tensor);
  if (tensor.strides &&
      (!least || *least > kMostStridedBytes ||
       (isOutput && elementsOverlap({tensor.type, tensor.sizes, tensor.strides, *least})))) {
    tensor.strides.reset();
  }
  tensor.totalBytes = minimumTotalBytes(tensor).value();
  if (choice.oneIn(4)) tensor.totalBytes += 4 * choice.of({1u, 2u, 3u, 4u, 15u, 64u, 1024u});
}

}  // namespace dmlcts
