// NONZERO_COORDINATES with element counts around powers of two to 2^14, and around multiples of
// 4,096 elements, the usual tile. There an implementation starts another word, group, tile or pass.
// Larger powers are in scales.cpp.

#include <bit>

#include "conformance/families/families.h"
#include "conformance/language/build.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint32_t kTile = 4096;
constexpr uint32_t kLarge = 200'000;  // from it on, one case in two

void addAround(CaseList& list, uint32_t center, const std::vector<Fill>& fills, uint64_t& i) {
  for (uint32_t count : {center - 1, center, center + 1}) {
    if (count == 0) continue;
    for (const Fill& positions : fills) {
      // The parity of popcount is in step with neither types nor counts.
      const bool isTried = count < kLarge || std::popcount(i) % 2 == 0;
      if (isTried) {
        list.execute(rotate(nonzeroLevels(1), i),
                     makeNonzero(rotate(documentedTypes(), i), {count}, 1), positions, {}, 0);
      }
      ++i;
    }
  }
}

void addSizesOf(CaseList& list) {
  uint64_t i = 0;
  const std::vector<Fill> everyFill{
      fill(FillKind::All),          fill(FillKind::Last),        density(500'000),
      fill(FillKind::Edges, kTile), fill(FillKind::Edges, 1024), fill(FillKind::Mixed)};
  const std::vector<Fill> fewFills{density(500'000), fill(FillKind::Edges, kTile)};

  for (uint32_t power = 1; power <= 14; ++power)
    addAround(list, uint32_t{1} << power, everyFill, i);
  for (uint32_t tiles : {3u, 5u, 7u}) addAround(list, tiles * kTile, everyFill, i);
  for (uint32_t tiles : {17u, 31u, 33u}) addAround(list, tiles * kTile, fewFills, i);

  // One non-zero element at each side of a tile border. Then whole tiles of non-zeros between tiles
  // of zeros.
  for (uint32_t element : {0u, kTile - 1, kTile, kTile + 1, 2 * kTile - 1, 2 * kTile, 3 * kTile}) {
    for (uint32_t count : {3 * kTile, 3 * kTile + 1}) {
      list.execute(rotate(nonzeroLevels(1), i),
                   makeNonzero(rotate(documentedTypes(), i), {count}, 1),
                   fill(FillKind::Single, element), {}, 0);
      ++i;
    }
  }
  for (uint32_t count : {2 * kTile, 4 * kTile + 5}) {
    for (DataType type : documentedTypes()) {
      list.execute(rotate(nonzeroLevels(1), i++), makeNonzero(type, {count}, 1),
                   fill(FillKind::Runs, kTile), {}, 0);
    }
  }

  // So many tiles that a scan of their counts needs a third step and carries from the second.
  list.execute(Level::L4_0, makeNonzero(DataType::UInt8, {(uint32_t{1} << 24) + kTile + 1}, 1),
               density(10'000), {}, 0);

  // The same counts over more dimensions: long inner, long outer, many dimensions.
  const std::vector<Sizes> shapes{{64, 64},
                                  {64, 65},
                                  {2, 4097},
                                  {4097, 2},
                                  {1, 8191},
                                  {16, 16, 16},
                                  {16, 17, 16},
                                  {3, 1, 4099},
                                  {5, 7, 11, 13},
                                  {8, 8, 8, 8, 1},
                                  {4, 4, 4, 4, 16},
                                  {3, 5, 3, 5, 3, 7},
                                  {2, 3, 5, 7, 2, 3, 5},
                                  {2, 3, 4, 3, 2, 4, 5, 3}};
  for (const Sizes& sizes : shapes) {
    const auto rank = static_cast<uint32_t>(sizes.size());
    for (const Fill& positions : everyFill) {
      list.execute(rotate(nonzeroLevels(rank), i),
                   makeNonzero(rotate(documentedTypes(), i), sizes, rank), positions, {}, 0);
      ++i;
    }
  }

  // Inner dimensions around powers of two, including a tile: coordinates are divided by them.
  for (uint32_t power = 10; power <= 15; ++power) {
    const uint32_t center = uint32_t{1} << power;
    for (uint32_t inner : {center - 1, center, center + 1}) {
      list.execute(rotate(nonzeroLevels(2), i),
                   makeNonzero(rotate(documentedTypes(), i), {3, inner}, 2), density(300'000));
      // Just above a tile, where a kernel may divide differently. No other smoke case has this.
      if (inner == 16'385) list.keepInSmoke();
      ++i;
    }
  }

  // Dimensions beyond 16 bits, and more than a million elements.
  const std::vector<Sizes> large{{65'537, 3}, {3, 65'537}, {1, 70'001, 2}, {1'100'000}};
  for (const Sizes& sizes : large) {
    const auto rank = static_cast<uint32_t>(sizes.size());
    for (uint32_t probability : {1'000u, 500'000u, 999'000u}) {
      list.execute(rotate(nonzeroLevels(rank), i),
                   makeNonzero(rotate(documentedTypes(), i), sizes, effectiveRank(sizes)),
                   density(probability));
      if (probability == 500'000 && (sizes[0] > 60'000 || rank == 1)) list.keepInSmoke();
      ++i;
    }
  }
  // Several tiles of odd sizes, with fewer columns than the input has dimensions.
  for (const Sizes& sizes : {Sizes{1, 1, 1100, 1001}, Sizes{43, 41, 47}, Sizes{1, 1, 70'001}}) {
    const auto rank = static_cast<uint32_t>(sizes.size());
    list.execute(rotate(nonzeroLevels(rank), i),
                 makeNonzero(rotate(documentedTypes(), i), sizes, effectiveRank(sizes)),
                 density(500'000));
    ++i;
  }
  const Sizes sixDimensions{2, 3, 5, 7, 71, 73};
  list.execute(Level::L4_0, makeNonzero(DataType::UInt8, sixDimensions, 6), density(500'000));
  // Tiles with few rows each, which share texels with rows of other tiles.
  list.execute(Level::L4_0, makeNonzero(DataType::UInt8, {1'100'000}, 1), density(100));
  list.keepInSmoke();

  // Every number of columns, with slightly more than 16,384 elements; an implementation may handle
  // fewer in one pass. Where packed rows fill or share whole texels, rows with gaps too.
  for (uint32_t columns = 1; columns <= 8; ++columns) {
    Sizes sizes(columns - 1, 2);
    sizes.push_back((16'384u >> (columns - 1)) + 1);
    for (bool apart : {false, true}) {
      if (apart && !std::has_single_bit(columns)) continue;
      NonzeroCoordinates op = makeNonzero(rotate(documentedTypes(), i), sizes, columns);
      if (apart) setLayout(op.coords, LayoutKind::Pad, {1});
      list.execute(rotate(nonzeroLevels(columns), i), std::move(op), density(300'000));
      list.keepInSmoke();
      ++i;
    }
  }
}

}  // namespace

void addNonzeroSizes(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(*op, kNoCases, [&](const auto&) { addSizesOf(list); });
  }
}

}  // namespace dmlcts
