#include "conformance/language/layout.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::array<std::string_view, 5> kNames{"packed", "perm", "pad", "step", "broadcast"};

using Strides = std::optional<std::vector<uint32_t>>;

// Returns the strides of axes in this memory order, outermost first. Axes not listed get 0.
Strides stridesInOrder(std::span<const uint32_t> sizes, std::span<const uint32_t> order,
                       uint64_t innermost) {
  std::vector<uint32_t> strides(sizes.size(), 0);
  uint64_t stride = innermost;
  for (size_t i = order.size(); i-- > 0;) {
    if (stride > UINT32_MAX) return std::nullopt;
    strides[order[i]] = static_cast<uint32_t>(stride);
    stride *= sizes[order[i]];
  }
  return strides;
}

std::vector<uint32_t> allAxes(size_t rank) {
  std::vector<uint32_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0u);
  return axes;
}

// True if all are axes of the rank and none occurs twice.
bool areAxes(std::span<const uint32_t> axes, size_t rank) {
  std::vector<bool> seen(rank, false);
  for (uint32_t axis : axes) {
    if (axis >= rank || seen[axis]) return false;
    seen[axis] = true;
  }
  return true;
}

Strides padStrides(std::span<const uint32_t> sizes, uint32_t padding) {
  if (sizes.size() < 2) return std::nullopt;
  const uint64_t row = uint64_t{sizes.back()} + padding;
  if (row > UINT32_MAX) return std::nullopt;
  const auto outer = allAxes(sizes.size() - 1);
  auto strides = stridesInOrder(sizes, outer, row);
  if (strides) strides->back() = 1;
  return strides;
}

Strides broadcastStrides(std::span<const uint32_t> sizes, std::span<const uint32_t> axes) {
  std::vector<uint32_t> others;
  for (uint32_t axis = 0; axis < sizes.size(); ++axis) {
    if (std::ranges::find(axes, axis) == axes.end()) others.push_back(axis);
  }
  return stridesInOrder(sizes, others, 1);
}

// Returns the memory order that the strides suggest. A dimension of size 1 shares the stride of the
// one outside it, so ties put the larger dimension outside.
std::vector<uint32_t> orderOf(std::span<const uint32_t> sizes, std::span<const uint32_t> strides) {
  auto order = allAxes(sizes.size());
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
    if (strides[a] != strides[b]) return strides[a] > strides[b];
    return sizes[a] != 1 && sizes[b] == 1;
  });
  return order;
}

}  // namespace

Strides layoutStrides(const Layout& layout, std::span<const uint32_t> sizes) {
  const auto& arguments = layout.arguments;
  switch (layout.kind) {
    case LayoutKind::Packed:
      if (!arguments.empty()) return std::nullopt;
      return stridesInOrder(sizes, allAxes(sizes.size()), 1);
    case LayoutKind::Perm:
      if (arguments.size() != sizes.size() || !areAxes(arguments, sizes.size()))
        return std::nullopt;
      return stridesInOrder(sizes, arguments, 1);
    case LayoutKind::Pad:
      if (arguments.size() != 1) return std::nullopt;
      return padStrides(sizes, arguments[0]);
    case LayoutKind::Step:
      if (arguments.size() != 1) return std::nullopt;
      return stridesInOrder(sizes, allAxes(sizes.size()), arguments[0]);
    case LayoutKind::Broadcast:
      if (arguments.empty() || !areAxes(arguments, sizes.size())) return std::nullopt;
      return broadcastStrides(sizes, arguments);
  }
  return std::nullopt;
}

std::optional<Layout> findLayout(std::span<const uint32_t> sizes,
                                 std::span<const uint32_t> strides) {
  if (sizes.empty() || sizes.size() != strides.size()) return std::nullopt;
  std::vector<Layout> candidates{{LayoutKind::Packed, {}}, {LayoutKind::Perm, {}}};
  candidates[1].arguments = orderOf(sizes, strides);
  if (sizes.size() >= 2 && strides[sizes.size() - 2] > sizes.back()) {
    candidates.push_back({LayoutKind::Pad, {strides[sizes.size() - 2] - sizes.back()}});
  }
  candidates.push_back({LayoutKind::Step, {strides.back()}});
  Layout broadcast{LayoutKind::Broadcast, {}};
  for (uint32_t axis = 0; axis < sizes.size(); ++axis) {
    if (strides[axis] == 0) broadcast.arguments.push_back(axis);
  }
  candidates.push_back(std::move(broadcast));

  for (Layout& candidate : candidates) {
    const auto expanded = layoutStrides(candidate, sizes);
    if (expanded && std::ranges::equal(*expanded, strides)) return std::move(candidate);
  }
  return std::nullopt;
}

bool liesPacked(const TensorDesc& tensor) {
  if (!tensor.strides) return true;
  const auto packed = layoutStrides({LayoutKind::Packed, {}}, tensor.sizes);
  if (!packed) return false;
  for (size_t axis = 0; axis < tensor.sizes.size(); ++axis) {
    if (tensor.sizes[axis] > 1 && (*tensor.strides)[axis] != (*packed)[axis]) return false;
  }
  return true;
}

std::string_view name(LayoutKind kind) { return kNames[static_cast<size_t>(kind)]; }

std::optional<LayoutKind> parseLayoutKind(std::string_view text) {
  const auto found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<LayoutKind>(found - kNames.begin());
}

TensorDesc makeTensor(DataType type, std::vector<uint32_t> sizes,
                      std::optional<std::vector<uint32_t>> strides) {
  TensorDesc tensor{type, std::move(sizes), std::move(strides), 0};
  tensor.totalBytes = defaultTotalBytes(tensor);
  return tensor;
}

uint64_t defaultTotalBytes(const TensorDesc& tensor) {
  return minimumTotalBytes(tensor).value_or(0);
}

}  // namespace dmlcts
