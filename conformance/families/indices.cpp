// Every index type and every spelling and pattern of indices: from the start, from the end, first,
// last, in order, reversed, all equal, at the limits. Dimensions need one, two or three bytes.

#include <algorithm>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"
#include "conformance/language/element_text.h"

namespace dmlcts {
namespace {

struct IndexedShape {
  Sizes input;
  Sizes tuples;
  uint32_t tupleSize;
};

const std::vector<IndexedShape>& shapes() {
  static const std::vector<IndexedShape> all{
      {{1}, {3}, 1},          {{2}, {9}, 1},           {{7}, {40}, 1},       {{300}, {64}, 1},
      {{129, 3}, {33}, 1},    {{4, 5, 6}, {7, 3}, 3},  {{6, 5, 4}, {11}, 2}, {{1, 9, 1}, {12}, 3},
      {{3, 300, 2}, {50}, 2}, {{2, 3, 2, 3}, {30}, 4}, {{17, 19}, {323}, 2}};
  return all;
}

// Dimensions beyond 8 and 16 bits: a truncated index selects another element.
const std::vector<IndexedShape>& longShapes() {
  static const std::vector<IndexedShape> all{{{65'536}, {97}, 1},
                                             {{65'537}, {97}, 1},
                                             {{70'000, 2}, {41}, 1},
                                             {{2, 66'000}, {77}, 2},
                                             {{257, 256}, {101}, 2}};
  return all;
}

template <class Operator>
void addShape(CaseList& list, const IndexedShape& shape, const std::vector<DataType>& types,
              uint64_t& i) {
  for (DataType indexType : indexTypes(Level::L3_0)) {
    for (const auto& kind : kIndexKinds) {
      if (kind.kind == IndexKind::Wild || kind.argument != FillArgument::None) continue;
      const bool negative = kind.kind == IndexKind::Negative || kind.kind == IndexKind::AllNegative;
      if (negative && !info(indexType).isSigned) continue;
      const DataType type = rotate(types, i);
      const Level oldest = levelsOf<Operator>(type, 4).front();
      const bool isOldest = indexType == DataType::UInt32 && i % 3 == 0;
      const Level level = isOldest ? oldest : rotate(levelsOf<Operator>(type, 1), i);
      list.execute(level,
                   makeVaried<Operator>(type, indexType, 4, shape.input, shape.tuples,
                                        shape.tupleSize, i / 3),
                   fill(FillKind::Unique), index(kind.kind), 0);
      const bool isLong = shape.input[0] > UINT16_MAX && shape.tuples[0] > 90;
      if (isLong && kind.kind == IndexKind::Reversed) list.keepInSmoke();
      // Enough for several elements per thread when dwords are gathered.
      const bool isMany = shape.tuples[0] >= 256 && info(type).bytes == 4;
      if (isMany && negative && indexType == DataType::Int32) list.keepInSmoke();
      ++i;
    }
  }
}

// Number of data types per shape.
template <class Operator>
constexpr uint64_t shapeVariations = HasBatches<Operator> ? 1 : 2;

// All valid spellings of every index of a short dimension.
template <class Operator>
void addEverySpelling(CaseList& list, DataType indexType) {
  constexpr uint32_t kSize = 9;
  IndexFill spellings{IndexKind::Values, {}};
  for (uint64_t index = 0; index < kSize; ++index) {
    spellings.values.push_back(index);
    if (info(indexType).isSigned) {
      spellings.values.push_back((index - kSize) & elementMask(indexType));
    }
  }
  const auto count = static_cast<uint32_t>(spellings.values.size());
  uint64_t i = 0;
  for (Level level : levelsOf<Operator>(DataType::Float32, 1)) {
    const auto has = gatherFacts<Operator>().dataTypes(level);
    for (DataType type : sweptTypes<Operator>()) {
      if (std::ranges::find(has, type) == has.end()) continue;
      list.execute(level, makeVaried<Operator>(type, indexType, 2, {kSize}, {count}, 1, i++),
                   fill(FillKind::Unique), spellings, 1);
    }
  }
}

template <class Operator>
void addGatherIndices(CaseList& list) {
  uint64_t i = 0;
  for (const IndexedShape& shape : shapes()) {
    for (uint64_t variation = 0; variation < shapeVariations<Operator>; ++variation) {
      addShape<Operator>(list, shape, {rotate(typesOf<Operator>(), i + 5 * variation)}, i);
    }
  }
  // Each shape adds an even number of cases, so swap the types for the next one.
  std::vector<DataType> types{DataType::Float16, DataType::UInt32};
  for (const IndexedShape& shape : longShapes()) {
    addShape<Operator>(list, shape, types, i);
    std::ranges::reverse(types);
  }
  for (DataType indexType : indexTypes(Level::L3_0)) addEverySpelling<Operator>(list, indexType);
}

}  // namespace

void addIndices(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherIndices<Operator>(list); }, kNoCases);
  }
}

}  // namespace dmlcts
