// Tensors for GPUs: byte offsets past 2^31 and 2^32, up to 2^32 - 1 elements, in each tensor of
// each operator, packed and strided. A case takes 2 to 21 GiB of device memory and reaches the
// worker in pieces, so the harness never holds a whole tensor. Floating-point values are numbers
// without denormals, because explaining others needs whole tensors.

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

constexpr uint32_t k28 = uint32_t{1} << 28;
constexpr uint32_t k29 = uint32_t{1} << 29;
constexpr uint32_t k30 = uint32_t{1} << 30;
constexpr uint32_t k31 = uint32_t{1} << 31;
constexpr uint32_t kMost = 0xFFFFFFFF;      // size of a dimension, and number of rows
constexpr uint32_t kMostBytes = kMost - 3;  // of a byte tensor, whose total is a multiple of 4
constexpr uint32_t kSome = 100'003;         // tuples, if another tensor is the large one

template <class Operator>
struct Gathers {
  CaseList& list;

  // Large tensors of GATHER_ND1 have a leading batch dimension of size 2. Halving keeps the total
  // size.
  static uint32_t part(uint32_t size) { return size / largeBatches<Operator> + 1; }

  Operator make(DataType type, DataType indexType, const Sizes& input, const Sizes& tuples,
                uint32_t tupleSize = 1) const {
    const size_t rank = std::max(input.size(), tuples.size() + input.size() - tupleSize);
    return makeVaried<Operator>(type, indexType, std::max(rank, tuples.size() + 1), input, tuples,
                                tupleSize, 0);
  }

  void add(const Operator& op, IndexKind kind, FillKind values = FillKind::Unique) const {
    list.execute(kNewestLevel, op, fill(values), index(kind));
  }

  // Makes indices adjacent: the same for all coordinates of the first tuple dimension.
  static void broadcastTuples(Operator& op) {
    const size_t axis = op.indices.sizes.size() - 3;
    setLayout(op.indices, LayoutKind::Broadcast, {static_cast<uint32_t>(axis)});
  }

