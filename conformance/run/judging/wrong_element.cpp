#include "conformance/run/judging/wrong_element.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "conformance/language/element_text.h"
#include "conformance/language/operator_syntax.h"
#include "reference/address_runs.h"
#include "reference/element.h"
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
  if (!wrong.isWritten) return "";
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

// Returns "0x2a3f1234 (1.7e-13)".
std::string valueText(DataType type, uint64_t bits) {
  const DataTypeInfo& of = info(type);
  std::string value;
  if (type == DataType::Float64) {
    value = fmt::format("{:.3g}", std::bit_cast<double>(bits));
  } else if (type == DataType::Float32) {
    value = fmt::format("{:.3g}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
  } else {
    appendElement(value, type, bits);
  }
  const std::string hexadecimal = fmt::format("0x{:0{}x}", bits, 2 * of.bytes);
  return value == hexadecimal ? value : fmt::format("{} ({})", hexadecimal, value);
}

using Coordinates = std::vector<uint64_t>;

// Returns the number of the input element with these coordinates, of the last dimensions.
std::optional<uint64_t> elementAt(const TensorDesc& input, const Coordinates& row) {
  if (row.size() > input.sizes.size()) return std::nullopt;
  uint64_t element = 0;
  const size_t first = input.sizes.size() - row.size();
  for (size_t axis = first; axis < input.sizes.size(); ++axis) {
    if (row[axis - first] >= input.sizes[axis]) return std::nullopt;
    element = element * input.sizes[axis] + row[axis - first];
  }
  return element;
}

std::string elementText(const NonzeroCoordinates& op, const WrongElement& wrong,
                        const Coordinates& row) {
  const auto element = elementAt(op.input, row);
  if (!element) return fmt::format("[{}]", fmt::join(row, ","));
  return fmt::format("[{}] = {}", fmt::join(row, ","),
                     valueText(op.input.type, bitsAt(op.input, wrong.input, *element)));
}

// Returns the row with these coordinates, among as many; nothing if there is none.
std::optional<uint64_t> findRow(const Rows& rows, uint64_t count, const Coordinates& wanted) {
  for (uint64_t row = 0; row < count; ++row) {
    if (rows[row] == wanted) return row;
  }
  return std::nullopt;
}

std::string listed(const NonzeroCoordinates& op, const WrongElement& wrong) {
  constexpr size_t kCount = 1;
  constexpr size_t kCoordinates = 2;
  if (wrong.slot == kCount) {
    if (!wrong.isWritten) return "";
    return fmt::format("{}, expected {}", bitsAt(op.count, wrong.actual, wrong.element),
                       bitsAt(op.count, wrong.expected.bytes, wrong.element));
  }
  if (wrong.slot != kCoordinates) return "";
  const uint64_t rows = elementCount(op.coords.sizes).value_or(0) / op.coords.sizes.back();
  if (rows > kMostLookedAt) return "";
  const Rows expected(op.coords, wrong.expected.bytes);
  const Rows actual(op.coords, wrong.actual);
  const uint64_t row = wrong.element / expected.columns();
  uint64_t defined = 0;
  while (defined < rows &&
         wrong.expected.status[expected.addressOf(defined)] == ByteStatus::Defined) {
    ++defined;
  }
  const Coordinates have = actual[row];
  const Coordinates want = expected[row];
  std::string missing;
  if (!findRow(actual, defined, want)) {
    missing = elementText(op, wrong, want) + " is missing";
  }
  if (!wrong.isWritten) return missing;
  std::string text;
  if (const auto other = findRow(expected, defined, have); other && other != row) {
    if (actual[*other] == want) {
      return fmt::format("rows {} and {} swapped", std::min(row, *other), std::max(row, *other));
    }
    text = fmt::format("row {}, expected row {}", *other, row);
  } else {
    text = fmt::format("row [{}], expected [{}]", fmt::join(have, ","), fmt::join(want, ","));
    if (!other) text += "; " + elementText(op, wrong, have) + " is not to be listed";
  }
  return missing.empty() ? text : text + "; " + missing;
}

}  // namespace

std::string meaningOf(const Descriptor& descriptor, const WrongElement& wrong) {
  return std::visit(
      [&]<class Operator>(const Operator& op) {
        static_assert(HasTuples<Operator> || FollowsValues<Operator>);
        if constexpr (HasTuples<Operator>) {
          return gathered(op, wrong);
        } else {
          return listed(op, wrong);
        }
      },
      descriptor);
}

}  // namespace dmlcts
