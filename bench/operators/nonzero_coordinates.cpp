#include "bench/operators/nonzero_coordinates.h"

#include <fmt/format.h>

namespace dmlcts::bench {
namespace {

std::string permName(const Sizes& axes) { return fmt::format("perm({})", fmt::join(axes, "")); }

// A NONZERO_COORDINATES; the defaults are the middle of the sweeps.
struct Nonzero {
  DataType type = DataType::Float32;
  uint32_t rank = 4;
  uint32_t exponent = 22;
  Fill values = density(500'000);
  std::string pattern = "50%/random";
  Sizes sizes = {};           // instead of 2^exponent
  Sizes inputAxes = {};       // memory order of the input, if not packed
  bool columnsFirst = false;  // coordinates column by column

  void addTo(WorkList& list) const {
    NonzeroCoordinates op =
        makeNonzero(type, sizes.empty() ? powerSizes(exponent, rank) : sizes, rank);
    std::string layout = "packed";
    if (!inputAxes.empty()) {
      setLayout(op.input, LayoutKind::Perm, inputAxes);
      layout = "input-" + permName(inputAxes);
    }
    if (columnsFirst) {
      Sizes axes(op.coords.sizes.size());
      for (uint32_t i = 0; i < axes.size(); ++i) axes[i] = i;
      std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
      setLayout(op.coords, LayoutKind::Perm, axes);
      layout = inputAxes.empty() ? "columns-first" : layout + "-columns-first";
    }
    const std::string size =
        sizes.empty() ? fmt::format("2^{}", exponent) : fmt::format("{}", fmt::join(sizes, "x"));
    list.add(
        fmt::format("nonzero/{}/rank{}/{}/{}/{}", info(type).name, rank, size, pattern, layout), op,
        values, IndexKind::Random);
  }
};

struct Pattern {
  std::string name;
  Fill values;
};

std::vector<Pattern> patterns() {
  return {{"0%/random", fill(FillKind::Zeros)},
          {"0.1%/random", density(1'000)},
          {"1%/random", density(10'000)},
          {"10%/random", density(100'000)},
          {"50%/random", density(500'000)},
          {"50%/clusters-of-64", fill(FillKind::Runs, 64)},
          {"50%/clusters-of-64Ki", fill(FillKind::Runs, 65536)},
          {"100%/random", fill(FillKind::All)}};
}

}  // namespace

void sweepNonzero(WorkList& list) {
  const uint32_t middle = list.quick() ? 20 : 24;
  for (uint32_t exponent = 10; exponent <= (list.quick() ? 20u : 26u); exponent += 2) {
    if (list.quick() && exponent % 5 != 0) continue;
    Nonzero{.exponent = exponent}.addTo(list);
  }
  if (!list.quick()) Nonzero{.rank = 1, .exponent = 28}.addTo(list);
  for (const Pattern& pattern : patterns()) {
    Nonzero{.exponent = middle, .values = pattern.values, .pattern = pattern.name}.addTo(list);
  }
  for (DataType type : documentedTypes()) {
    if (list.quick() && info(type).bytes == 4 && type != DataType::Float32) continue;
    Nonzero{.type = type, .exponent = middle}.addTo(list);
  }
  for (uint32_t rank : {1, 2, 4, 8}) Nonzero{.rank = rank, .exponent = middle}.addTo(list);
  // Short last dimensions; sizes that are not powers of 2.
  const uint32_t images = list.quick() ? 1 : 16;
  Nonzero{.exponent = middle, .sizes = {8 * images, 227, 227, 3}}.addTo(list);
  Nonzero{.exponent = middle, .sizes = {images, 17, 251, 255}}.addTo(list);
  for (const Sizes& axes : {Sizes{0, 1, 3, 2}, Sizes{0, 2, 3, 1}, Sizes{3, 2, 1, 0}}) {
    Nonzero{.exponent = middle, .inputAxes = axes}.addTo(list);
    Nonzero{.type = DataType::UInt8, .exponent = middle, .inputAxes = axes}.addTo(list);
  }
  Nonzero{.exponent = middle, .columnsFirst = true}.addTo(list);
}

void nonzeroGoals(WorkList& list) {
  const auto nonzero = [&](uint32_t exponent) {
    for (const Pattern& pattern : patterns()) {
      const bool named = pattern.name == "1%/random" || pattern.name == "50%/random" ||
                         pattern.name == "100%/random";
      if (!named) continue;
      Nonzero{.exponent = exponent, .values = pattern.values, .pattern = pattern.name}.addTo(list);
    }
  };
  for (uint32_t exponent : {10, 14, 16, 18, 20}) Nonzero{.exponent = exponent}.addTo(list);
  nonzero(22);
  nonzero(26);
  Nonzero{.type = DataType::UInt8, .rank = 1, .exponent = 28}.addTo(list);
  Nonzero{.type = DataType::Float16, .rank = 1, .exponent = 28}.addTo(list);
  for (const Sizes& axes : {Sizes{0, 1, 3, 2}, Sizes{0, 2, 3, 1}, Sizes{3, 2, 1, 0}}) {
    Nonzero{.exponent = 26, .inputAxes = axes}.addTo(list);
  }
  Nonzero{.exponent = 26, .columnsFirst = true}.addTo(list);
}

void nonzeroLarge(WorkList& list) {
  // 4 GiB of coordinates, twice; 5 GiB of input; 2^31 elements with 8 GiB of coordinates.
  Nonzero{.type = DataType::Float16, .exponent = 28}.addTo(list);
  Nonzero{.type = DataType::UInt8, .exponent = 28}.addTo(list);
  Nonzero{.rank = 1, .values = density(10'000), .pattern = "1%/random", .sizes = {5u << 28}}.addTo(
      list);
  Nonzero{.type = DataType::UInt8, .rank = 1, .exponent = 31}.addTo(list);
}

}  // namespace dmlcts::bench
