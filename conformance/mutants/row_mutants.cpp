// Mutants of NONZERO_COORDINATES' rows: order, number, columns, and elements lost at boundaries of
// a parallel implementation.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

Mutation rowsChanged(void (*change)(Rows&)) {
  return {.after = [change](Passage& passage) {
    if (!nonzero(passage.descriptor)) return;
    Rows rows = readRows(passage);
    change(rows);
    writeRows(passage, rows);
  }};
}

Mutation columnsChanged(void (*change)(std::vector<uint32_t>&)) {
  return {.after = [change](Passage& passage) {
    if (!nonzero(passage.descriptor)) return;
    Rows rows = readRows(passage);
    for (auto& row : rows) change(row);
    writeRows(passage, rows);
  }};
}

Mutation countChanged(uint32_t (*change)(uint32_t)) {
  return {.after = [change](Passage& passage) {
    if (nonzero(passage.descriptor)) writeCount(passage, change(readCount(passage)));
  }};
}

// Treats elements as zero, selected by index.
Mutation elementsLost(bool (*lost)(uint64_t index, uint64_t count)) {
  return {.before = [lost](Passage& passage) {
    if (!nonzero(passage.descriptor)) return;
    mapInput(passage, [&](uint64_t index, uint64_t count, uint64_t bits) {
      return lost(index, count) ? 0 : bits;
    });
  }};
}

constexpr uint64_t kTile = 4096;

// Loses everything beyond the groups of one dispatch dimension.
template <uint64_t threads>
Mutant dispatchLost() {
  return {fmt::format("dispatch-lost-of-{}", threads),
          fmt::format("Loses everything past 65,535 groups of {} threads.", threads),
          {"nonzero_coordinates.nonzero"},
          elementsLost([](uint64_t index, uint64_t) { return index >= 65535 * threads; }),
          {},
          threads > 256 ? "large" : "default"};
}

// Simulates a pass that runs before it knows where its rows begin. Rows from `first` on are written
// to the front; their own places stay unwritten.
void misplaceRows(Rows& rows, size_t first) {
  for (size_t i = first; i < rows.size(); ++i) {
    rows[i - first] = rows[i];
    for (uint32_t& coordinate : rows[i]) coordinate = ~coordinate;
  }
}

Mutation barrierMissing() {
  return {.after = [](Passage& passage) {
    const NonzeroCoordinates* op = nonzero(passage.descriptor);
    if (!op || passage.served % 20 != 19) return;
    if (elementCount(op->input.sizes).value() <= kTile) return;
    Rows rows = readRows(passage);
    misplaceRows(rows, rows.size() - rows.size() / 4);
    writeRows(passage, rows);
  }};
}

}  // namespace

std::vector<Mutant> rowMutants() {
  return {
      {"rows-reversed",
       "Writes the rows in descending order.",
       {"nonzero_coordinates.order"},
       rowsChanged([](Rows& rows) { std::ranges::reverse(rows); })},
      {"rows-unordered-at-tile",
       "Lets the second tile of 4,096 rows finish before the first.",
       {"nonzero_coordinates.order"},
       rowsChanged([](Rows& rows) {
         if (rows.size() >= 2 * kTile) {
           std::rotate(rows.begin(), rows.begin() + kTile, rows.begin() + 2 * kTile);
         }
       })},
      {"rows-by-column",
       "Orders the rows by their last coordinate.",
       {"nonzero_coordinates.order"},
       rowsChanged([](Rows& rows) {
         std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.back(); });
       })},
      {"last-row-lost",
       "Counts the last row and does not write it.",
       {"nonzero_coordinates.coordinates"},
       {.after =
            [](Passage& passage) {
              if (!nonzero(passage.descriptor)) return;
              Rows rows = readRows(passage);
              if (rows.empty()) return;
              for (uint32_t& coordinate : rows.back()) coordinate = ~coordinate;
              writeRows(passage, rows);
            }}},
      {"count-off-by-one",
       "Reports one element too many.",
       {"nonzero_coordinates.count"},
       countChanged([](uint32_t count) { return count + 1; })},
      {"count-short-when-full",
       "Reports one element too few when every element is non-zero.",
       {"nonzero_coordinates.count"},
       {.after =
            [](Passage& passage) {
              const NonzeroCoordinates* op = nonzero(passage.descriptor);
              if (!op) return;
              const uint32_t count = readCount(passage);
              const uint32_t rows = op->coords.sizes[op->coords.sizes.size() - 2];
              if (count == rows) writeCount(passage, count - 1);
            }}},
      {"count-16-bit",
       "Keeps the count in 16 bits.",
       {"nonzero_coordinates.count"},
       countChanged([](uint32_t count) { return count & 0xFFFF; })},
      {"count-not-cleared",
       "Starts counting at 1 when nothing is non-zero.",
       {"nonzero_coordinates.count"},
       countChanged([](uint32_t count) { return std::max(count, 1u); })},
      {"last-element-lost",
       "Never looks at the last element.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t count) { return index + 1 == count; })},
      {"first-element-lost",
       "Never looks at the first element.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t) { return index == 0; })},
      {"last-of-tile-lost",
       "Loses the last element of each tile of 4,096.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t) { return index % kTile == kTile - 1; })},
      {"first-of-tile-lost",
       "Loses the first element of each tile of 4,096 but the first.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t) { return index > 0 && index % kTile == 0; })},
      {"ragged-tail-lost",
       "Loses the elements behind the last multiple of 4.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t count) { return index >= count / 4 * 4; })},
      {"second-dispatch-lost",
       "Loses everything past 65,535 groups of 16 elements.",
       {"nonzero_coordinates.nonzero"},
       elementsLost([](uint64_t index, uint64_t) { return index >= 65535 * 16; })},
      dispatchLost<64>(),
      dispatchLost<128>(),
      dispatchLost<256>(),
      dispatchLost<512>(),
      {"barrier-missing",
       "In one of 20 executions, places rows before the pass that counts them has ended.",
       {"nonzero_coordinates.coordinates"},
       barrierMissing(),
       {.verdicts = {Verdict::Fail, Verdict::Flaky}}},
      {"columns-first-instead-of-last",
       "Drops trailing instead of leading coordinates.",
       {"nonzero_coordinates.coordinates"},
       {.after =
            [](Passage& passage) {
              const NonzeroCoordinates* op = nonzero(passage.descriptor);
              if (!op || op->coords.sizes.back() == op->input.sizes.size()) return;
              Rows rows = readRows(passage);
              for (auto& row : rows) {
                std::rotate(row.begin(), row.end() - 1, row.end());
                row.front() = 0;
              }
              writeRows(passage, rows);
            }}},
      {"coordinate-16-bit",
       "Keeps coordinates in 16 bits.",
       {"nonzero_coordinates.coordinates"},
       columnsChanged([](std::vector<uint32_t>& row) {
         for (uint32_t& coordinate : row) coordinate &= 0xFFFF;
       })},
      {"coordinate-without-carry",
       "Forgets to carry from the last axis into the one before.",
       {"nonzero_coordinates.coordinates"},
       {.after =
            [](Passage& passage) {
              const NonzeroCoordinates* op = nonzero(passage.descriptor);
              if (!op || op->coords.sizes.back() < 2) return;
              Rows rows = readRows(passage);
              const uint32_t inner = op->input.sizes.back();
              for (auto& row : rows) {
                const size_t columns = row.size();
                if (row[columns - 1] != 0 || row[columns - 2] == 0) continue;
                row[columns - 1] = inner;
                row[columns - 2] -= 1;
              }
              writeRows(passage, rows);
            }}},
  };
}

}  // namespace dmlcts
