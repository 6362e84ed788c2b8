#include "conformance/run/lane/lanes.h"

#include <fmt/format.h>

#include "conformance/run/journaling.h"
#include "conformance/run/judging/in_pieces.h"

namespace dmlcts {

Lanes::Lanes(uint32_t jobs, const LaneOptions& options, Lane& first) : all_{&first} {
  for (uint32_t i = 1; i < jobs; ++i) all_.push_back(&others_.emplace_back(options));
  for (size_t i = 1; i < all_.size(); ++i) {
    if (const auto difference = differenceOf(all_[i]->identity(), first.identity())) {
      throw AnotherTarget(
          fmt::format("worker {} hosts something else than worker 1: the {}", i + 1, *difference));
    }
  }
}

void Lanes::run(const std::function<void(size_t number)>& work,
                const std::function<void()>& stop) const {
  sideBySide(size(), size(), [&](uint64_t number) {
    try {
      work(number);
    } catch (...) {
      stop();
      throw;
    }
  });
}

void Lanes::finishOthers() {
  for (Lane& lane : others_) lane.finish();
}

}  // namespace dmlcts
