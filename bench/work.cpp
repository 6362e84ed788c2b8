#include "bench/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "conformance/cases/families/build.h"
#include "conformance/cases/query.h"
#include "reference/element.h"
#include "reference/per_operator.h"
#include "reference/tensor.h"

namespace dmlcts::bench {
namespace {

// 2^exponent elements, as evenly as powers of 2 allow, the longest dimensions last.
Sizes powerSizes(uint32_t exponent, uint32_t rank) {
  Sizes sizes;
  for (uint32_t axis = 0; axis < rank; ++axis) {
    sizes.push_back(uint32_t{1} << (exponent / rank + (axis >= rank - exponent % rank ? 1 : 0)));
  }
  return sizes;
}

std::string permName(const Sizes& axes) { return fmt::format("perm({})", fmt::join(axes, "")); }

// 1073741824 as "1Gi", 24 as "24".
std::string binary(uint64_t number) {
  const char* prefixes[] = {"", "Ki", "Mi", "Gi"};
  size_t prefix = 0;
  while (prefix < 3 && number >= 1024 && number % 1024 == 0) {
    number /= 1024;
    ++prefix;
  }
  return fmt::format("{}{}", number, prefixes[prefix]);
}

class WorkList {
 public:
  explicit WorkList(Set set) : set_(set) {}

  Set set() const { return set_; }
  bool quick() const { return set_ == Set::Quick; }

  void add(std::string name, Descriptor descriptor, Fill values, IndexKind order) {
    const bool known = std::ranges::any_of(works_, [&](const Work& w) { return w.name == name; });
    if (known) return;  // two sweeps meet
    Work work{std::move(name), {}};
    work.testCase.descriptor = std::move(descriptor);
    work.testCase.fill = std::move(values);
    work.testCase.index = index(order);
    work.testCase.seed = 1;
    works_.push_back(std::move(work));
  }

  std::vector<Work> take() { return std::move(works_); }

