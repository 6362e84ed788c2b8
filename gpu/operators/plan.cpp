#include "gpu/operators/plan.h"

#include <algorithm>

namespace dmlcts::gpu {

namespace {

// Views begin at multiples of this, so that every driver's texel-buffer alignment is met.
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
  const uint64_t x = std::min<uint64_t>(groups, limits.maxGroupsPerDimension);
  return {static_cast<uint32_t>(x), static_cast<uint32_t>((groups + x - 1) / x)};
}

}  // namespace dmlcts::gpu
