// Long axes, many axes, and axes ordered differently in each tensor. Covers every copy strategy of
// kernels: rows, transposed blocks, single elements of every width. Also column counts that no
// other large tensor has. Coordinates exceed 65,535 and rows exceed 256 KiB. No two axes can be
// merged. Index tuples are long or strided. Some tensors have more elements than FLOAT32 counts;
// with strides of 0, also more than 32 bits count.

#include <type_traits>

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

// Reverses all axes but the last.
Sizes reversedRows(size_t rank) {
  Sizes axes = reversedAxes(rank - 1);
  axes.push_back(static_cast<uint32_t>(rank - 1));
  return axes;
}

template <class Operator>
void add(CaseList& list, Operator op, const Sizes& input, const Sizes& indices,
         const Sizes& output) {
  if (!input.empty()) setLayout(op.input, LayoutKind::Perm, input);
  if (!indices.empty()) setLayout(op.indices, LayoutKind::Perm, indices);
  if (!output.empty()) setLayout(op.output, LayoutKind::Perm, output);
  list.execute(kNewestLevel, std::move(op), fill(FillKind::Unique), index(IndexKind::Random));
}

// A gather of UINT8 without batches.
template <HasTuples Operator>
Operator ofBytes(const Sizes& input, const Sizes& tuples, uint32_t tupleSize) {
  return makeOfShape<Operator>(DataType::UInt8, DataType::UInt32, 2, {input, tuples, tupleSize});
}

// Inputs of four bytes, whose size or number of elements takes more than 31 or 32 bits.
template <class Operator>
void addCountless(CaseList& list) {
  constexpr uint32_t k31 = uint32_t{1} << 31;
  for (const Sizes& sizes : {Sizes{k31 + 1, 1}, Sizes{65'537, 65'537}}) {
    Operator op = ofBytes<Operator>({3, 3}, {4}, 2);
    op.input = makeTensor(DataType::UInt8, sizes, Sizes{0, 0});
    list.accept(kNewestLevel, op);
  }
  list.keepInSmoke();
}

template <class Operator>
void addInEveryOrder(CaseList& list, const Operator& op) {
  const Sizes input = reversedAxes(op.input.sizes.size());
  const Sizes indices = reversedAxes(op.indices.sizes.size());
  const Sizes output = reversedAxes(op.output.sizes.size());
  add(list, op, {}, indices, {});
  add(list, op, input, indices, {});
  add(list, op, {}, {}, output);
  add(list, op, {}, indices, output);
  add(list, op, {}, {}, reversedRows(op.output.sizes.size()));
}

