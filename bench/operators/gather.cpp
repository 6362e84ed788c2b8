#include "bench/operators/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "reference/tensor.h"

namespace dmlcts::bench {
namespace {

// Formats 1073741824 as "1Gi", 24 as "24".
std::string binary(uint64_t number) {
  const char* prefixes[] = {"", "Ki", "Mi", "Gi"};
  size_t prefix = 0;
  while (prefix < 3 && number >= 1024 && number % 1024 == 0) {
    number /= 1024;
    ++prefix;
  }
  return fmt::format("{}{}", number, prefixes[prefix]);
}

// A GATHER_ND of whole rows.
struct Rows {
  DataType type = DataType::Float32;
  DataType indexType = DataType::UInt32;
  uint64_t rowBytes = 256;
  uint32_t outputExponent = 24;  // log2 of the output's bytes
  uint64_t inputRows = 0;        // 0: as many as are gathered
  IndexKind order = IndexKind::Random;
  std::string orderName = "random";
  enum class Kind : uint8_t {
    Packed,
    PaddedInput,
    PaddedOutput,
    RowInput,  // rank 4: a row's first two dimensions swapped in memory
    RowOutput,
    TransposedInput,  // rows are columns in memory
    TransposedOutput,
  };
  Kind layout = Kind::Packed;

  void addTo(WorkList& list) const {
    const uint32_t length = static_cast<uint32_t>(rowBytes / info(type).bytes);
    const uint32_t rows = static_cast<uint32_t>((uint64_t{1} << outputExponent) / rowBytes);
    const uint32_t from = inputRows == 0 ? rows : static_cast<uint32_t>(inputRows);
    const bool rank4 = layout == Kind::RowInput || layout == Kind::RowOutput;
    GatherNd op = rank4 ? makeGather(type, indexType, 4, {from, 4, 4, length / 16}, {rows}, 1)
                        : makeGather(type, indexType, 2, {from, length}, {rows}, 1);
    std::string name = "packed";
    switch (layout) {
      case Kind::Packed:
        break;
      case Kind::PaddedInput:
        setLayout(op.input, LayoutKind::Pad, {4});
        name = "input-padded";
        break;
      case Kind::PaddedOutput:
        setLayout(op.output, LayoutKind::Pad, {4});
        name = "output-padded";
        break;
      case Kind::RowInput:
        setLayout(op.input, LayoutKind::Perm, {0, 2, 1, 3});
        name = "input-perm(0213)";
        break;
      case Kind::RowOutput:
        setLayout(op.output, LayoutKind::Perm, {0, 2, 1, 3});
        name = "output-perm(0213)";
        break;
      case Kind::TransposedInput:
        setLayout(op.input, LayoutKind::Perm, {1, 0});
        name = "input-perm(10)";
        break;
      case Kind::TransposedOutput:
        setLayout(op.output, LayoutKind::Perm, {1, 0});
        name = "output-perm(10)";
        break;
    }
    const std::string source = inputRows == 0 ? "" : fmt::format("-of-{}", binary(inputRows));
    list.add(
        fmt::format("gather/{}/{}/rows-of-{}B/{}{}/{}/{}", info(type).name, info(indexType).name,
                    binary(rowBytes), binary(rows), source, orderName, name),
        op, fill(FillKind::Unique), order);
  }
};

// A GATHER_ND of single elements.
struct Scalars {
  DataType type = DataType::Float32;
  DataType indexType = DataType::UInt32;
  uint32_t tupleSize = 2;
  uint32_t exponent = 22;       // log2 of the number of gathered elements
  uint32_t inputExponent = 22;  // log2 of the number of input elements
  IndexKind order = IndexKind::Random;
  std::string orderName = "random";

  void addTo(WorkList& list) const {
    const GatherNd op =
        makeGather(type, indexType, std::max(tupleSize, 2u), powerSizes(inputExponent, tupleSize),
                   {uint32_t{1} << exponent}, tupleSize);
    list.add(fmt::format("gather/{}/{}/scalars/{}-tuples/2^{}-of-2^{}/{}/packed", info(type).name,
                         info(indexType).name, tupleSize, exponent, inputExponent, orderName),
             op, fill(FillKind::Unique), order);
  }
};

const std::vector<std::pair<std::string, IndexKind>>& orders() {
  static const std::vector<std::pair<std::string, IndexKind>> all{
      {"random", IndexKind::Random},
      {"sequential", IndexKind::Identity},
      {"repeated", IndexKind::Repeated}};
  return all;
}

// A GATHER_ND1 of rows or single elements within batches. A single batch does the same as
// GATHER_ND.
struct Batches {
  DataType type = DataType::Float32;
  DataType indexType = DataType::UInt32;
  uint64_t rowBytes = 256;  // 0: single elements, by 2-tuples
  uint32_t batches = 16;
  uint32_t outputExponent = 24;  // log2 of the output's bytes