 private:
  Set set_;
  std::vector<Work> works_;
};

// One NONZERO_COORDINATES, given by what differs from the middle of the sweeps.
struct Nonzero {
  DataType type = DataType::Float32;
  uint32_t rank = 4;
  uint32_t exponent = 22;
  Fill values = density(500'000);
  std::string pattern = "50%/random";
  Sizes sizes = {};           // instead of 2^exponent
  Sizes inputAxes = {};       // memory order of the input, when not packed
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
  // Short last dimensions, and none that is a power of 2.
  const uint32_t images = list.quick() ? 1 : 16;
  Nonzero{.exponent = middle, .sizes = {8 * images, 227, 227, 3}}.addTo(list);
  Nonzero{.exponent = middle, .sizes = {images, 17, 251, 255}}.addTo(list);
  for (const Sizes& axes : {Sizes{0, 1, 3, 2}, Sizes{0, 2, 3, 1}, Sizes{3, 2, 1, 0}}) {
    Nonzero{.exponent = middle, .inputAxes = axes}.addTo(list);
    Nonzero{.type = DataType::UInt8, .exponent = middle, .inputAxes = axes}.addTo(list);
  }
  Nonzero{.exponent = middle, .columnsFirst = true}.addTo(list);
}

// One GATHER_ND of whole rows.
struct Rows {
  DataType type = DataType::Float32;
  DataType indexType = DataType::UInt32;
  uint64_t rowBytes = 256;
  uint32_t outputExponent = 24;  // log2 of the output's bytes
  uint64_t inputRows = 0;        // as many as are gathered, unless said
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

// One GATHER_ND of single elements.
struct Scalars {
  DataType type = DataType::Float32;
  DataType indexType = DataType::UInt32;
  uint32_t tupleSize = 2;
  uint32_t exponent = 22;       // log2 of the elements gathered
  uint32_t inputExponent = 22;  // and of those that there are
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

void nonzeroGoals(WorkList& list) {
  const auto nonzero = [&](uint32_t exponent) {
    for (const Pattern& pattern : patterns()) {
      const bool named = pattern.name == "1%/random" || pattern.name == "50%/random" ||
                         pattern.name == "100%/random";
      if (!named) continue;
      Nonzero{.exponent = exponent, .values = pattern.values, .pattern = pattern.name}.addTo(list);
    }
  };
  nonzero(22);
  nonzero(26);
  Nonzero{.type = DataType::UInt8, .rank = 1, .exponent = 28}.addTo(list);
  Nonzero{.type = DataType::Float16, .rank = 1, .exponent = 28}.addTo(list);
  for (const Sizes& axes : {Sizes{0, 1, 3, 2}, Sizes{0, 2, 3, 1}, Sizes{3, 2, 1, 0}}) {
    Nonzero{.exponent = 26, .inputAxes = axes}.addTo(list);
  }
  Nonzero{.exponent = 26, .columnsFirst = true}.addTo(list);
}

void gatherGoals(WorkList& list) {
  for (uint64_t bytes : {256, 1024, 16384}) {
    Rows{.rowBytes = bytes, .outputExponent = 28}.addTo(list);
  }
  Rows{.rowBytes = 16384, .outputExponent = 26}.addTo(list);  // as known of DirectML
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

void nonzeroLarge(WorkList& list) {
  // 4 GiB of coordinates, twice; 5 GiB of input; 2^31 elements, with 8 GiB of coordinates.
  Nonzero{.type = DataType::Float16, .exponent = 28}.addTo(list);
  Nonzero{.type = DataType::UInt8, .exponent = 28}.addTo(list);
  Nonzero{.rank = 1, .values = density(10'000), .pattern = "1%/random", .sizes = {5u << 28}}.addTo(
      list);
  Nonzero{.type = DataType::UInt8, .rank = 1, .exponent = 31}.addTo(list);
}

void gatherLarge(WorkList& list) {
  // 5 GiB of input and 4 of output.
  Rows{.rowBytes = 4096, .outputExponent = 32, .inputRows = 5 << 18}.addTo(list);
}

// One GATHER_ND1 of rows of a batch's own, or of single elements: with one batch that has all, the
// work of a GATHER_ND.
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
    GatherNd1 op;
    if (scalars) {
      const Sizes indexed = powerSizes(static_cast<uint32_t>(std::countr_zero(rows)), 2);
      op =
          makeGather1(type, indexType, 3, {batches, indexed[0], indexed[1]}, {batches, rows}, 2, 1);
    } else {
      const auto length = static_cast<uint32_t>(rowBytes / width);
      op = makeGather1(type, indexType, 3, {batches, rows, length}, {batches, rows}, 1, 1);
    }
    list.add(
        fmt::format("gather1/{}/{}/{}/{}-batches-of-{}/random/packed", info(type).name,
                    info(indexType).name,
                    scalars ? "scalars/2-tuples" : fmt::format("rows-of-{}B", binary(rowBytes)),
                    binary(batches), binary(rows)),
        op, fill(FillKind::Unique), IndexKind::Random);
  }
};

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

template <class Gathering>
uint64_t bytesOfGather(const Gathering& op, const PreparedCase&) {
  const auto bytes = [](const TensorDesc& tensor) {
    return elementCount(tensor.sizes).value() * info(tensor.type).bytes;
  };
  return bytes(op.indices) + std::min(bytes(op.output), bytes(op.input)) + bytes(op.output);
}

uint64_t bytesOfNonzero(const NonzeroCoordinates& op, const PreparedCase& prepared) {
  const uint64_t rows = loadBits(prepared.expected[0].bytes, 0, 4);
  return elementCount(op.input.sizes).value() * info(op.input.type).bytes + 4 +
         rows * op.coords.sizes.back() * 4;
}

// What benchmarks know of each operator.
template <class Operator>
struct BenchEntry {
  void (*sweep)(WorkList& list);  // Set::Quick and Set::Full
  void (*goals)(WorkList& list);
  void (*large)(WorkList& list);
  uint64_t (*bytesMoved)(const Operator& op, const PreparedCase& prepared);
  size_t elements;      // the slot of the tensor whose elements are counted
  bool comparesValues;  // and so may take denormals for zero
};

const PerOperator<BenchEntry> kBench{
    BenchEntry<GatherNd>{sweepGather, gatherGoals, gatherLarge, bytesOfGather<GatherNd>, 2, false},
    BenchEntry<NonzeroCoordinates>{sweepNonzero, nonzeroGoals, nonzeroLarge, bytesOfNonzero, 0,
                                   true},
    BenchEntry<GatherNd1>{sweepBatches, batchGoals, nullptr, bytesOfGather<GatherNd1>, 2, false}};

}  // namespace

std::vector<Work> works(Set set) {
  WorkList list(set);
  forEachEntry(kBench, [&](const auto& entry) {
    const auto add = set == Set::Goals   ? entry.goals
                     : set == Set::Large ? entry.large
                                         : entry.sweep;
    if (add) add(list);
  });
  return list.take();
}

uint64_t bytesMoved(const PreparedCase& prepared) {
  return visitEntry(kBench, prepared.testCase->descriptor, [&](const auto& entry, const auto& op) {
    return entry.bytesMoved(op, prepared);
  });
}

uint64_t elementsOf(const Case& testCase) {
  const size_t slot = visitEntry(kBench, testCase.descriptor,
                                 [](const auto& entry, const auto&) { return entry.elements; });
  return elementCount(tensors(testCase.descriptor)[slot].desc->sizes).value();
}

bool comparesValues(const Case& testCase) {
  return visitEntry(kBench, testCase.descriptor,
                    [](const auto& entry, const auto&) { return entry.comparesValues; });
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.find_first_of("*?") == pattern.npos) return name.find(pattern) != name.npos;
  return matchesPattern(pattern, name);
}

}  // namespace dmlcts::bench