  void inputs() const {
    add(make(DataType::UInt8, DataType::UInt32, {part(k31)}, {kSome}), IndexKind::Random);
    add(make(DataType::UInt16, DataType::UInt64, {part(k30)}, {kSome}), IndexKind::Last);
    add(make(DataType::UInt8, DataType::Int64, {kMostBytes / largeBatches<Operator>}, {kSome}),
        IndexKind::AllNegative);
    // Without batches half of these indices are 2^31 or more, which are no negative numbers.
    add(make(DataType::UInt8, DataType::UInt32, {kMostBytes / largeBatches<Operator>}, {kSome}),
        IndexKind::Random);
    add(make(DataType::UInt16, DataType::UInt32, {part(k31)}, {kSome}), IndexKind::Random);
    add(make(DataType::UInt64, DataType::Int32, {part(k29)}, {kSome}), IndexKind::Negative);
    // Rows of whole texels, and of an odd number of bytes.
    add(make(DataType::Float32, DataType::UInt32, {part(k28), 4}, {kSome}), IndexKind::Random,
        FillKind::Ramp);
    add(make(DataType::Int8, DataType::UInt32, {part(4092), k29 / 512 + 3}, {251}),
        IndexKind::Random);
    // Strided.
    Operator columns = make(DataType::UInt32, DataType::UInt32, {part(65'539), 16'387}, {251});
    setLayout(columns.input, LayoutKind::Perm, reversedAxes(columns.input.sizes.size()));
    add(columns, IndexKind::Random);
    Operator stepped = make(DataType::UInt16, DataType::UInt32, {part(k30)}, {kSome});
    setLayout(stepped.input, LayoutKind::Step, {3});
    add(stepped, IndexKind::Random);
  }

  // The largest dimension, with 4-byte elements.
  void mostElements() const {
    add(make(DataType::UInt32, DataType::UInt64, {kMost / largeBatches<Operator>}, {kSome}),
        IndexKind::Random);
  }

  void indices() const {
    add(make(DataType::UInt8, DataType::UInt32, {251}, {part(k29)}), IndexKind::Random);
    add(make(DataType::UInt8, DataType::Int64, {251, 13}, {part(k28)}, 2), IndexKind::Negative);
    add(make(DataType::UInt16, DataType::UInt32, {65'521}, {part(k30)}), IndexKind::Random);
    // The coordinates of a tuple far apart, and tuples with gaps.
    Operator apart = make(DataType::UInt8, DataType::UInt32, {251, 13}, {part(k29)}, 2);
    setLayout(apart.indices, LayoutKind::Perm, reversedAxes(apart.indices.sizes.size()));
    add(apart, IndexKind::Random);
    Operator stepped = make(DataType::UInt8, DataType::UInt32, {251}, {part(k29)});
    setLayout(stepped.indices, LayoutKind::Step, {3});
    add(stepped, IndexKind::Random);
  }

  void outputs() const {
    Operator scalars = make(DataType::UInt16, DataType::UInt32, {k28 / 16}, {part(32'771), 65'536});
    broadcastTuples(scalars);
    add(scalars, IndexKind::Random);
    Operator dwords = make(DataType::UInt32, DataType::UInt32, {k28 / 16}, {part(16'387), 65'536});
    broadcastTuples(dwords);
    add(dwords, IndexKind::Random);
    Operator wide = make(DataType::Int64, DataType::UInt32, {k28 / 16}, {part(8'209), 65'536});
    broadcastTuples(wide);
    add(wide, IndexKind::Random);
    add(make(DataType::Float32, DataType::UInt32, {1009, 65'536}, {part(16'387)}),
        IndexKind::Random, FillKind::Ramp);
    add(make(DataType::UInt16, DataType::UInt32, {3, part(k30)}, {2}), IndexKind::Random);
    // Strided.
    Operator columns = make(DataType::UInt32, DataType::UInt32, {1009, 65'537}, {part(16'387)});
    setLayout(columns.output, LayoutKind::Perm, reversedAxes(columns.output.sizes.size()));
    add(columns, IndexKind::Random);
    Operator stepped = make(DataType::UInt16, DataType::UInt32, {1009, 65'537}, {part(16'387)});
    setLayout(stepped.output, LayoutKind::Step, {2});
    add(stepped, IndexKind::Random);
  }
};

NonzeroCoordinates ofAll(DataType type, const Sizes& sizes) {
  return makeNonzero(type, sizes, static_cast<uint32_t>(sizes.size()));
}

template <class Operator>
void addGatherHuge(CaseList& list) {
  const Gathers<Operator> gathers{list};
  gathers.inputs();
  gathers.indices();
  gathers.outputs();
  gathers.mostElements();
}

void addNonzeroHuge(CaseList& list) {
  const Fill signs{FillKind::Values, 0, {0, 0x3F800000, 0x80000000, 0xC0000000, 0, 0}};
  // Input bytes and coordinate rows past 2^31 and 2^32.
  list.execute(kNewestLevel, ofAll(DataType::UInt32, {k29 + 3}), density(300'000));
  list.execute(kNewestLevel, ofAll(DataType::Float32, {k29 + 5}), signs);
  list.execute(kNewestLevel, ofAll(DataType::UInt16, {k30 + 3}), density(10'000));
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {k30 + 7}), density(700'000));
  list.execute(kNewestLevel, ofAll(DataType::UInt32, {k30 + 3}), density(10));
  list.execute(kNewestLevel, ofAll(DataType::Int8, {k31 - 1}), fill(FillKind::Last));
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {k31 + 7}), fill(FillKind::All));
  // The largest tensor of one-byte elements.
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {kMostBytes}), density(300'000));
  // More columns.
  list.execute(kNewestLevel, ofAll(DataType::UInt16, {65'537, 8'209}), density(500'000));
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {17, 31, 1009, 541}), density(900'000));
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {3, 5, 7, 11, 13, 17, 19, 29}),
               fill(FillKind::All));
  // Few rows per tile, so that most rows begin or end a tile.
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {k29 + 3}), density(1'000));
  list.execute(kNewestLevel, ofAll(DataType::UInt8, {65'537, 4'099}), density(1'000));
  // Strided inputs.
  NonzeroCoordinates stepped = ofAll(DataType::UInt16, {k29 + 7});
  setLayout(stepped.input, LayoutKind::Step, {5});
  list.execute(kNewestLevel, stepped, density(500'000));
  NonzeroCoordinates columns = ofAll(DataType::UInt32, {16'411, 65'537});
  setLayout(columns.input, LayoutKind::Perm, {1, 0});
  list.execute(kNewestLevel, columns, density(200'000));
  NonzeroCoordinates broadcast = ofAll(DataType::UInt8, {65'537, 16'411});
  setLayout(broadcast.input, LayoutKind::Broadcast, {0});
  list.execute(kNewestLevel, broadcast, density(500'000));
  // Few elements, with neighbours more than 4 GiB apart.
  NonzeroCoordinates pairs = ofAll(DataType::UInt16, {40, 2});
  setStrides(pairs.input, {5, k31 + 3});
  list.execute(kNewestLevel, pairs, density(500'000));
  // Strided coordinates: columns first, rows with gaps.
  NonzeroCoordinates matrix = ofAll(DataType::UInt8, {65'537, 8'209});
  setLayout(matrix.coords, LayoutKind::Perm, {1, 0});
  list.execute(kNewestLevel, matrix, density(500'000));
  NonzeroCoordinates padded = ofAll(DataType::UInt8, {65'537, 8'209});
  setLayout(padded.coords, LayoutKind::Pad, {1});
  list.execute(kNewestLevel, padded, density(500'000));
  // The count is at the start of over 4 GiB that must not be written.
  NonzeroCoordinates count = ofAll(DataType::UInt8, {1'000'003});
  count.count.totalBytes = (uint64_t{1} << 32) + 16;
  list.execute(kNewestLevel, count, density(500'000));
}

}  // namespace

void addHuge(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    visitKind(
        *op, [&]<class Operator>(const Operator&) { addGatherHuge<Operator>(list); },
        [&](const auto&) { addNonzeroHuge(list); });
  }
}

}  // namespace dmlcts