template <class Operator>
void addGatherAxesOf(CaseList& list) {
  uint64_t i = 0;
  const auto each = [&](const auto& make, const auto& addAll) {
    for (DataType type :
         {DataType::UInt8, DataType::Float16, DataType::Float32, DataType::Float64}) {
      addAll(make(type, rotate(indexTypes(kNewestLevel), i++)));
    }
    ++i;  // gives each type another index type next time
  };
  const auto inEveryOrder = [&](const Operator& op) { addInEveryOrder(list, op); };
  // Contiguous rows and strided rows.
  const auto inBothOrders = [&](const Operator& op) {
    add(list, op, {}, {}, {});
    add(list, op, {}, {}, reversedAxes(op.output.sizes.size()));
  };
  const auto ofRank = [&](size_t rank, const Sizes& input, const Sizes& tuples,
                          uint32_t tupleSize) {
    return [=](DataType type, DataType indexType) {
      return makeVaried<Operator>(type, indexType, rank, input, tuples, tupleSize, tuples.size());
    };
  };

  each(ofRank(3, {8, 9, 32}, {40}, 2), inEveryOrder);
  each(ofRank(7, {2, 2, 2, 2, 2, 2, 32}, {40}, 6), inEveryOrder);
  for (uint32_t last : {2u, 4u, 16u}) {
    each(ofRank(8, {3, 2, 2, last}, {2, 2, 2, 2, 2}, 1), inEveryOrder);
  }

  for (uint32_t row : {1u, 4u}) each(ofRank(2, {70'000, row}, {400}, 1), inBothOrders);
  // Scalars with every index type: kernels may handle pairs of 32-bit indices separately.
  for (const Sizes& input : {Sizes{70'000, 2}, Sizes{2, 70'000}}) {
    const auto scalars = ofRank(2, input, {400}, 2);
    for (DataType indexType : indexTypes(kNewestLevel)) {
      add(list, scalars(DataType::Float32, indexType), {}, {}, {});
    }
    add(list, scalars(DataType::UInt8, DataType::UInt32), {}, {}, {});
    add(list, scalars(DataType::Float64, DataType::UInt32), {}, {}, {});
  }
  each(ofRank(2, {70'000, 16}, {400}, 1),
       [&](const Operator& op) { add(list, op, {}, {}, reversedAxes(op.output.sizes.size())); });
  each(ofRank(2, {3, 65'552}, {5}, 1), [&](const Operator& op) { add(list, op, {}, {}, {}); });
  // Several blocks in each direction, the last of them whole, almost whole or almost empty.
  for (uint32_t rows : {255u, 256u, 257u}) {
    each(ofRank(2, {80, 130}, {rows}, 1), [&](const Operator& op) {
      if (info(op.input.type).bytes < 4) return;
      add(list, op, reversedAxes(op.input.sizes.size()), {}, {});
      add(list, op, {}, {}, reversedAxes(op.output.sizes.size()));
    });
  }
  // Blocks of more than 2^20 elements over all batches.
  constexpr uint32_t side = largeBatches<Operator> == 1 ? 1025 : 725;
  each(ofRank(2, {side, side}, {side + 1}, 1), [&](const Operator& op) {
    if (info(op.input.type).bytes < 4) return;
    add(list, op, reversedAxes(op.input.sizes.size()), {}, {});
  });
  // Indices past 2^17 and 2^20, alone and as first and last of three; long rows of long tuples, of
  // many dimensions and of each width.
  for (DataType indexType : indexTypes(kNewestLevel)) {
    for (const Sizes& input : {Sizes{1'200'000, 2}, Sizes{200'000, 2, 2}, Sizes{2, 2, 200'000}}) {
      const auto tuple = static_cast<uint32_t>(input.size());
      add(list, ofRank(tuple, input, {400}, tuple)(DataType::UInt8, indexType), {}, {}, {});
    }
  }
  const auto addLong = [&](DataType type, size_t rank, const Sizes& input, uint32_t tupleSize) {
    add(list, ofRank(rank, input, {3}, tupleSize)(type, rotate(indexTypes(kNewestLevel), i++)), {},
        {}, {});
  };
  addLong(DataType::UInt8, 8, {3, 50'000}, 1);
  addLong(DataType::UInt8, 5, {3, 100'000}, 1);
  addLong(DataType::UInt16, 4, {2, 2, 3, 60'000}, 3);
  addLong(DataType::UInt16, 5, {2, 2, 3, 2, 50'000}, 4);
  addLong(DataType::UInt8, 2, {3, 600'000}, 1);
  addLong(DataType::Int8, 2, {3, 70'000}, 1);
  addLong(DataType::Float64, 2, {3, 140'000}, 1);
  addCountless<Operator>(list);
}

template <HasTuples Operator>
void addLastRows(CaseList& list) {
  // Slices of more than 2^20 elements, and more than 2^24 in the output.
  add(list, ofBytes<Operator>({2, (1 << 20) + 3}, {16}, 1), {}, {}, {});
  // The last rows of a table. FLOAT32 lacks the index 2^24 + 1.
  constexpr uint32_t k24 = uint32_t{1} << 24;
  list.execute(kNewestLevel, ofBytes<Operator>({k24 + 3, 1}, {5}, 1), fill(FillKind::Ramp),
               {IndexKind::Values, {k24 + 2, k24 + 1, k24, k24 - 1, 0}});
}

template <HasBatches Operator>
void addBatchedAxes(CaseList& list) {
  uint64_t i = 0;
  for (DataType type : {DataType::UInt8, DataType::Float16, DataType::Float32, DataType::Float64}) {
    const DataType indexType = rotate(indexTypes(kNewestLevel), i++);
    const auto make = [&](size_t rank, const GatherShape& shape) {
      return makeOfShape<Operator>(type, indexType, rank, shape);
    };
    addInEveryOrder(list, make(5, {{2, 3, 2, 5, 32}, {2, 3, 2, 40}, 1, 3}));
    add(list, make(4, {{2, 2, 3, 20'000}, {2, 2, 2}, 1, 2}), {}, {}, {});
  }
}

template <HasTuples Operator>
void addGatherAxes(CaseList& list) {
  addGatherAxesOf<Operator>(list);
  if constexpr (HasBatches<Operator>) {
    addBatchedAxes<Operator>(list);
  } else {
    addLastRows<Operator>(list);
  }
}

void addNonzeroAxes(CaseList& list) {
  for (uint32_t columns : {3u, 4u, 5u, 7u, 8u}) {
    // 65 tiles; the last axis alone is longer than one tile.
    Sizes sizes(columns, 1);
    for (uint32_t twos = 0; twos < 6; ++twos) sizes[twos % (columns - 1)] *= 2;
    sizes.back() = 16'640;
    list.execute(kNewestLevel, makeNonzero(rotate(documentedTypes(), columns), sizes, columns),
                 density(300'000));
  }
  for (const Sizes& sizes : {Sizes{70'000, 2, 2}, Sizes{2, 70'000, 2}, Sizes{2, 9'000, 2, 2}}) {
    const auto op = makeNonzero(DataType::UInt8, sizes, static_cast<uint32_t>(sizes.size()));
    list.execute(kNewestLevel, op, fill(FillKind::Last));
    list.execute(kNewestLevel, op, density(300'000));
  }
  // Gives as many rows as 32 bits count of the elements.
  for (uint32_t size : {65'536u, 65'537u}) {
    NonzeroCoordinates op = makeNonzero(DataType::UInt8, {1, 1}, 2);
    op.input = makeTensor(DataType::UInt8, {size, 65'537}, Sizes{0, 0});
    resize(op.coords, {size * 65'537u, 2});
    list.reject(kNewestLevel, op, "nonzero_coordinates.coords-rows");
  }
}

}  // namespace

void addAxes(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherAxes<Operator>(list); },
        [&](const auto&) { addNonzeroAxes(list); });
  }
}

}  // namespace dmlcts
