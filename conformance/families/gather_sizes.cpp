// GATHER_ND with rows and outputs of sizes around words, vectors, groups and powers of two. Rows
// end inside a 32-bit word or are multiples of 16 bytes. Outputs are around 16 KiB, and up to more
// than a million elements.

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

constexpr uint32_t kGroupBytes = 16'384;  // of output per group, in the usual kernel

// The slowest cases use every width with one operator, and one width with the other. They are in
// Smoke once.
template <class Operator>
constexpr bool triesLargeWidths = !HasBatches<Operator>;

IndexKind indexKindOf(DataType indexType) {
  return info(indexType).isSigned ? IndexKind::Negative : IndexKind::Random;
}

template <class Operator>
void addRows(CaseList& list, DataType type, uint32_t rowLength, uint32_t rows, uint64_t& i) {
  const Level level = rotate(levelsOf<Operator>(type, 2), i);
  const DataType indexType = rotate(indexTypes(level), i);
  list.execute(level, makeVaried<Operator>(type, indexType, 2, {5, rowLength}, {rows}, 1, i),
               fill(FillKind::Unique), index(indexKindOf(indexType)), 0);
  ++i;
}

template <class Operator>
void addScalars(CaseList& list, DataType type, uint32_t count, uint64_t& i) {
  const Level level = rotate(levelsOf<Operator>(type, 2), i);
  const DataType indexType = rotate(indexTypes(level), i);
  list.execute(level, makeVaried<Operator>(type, indexType, 2, {19, 53}, {count}, 2, i),
               fill(FillKind::Unique), index(indexKindOf(indexType)), 0);
  ++i;
}

template <class Operator>
void addSizesOf(CaseList& list) {
  uint64_t i = 0;
  const std::vector<DataType> widths{DataType::UInt8, DataType::Float16, DataType::Float32};

  // Every short row, one, two and many of them: every start and end position in a word.
  for (uint32_t rowLength = 1; rowLength <= 20; ++rowLength) {
    for (uint32_t rows : {1u, 2u, 3u, 17u}) {
      for (DataType type : widths) addRows<Operator>(list, type, rowLength, rows, i);
    }
  }
  for (uint32_t power = 5; power <= 14; ++power) {
    for (int offset : {-1, 0, 1, 4}) {
      const auto rowLength = static_cast<uint32_t>((1 << power) + offset);
      for (DataType type : widths) addRows<Operator>(list, type, rowLength, 3, i);
    }
  }
  // Rows of a multiple of 16 bytes that just fill a group's share, and one more or fewer.
  for (uint32_t rowBytes : {16u, 48u, 256u, 1024u, kGroupBytes}) {
    for (DataType type : sweptTypes<Operator>()) {
      const uint32_t rows = kGroupBytes / rowBytes;
      for (uint32_t count : {rows - 1, rows, rows + 1}) {
        if (count > 0) addRows<Operator>(list, type, rowBytes / info(type).bytes, count, i);
      }
    }
  }
  // Scalars around every power of two and around a group's share.
  for (uint32_t power = 1; power <= 16; ++power) {
    for (int offset : {-1, 0, 1}) {
      addScalars<Operator>(list, rotate(typesOf<Operator>(), i),
                           static_cast<uint32_t>((1 << power) + offset), i);
    }
  }
  for (DataType type : sweptTypes<Operator>()) {
    for (int offset : {-1, 0, 1, 2, 3}) {
      const int share = static_cast<int>(kGroupBytes / info(type).bytes);
      addScalars<Operator>(list, type, static_cast<uint32_t>(share + offset), i);
    }
  }
  // More than a million elements over all batches, as scalars, short rows and long rows.
  constexpr uint32_t batches = largeBatches<Operator>;
  for (DataType type : widths) {
    const auto isTried = [&](DataType only) { return triesLargeWidths<Operator> || type == only; };
    if (isTried(DataType::Float16)) addScalars<Operator>(list, type, 1'048'576 / batches + 1, i);
    if (triesLargeWidths<Operator> && type == DataType::UInt8) list.keepInSmoke();
    if (isTried(DataType::Float32)) addRows<Operator>(list, type, 262'147, 4 / batches, i);
    if (triesLargeWidths<Operator> && type == DataType::Float32) list.keepInSmoke();
  }
  // Rows of whole 16-byte texels, 16 bytes more than 64 KiB and exactly 256 KiB.
  for (DataType type : {DataType::UInt8, DataType::Float16, DataType::UInt16, DataType::Float32}) {
    for (uint32_t rowBytes : {65'552u, 262'144u}) {
      addRows<Operator>(list, type, rowBytes / info(type).bytes, 2, i);
    }
  }
}

}  // namespace

void addGatherSizes(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(*op, [&]<class Operator>(const Operator&) { addSizesOf<Operator>(list); }, kNoCases);
  }
}

}  // namespace dmlcts
