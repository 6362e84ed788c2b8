#include "gpu/operators/plan.h"

#include <algorithm>

namespace dmlcts::gpu {

namespace {

// Views begin at multiples of this, to meet every driver's texel-buffer alignment.
constexpr uint64_t kViewAlignment = 256;

}  // namespace

uint64_t PlanLimits::window(uint64_t texelBytes) const {
  const uint64_t bytes = std::min(maxViewBytes, maxViewTexels * texelBytes);
  return bytes > 3 * kViewAlignment ? (bytes - 2 * kViewAlignment) / kViewAlignment * kViewAlignment
                                    : kViewAlignment;
}

uint64_t maxGroups(const PlanLimits& limits) {
  return uint64_t{limits.maxGroupsPerDimension} * limits.maxGroupsPerDimension;
}

GroupGrid gridOf(uint64_t groups, const PlanLimits& limits) {
  const uint64_t y = (groups + limits.maxGroupsPerDimension - 1) / limits.maxGroupsPerDimension;
  const uint64_t x = (groups + y - 1) / y;
  return {static_cast<uint32_t>(x), static_cast<uint32_t>(y)};
}

}  // namespace dmlcts::gpu
