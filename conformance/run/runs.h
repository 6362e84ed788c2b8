#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dmlcts {

// An arithmetic run of elements, starting at element address `at`.
struct Run {
  uint64_t at;
  uint64_t first;
  uint64_t count;
  uint64_t step;
};

inline constexpr size_t kMostRuns = 4096;

// Collects elements at ascending addresses as runs; gives nothing if there are too many runs.
class Runs {
 public:
  explicit Runs(uint32_t width, size_t most = kMostRuns)
      : mask_(~uint64_t{0} >> (64 - 8 * width)), most_(most) {}

  void add(uint64_t at, uint64_t bits) {
    if (!runs_.empty()) {
      Run& last = runs_.back();
      const uint64_t step = last.count == 1 ? (bits - last.first) & mask_ : last.step;
      if (at == last.at + last.count && bits == ((last.first + last.count * step) & mask_)) {
        last.step = step;
        ++last.count;
        return;
      }
      splitShort();
    }
    if (runs_.size() <= most_ + 4) runs_.push_back({at, bits, 1, 0});
  }

  std::optional<std::vector<Run>> all() {
    splitShort();
    if (runs_.size() > most_) return std::nullopt;
    return runs_;
  }

 private:
  // Two or three neighbours always form a run, but are shorter as single elements.
  void splitShort() {
    if (runs_.empty() || runs_.back().count >= 4) return;
    const Run last = runs_.back();
    runs_.pop_back();
    for (uint64_t i = 0; i < last.count; ++i) {
      runs_.push_back({last.at + i, (last.first + i * last.step) & mask_, 1, 0});
    }
  }

  uint64_t mask_;
  size_t most_;
  std::vector<Run> runs_;
};

}  // namespace dmlcts
