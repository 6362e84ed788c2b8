#include "conformance/run/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reference/address_runs.h"
#include "reference/element.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostLookedAt = 1 << 20;  // elements of an input, or rows

uint64_t bitsAt(const TensorDesc& tensor, std::span<const uint8_t> bytes, uint64_t element) {
  const uint32_t width = info(tensor.type).bytes;
  return loadBits(bytes, AddressRuns(tensor).addressOf(element) * width, width);
}

// Returns "input[2,0]" if exactly one element has these bits, else "".
std::string nameOf(const TensorDesc& input, std::span<const uint8_t> bytes, uint64_t bits) {
  const uint32_t width = info(input.type).bytes;
  const auto strides = elementStrides(input).value();
  ElementWalk walk(input.sizes, strides);
  std::string found;
  do {
    if (loadBits(bytes, walk.offset() * width, width) != bits) continue;
    if (!found.empty()) return "";
    found = fmt::format("input[{}]", fmt::join(walk.coordinate(), ","));
  } while (walk.next());
  return found;
}

template <class Operator>
std::string gathered(const Operator& op, const WrongElement& wrong) {
  if (elementCount(op.input.sizes).value_or(UINT64_MAX) > kMostLookedAt) return "";
  const std::string actual =
      nameOf(op.input, wrong.input, bitsAt(op.output, wrong.actual, wrong.element));
  if (actual.empty()) return "";
  const std::string expected =
      nameOf(op.input, wrong.input, bitsAt(op.output, wrong.expected.bytes, wrong.element));
  return expected.empty() ? actual : fmt::format("{}, expected {}", actual, expected);
}

// The coordinate rows in a tensor's bytes.
class Rows {
 public:
  Rows(const TensorDesc& coords, std::span<const uint8_t> bytes)
      : coords_(coords), runs_(coords), bytes_(bytes) {}

  uint64_t columns() const { return coords_.sizes.back(); }
  uint64_t addressOf(uint64_t row) const {
    return runs_.addressOf(row * columns()) * info(coords_.type).bytes;
  }
  std::vector<uint64_t> operator[](uint64_t row) const {
    std::vector<uint64_t> values;
    const uint32_t width = info(coords_.type).bytes;
    for (uint64_t i = 0; i < columns(); ++i) {
      const uint64_t address = runs_.addressOf(row * columns() + i);
      values.push_back(loadBits(bytes_, address * width, width));
    }
    return values;
  }

 private:
  const TensorDesc& coords_;
  AddressRuns runs_;
  std::span<const uint8_t> bytes_;
};

std::string listed(const NonzeroCoordinates& op, const WrongElement& wrong) {
  constexpr size_t kCount = 1;
  constexpr size_t kCoordinates = 2;
  if (wrong.slot == kCount) {
    return fmt::format("{}, expected {}", bitsAt(op.count, wrong.actual, wrong.element),
                       bitsAt(op.count, wrong.expected.bytes, wrong.element));
  }
  if (wrong.slot != kCoordinates) return "";
  const uint64_t rows = elementCount(op.coords.sizes).value_or(0) / op.coords.sizes.back();
  if (rows > kMostLookedAt) return "";
  const Rows expected(op.coords, wrong.expected.bytes);
  const Rows actual(op.coords, wrong.actual);
  const uint64_t row = wrong.element / expected.columns();
  const std::vector<uint64_t> have = actual[row];
  for (uint64_t other = 0; other < rows; ++other) {
    if (wrong.expected.status[expected.addressOf(other)] != ByteStatus::Defined) break;
    if (other == row || expected[other] != have) continue;
    if (actual[other] != expected[row]) return fmt::format("row {}, expected row {}", other, row);
    return fmt::format("rows {} and {} swapped", std::min(row, other), std::max(row, other));
  }
  return fmt::format("row [{}], expected [{}]", fmt::join(have, ","),
                     fmt::join(expected[row], ","));
}

template <class Operator>
struct MeaningEntry {
  std::string (*of)(const Operator& op, const WrongElement& wrong);
};

constexpr PerOperator<MeaningEntry> kMeanings{
    MeaningEntry<GatherNd>{gathered<GatherNd>},
    MeaningEntry<NonzeroCoordinates>{listed},
    MeaningEntry<GatherNd1>{gathered<GatherNd1>},
};

}  // namespace

std::string meaningOf(const Descriptor& descriptor, const WrongElement& wrong) {
  return visitEntry(kMeanings, descriptor,
                    [&](const auto& entry, const auto& op) { return entry.of(op, wrong); });
}

}  // namespace dmlcts
