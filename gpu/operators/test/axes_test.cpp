#include "gpu/operators/axes.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

namespace dmlcts::gpu {
namespace {

using Places = std::vector<PerTensor>;

// Returns the visited places, in order.
Places placesOf(const std::vector<Axis>& axes, const PerTensor& start = {}) {
  Places places{start};
  for (const Axis& axis : axes) {
    Places next;
    for (const auto& place : places) {
      for (uint64_t c = 0; c < axis.size; ++c) {
        PerTensor at = place;
        for (size_t t = 0; t < at.size(); ++t) at[t] += c * axis.strides[t];
        next.push_back(at);
      }
    }
    places = next;
  }
  return places;
}

std::vector<Axis> anyAxes() {
  const auto rank = *rc::gen::inRange<size_t>(0, 5);
  std::vector<Axis> axes;
  for (size_t i = 0; i < rank; ++i) {
    Axis axis;
    axis.size = *rc::gen::inRange<uint64_t>(1, 7);
    for (uint64_t& stride : axis.strides) stride = *rc::gen::inRange<uint64_t>(0, 12);
    axes.push_back(axis);
  }
  return axes;
}

TEST(Axes, CoalescePackedTensorsToOne) {
  const std::vector<Axis> axes{{2, {12, 12, 24}}, {3, {4, 4, 8}}, {1, {99, 7, 5}}, {4, {1, 1, 2}}};
  EXPECT_THAT(coalesced(axes), ::testing::ElementsAre(Axis{24, {1, 1, 2}}));
}

TEST(Axes, CoalesceOnlyWhereAllTensorsAgree) {
  for (size_t t = 0; t < PerTensor{}.size(); ++t) {
    std::vector<Axis> axes{{2, {4, 4, 4}}, {4, {1, 1, 1}}};
    ++axes[0].strides[t];
    EXPECT_EQ(coalesced(axes), axes);
  }
}

TEST(Axes, CoalescingKeepsTheOrder) {
  EXPECT_TRUE(rc::check("coalesced axes go to the same places in the same order", [] {
    const std::vector<Axis> axes = anyAxes();
    RC_ASSERT(placesOf(coalesced(axes)) == placesOf(axes));
  }));
}

TEST(Axes, BoxesCoverEveryPlaceOnceWithinTheLimits) {
  EXPECT_TRUE(rc::check("boxes partition the places and keep the limits", [] {
    const std::vector<Axis> axes = anyAxes();
    const PerTensor limits{*rc::gen::inRange<uint64_t>(1, 60), *rc::gen::inRange<uint64_t>(1, 60),
                           *rc::gen::element<uint64_t>(1, 30, kUnlimited)};
    const auto granularity = *rc::gen::element<uint64_t>(1, 2, 4);
    Places places;
    for (const Box& box : splitIntoBoxes(axes, limits, granularity)) {
      const BoxAxes inside = axesIn(box, axes);
      for (size_t t = 0; t < limits.size(); ++t) {
        RC_ASSERT(spanOf(inside.axes, t) <= limits[t]);
      }
      const Places more = placesOf(inside.axes, inside.start);
      places.insert(places.end(), more.begin(), more.end());
    }
    Places expected = placesOf(axes);
    std::sort(places.begin(), places.end());
    std::sort(expected.begin(), expected.end());
    RC_ASSERT(places == expected);
  }));
}

}  // namespace
}  // namespace dmlcts::gpu