  void addTo(WorkList& list) const {
    const uint32_t width = info(type).bytes;
    const uint64_t each = (uint64_t{1} << outputExponent) / batches;  // bytes of a batch
    const bool scalars = rowBytes == 0;
    const auto rows = static_cast<uint32_t>(each / (scalars ? width : rowBytes));
    const Sizes indexed = scalars ? powerSizes(static_cast<uint32_t>(std::countr_zero(rows)), 2)
                                  : Sizes{rows, static_cast<uint32_t>(rowBytes / width)};
    const auto op = makeGather1(type, indexType, 3, {batches, indexed[0], indexed[1]},
                                {batches, rows}, scalars ? 2 : 1, 1);
    list.add(
        fmt::format("gather1/{}/{}/{}/{}-batches-of-{}/random/packed", info(type).name,
                    info(indexType).name,
                    scalars ? "scalars/2-tuples" : fmt::format("rows-of-{}B", binary(rowBytes)),
                    binary(batches), binary(rows)),
        op, fill(FillKind::Unique), IndexKind::Random);
  }
};

}  // namespace

void sweepGather(WorkList& list) {
  const uint32_t output = list.quick() ? 20 : 27;
  const uint32_t elements = list.quick() ? 18 : 24;
  Rows{.type = DataType::UInt8, .rowBytes = 1, .outputExponent = elements}.addTo(list);
  Rows{.type = DataType::Float16, .rowBytes = 2, .outputExponent = elements}.addTo(list);
  for (uint64_t bytes = 4; bytes <= 65536; bytes *= 4) {
    Rows{.rowBytes = bytes, .outputExponent = output}.addTo(list);
  }
  for (uint32_t size : {1, 2, 3, 4, 5, 6, 7, 8}) {
    if (list.quick() && !std::has_single_bit(size)) continue;
    Scalars{.tupleSize = size, .exponent = elements, .inputExponent = elements}.addTo(list);
  }
  for (DataType type : indexTypes(Level::L6_4)) {
    Rows{.indexType = type, .outputExponent = output}.addTo(list);
    Scalars{.indexType = type, .exponent = elements, .inputExponent = elements}.addTo(list);
  }
  for (const auto& [name, order] : orders()) {
    Rows{.outputExponent = output, .order = order, .orderName = name}.addTo(list);
    Scalars{.exponent = elements, .inputExponent = elements, .order = order, .orderName = name}
        .addTo(list);
  }
  for (Rows::Kind layout :
       {Rows::Kind::PaddedInput, Rows::Kind::PaddedOutput, Rows::Kind::RowInput,
        Rows::Kind::RowOutput, Rows::Kind::TransposedInput, Rows::Kind::TransposedOutput}) {
    Rows{.outputExponent = output, .layout = layout}.addTo(list);
  }
  Rows{.type = DataType::UInt8, .outputExponent = output}.addTo(list);
  Rows{.type = DataType::Float16, .rowBytes = 24, .outputExponent = 21}.addTo(list);
}

void gatherGoals(WorkList& list) {
  for (uint64_t bytes : {256, 1024, 16384}) {
    Rows{.rowBytes = bytes, .outputExponent = 28}.addTo(list);
  }
  Rows{.rowBytes = 16384, .outputExponent = 26}.addTo(list);  // as measured on DirectML
  for (uint32_t exponent : {22, 26}) {
    for (DataType type : {DataType::UInt32, DataType::Int64}) {
      Scalars{.indexType = type, .exponent = exponent, .inputExponent = exponent}.addTo(list);
    }
  }
  for (Rows::Kind layout :
       {Rows::Kind::PaddedInput, Rows::Kind::PaddedOutput, Rows::Kind::RowInput,
        Rows::Kind::RowOutput, Rows::Kind::TransposedInput, Rows::Kind::TransposedOutput}) {
    Rows{.rowBytes = 1024, .outputExponent = 28, .layout = layout}.addTo(list);
  }
}

void gatherLarge(WorkList& list) {
  // 5 GiB of input and 4 of output.
  Rows{.rowBytes = 4096, .outputExponent = 32, .inputRows = 5 << 18}.addTo(list);
}

void sweepBatches(WorkList& list) {
  const uint32_t output = list.quick() ? 20 : 27;
  for (uint32_t batches : {1, 16, 1024}) {
    Batches{.batches = batches, .outputExponent = output}.addTo(list);
    Batches{.rowBytes = 0, .batches = batches, .outputExponent = output - 1}.addTo(list);
  }
  Batches{.type = DataType::Int64, .outputExponent = output}.addTo(list);
  Batches{.type = DataType::Float64, .rowBytes = 0, .outputExponent = output - 1}.addTo(list);
}

void batchGoals(WorkList& list) {
  for (uint32_t batches : {1, 16, 1024}) {
    Batches{.rowBytes = 1024, .batches = batches, .outputExponent = 28}.addTo(list);
    Batches{.rowBytes = 0, .batches = batches, .outputExponent = 28}.addTo(list);
  }
}

}  // namespace dmlcts::bench
