#include "reference/operators/nonzero_coordinates.h"

#include <algorithm>
#include <array>
#include <string>

#include "reference/address_runs.h"
#include "reference/checker.h"
#include "reference/counted.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "nonzero_coordinates.available",
         .wording = "The operator exists from level 3.0 on: below, every descriptor is rejected.",
         .source = "NONZERO_COORDINATES, Availability",
         .through = Level::L2_1},
    Rule{.id = "nonzero_coordinates.rank-3.0",
         .wording = "At levels 3.0 and 3.1 every tensor has 4 or 5 dimensions.",
         .source = "NONZERO_COORDINATES, Tensor support, 3.0",
         .from = Level::L3_0,
         .through = Level::L3_1},
    Rule{.id = "nonzero_coordinates.rank",
         .wording = "From level 4.0 on InputTensor and OutputCountTensor have 1 to 8 dimensions, "
                    "OutputCoordinatesTensor 2 to 8.",
         .source = "NONZERO_COORDINATES, Tensor support, 4.0",
         .from = Level::L4_0},
    Rule{.id = "nonzero_coordinates.dimension-counts",
         .wording = "At levels 3.0 and 3.1 the three tensors have the same DimensionCount.",
         .source = "NONZERO_COORDINATES, older edition, Tensor constraints",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .through = Level::L3_1,
         .note = "The newer edition has the table for 3.0 without the constraint and so governs "
                 "it; the older one is what devices of 3.0 were written against. From 4.0 on the "
                 "counts may differ."},
    Rule{.id = "nonzero_coordinates.data-types",
         .wording = "InputTensor is of FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16 or "
                    "UINT8.",
         .source = "NONZERO_COORDINATES, Tensor support",
         .from = Level::L3_0},
    Rule{.id = "nonzero_coordinates.count-type",
         .wording = "OutputCountTensor is of UINT32.",
         .source = "NONZERO_COORDINATES, OutputCountTensor",
         .from = Level::L3_0},
    Rule{.id = "nonzero_coordinates.coords-type",
         .wording = "OutputCoordinatesTensor is of UINT32.",
         .source = "NONZERO_COORDINATES, Tensor support",
         .from = Level::L3_0},
    Rule{.id = "nonzero_coordinates.count-scalar",
         .wording = "Every size of OutputCountTensor is 1.",
         .source = "NONZERO_COORDINATES, OutputCountTensor",
         .from = Level::L3_0},
    Rule{.id = "nonzero_coordinates.coords-rows",
         .wording = "OutputCoordinatesTensor has a row for each element of InputTensor, neither "
                    "more nor fewer.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor",
         .from = Level::L3_0,
         .note = "The description asks for a size that is large enough, the member, twice, for "
                 "exactly this one."},
    Rule{.id = "nonzero_coordinates.coords-columns",
         .wording = "A row of OutputCoordinatesTensor has at least as many columns as InputTensor "
                    "has effective dimensions, and at most its DimensionCount.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor",
         .from = Level::L3_0,
         .note = "An effective rank of 0 still needs one column, since no size may be 0."},
    Rule{.id = "nonzero_coordinates.coords-leading-ones",
         .wording = "The sizes of OutputCoordinatesTensor in front of rows and columns are 1.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor",
         .from = Level::L3_0},
    Rule{.id = "nonzero_coordinates.nonzero",
         .wording = "Exactly the elements that are not zero are reported.",
         .source = "NONZERO_COORDINATES, Description",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "nonzero_coordinates.signed-zero",
         .wording = "In FLOAT32 and FLOAT16 inputs positive and negative zero are both zero.",
         .source = "NONZERO_COORDINATES, Description",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "nonzero_coordinates.not-zero-values",
         .wording = "NaNs of any payload and sign and FLOAT16 denormals are not zero.",
         .source = "NONZERO_COORDINATES, Description; Direct3D floating-point rules, 16-bit",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "The text exempts the two zeros and names neither. Direct3D's comparison finds a "
                 "NaN unequal to zero and keeps 16-bit denormals."},
    Rule{.id = "nonzero_coordinates.float32-denormals",
         .wording = "FLOAT32 denormals are not zero.",
         .source = "NONZERO_COORDINATES, Description; Direct3D floating-point rules, 32-bit",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "The text exempts the two zeros and nothing else; but Direct3D flushes 32-bit "
                 "denormals on the way into a comparison, so a kernel that compares floats takes "
                 "them for zero."},
    Rule{.id = "nonzero_coordinates.count",
         .wording = "OutputCountTensor holds the number of non-zero elements.",
         .source = "NONZERO_COORDINATES, OutputCountTensor",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "nonzero_coordinates.coordinates",
         .wording = "A row holds the last N coordinates of its element, N being the number of "
                    "columns.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor and example",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "The coordinates left out belong to leading dimensions of size 1 and are 0."},
    Rule{.id = "nonzero_coordinates.order",
         .wording = "Rows are ordered by ascending element index.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "nonzero_coordinates.rows-past-count",
         .wording = "What rows at and past the count hold is undefined.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor, note",
         .from = Level::L3_0,
         .checked = Checked::NotAtAll,
         .note = "Never compared with an expected value."},
    Rule{.id = "nonzero_coordinates.rows-written",
         .wording = "Rows at and past the count keep what they held: at most OutputCount rows are "
                    "written.",
         .source = "NONZERO_COORDINATES, OutputCoordinatesTensor; its note and "
                   "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes, say the contrary",
         .standing = Standing::Ours,
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "The page promises at most OutputCount elements, not rows, and in the note that "
                 "follows leaves the rest undefined: no application can rely on it. Observed."},
};

}  // namespace

std::span<const Rule> nonzeroCoordinatesRules() { return kRules; }

bool isNonzero(DataType type, uint64_t bits) {
  if (info(type).isFloat) {
    const uint64_t sign = uint64_t{1} << (8 * info(type).bytes - 1);
    return (bits & ~sign) != 0;
  }
  return bits != 0;
}

std::vector<BrokenRule> checkNonzeroCoordinates(const NonzeroCoordinates& op, Level level) {
  Checker checker(level);
  if (!checker.require("nonzero_coordinates.available", level >= Level::L3_0, [&] {
        return "level " + std::string(name(level)) + " does not have the operator";
      })) {
    return checker.takeBroken();
  }
  for (const TensorSlot& slot : tensorsOf(op)) {
    checker.requireTensor(slot);
    const size_t rank = slot.desc->sizes.size();
    const size_t least = slot.name == "coords" ? 2 : 1;
    const auto has = [&] {
      return std::string(slot.dmlName) + " has DimensionCount " + std::to_string(rank);
    };
    checker.require("nonzero_coordinates.rank-3.0", rank == 4 || rank == 5,
                    [&] { return has() + ", levels 3.0 and 3.1 have only 4 and 5"; });
    checker.require("nonzero_coordinates.rank", rank >= least && rank <= 8,
                    [&] { return has() + ", outside " + std::to_string(least) + " to 8"; });
  }

  const size_t inputRank = op.input.sizes.size();
  const size_t coordsRank = op.coords.sizes.size();
  checker.require("nonzero_coordinates.dimension-counts",
                  op.count.sizes.size() == inputRank && coordsRank == inputRank, [&] {
                    return "DimensionCount is " + std::to_string(inputRank) + " for InputTensor, " +
                           std::to_string(op.count.sizes.size()) + " for OutputCountTensor, " +
                           std::to_string(coordsRank) + " for OutputCoordinatesTensor";
                  });

  checker.require("nonzero_coordinates.data-types", isDocumentedDataType(op.input.type),
                  [&] { return "InputTensor is of " + std::string(info(op.input.type).dmlName); });
  checker.require("nonzero_coordinates.count-type", op.count.type == DataType::UInt32, [&] {
    return "OutputCountTensor is of " + std::string(info(op.count.type).dmlName);
  });
  checker.require("nonzero_coordinates.coords-type", op.coords.type == DataType::UInt32, [&] {
    return "OutputCoordinatesTensor is of " + std::string(info(op.coords.type).dmlName);
  });

  checker.require("nonzero_coordinates.count-scalar",
                  std::ranges::all_of(op.count.sizes, [](uint32_t size) { return size == 1; }),
                  [&] { return "OutputCountTensor.Sizes are " + braced(op.count.sizes); });

  if (coordsRank < 2) return checker.takeBroken();  // no rows and columns to check
  const uint64_t rows = op.coords.sizes[coordsRank - 2];
  const uint64_t columns = op.coords.sizes[coordsRank - 1];
  const auto elements = elementCount(op.input.sizes);
  checker.require("nonzero_coordinates.coords-rows", elements && rows == *elements, [&] {
    return "OutputCoordinatesTensor has " + counted(rows, "row") + ", InputTensor has " +
           (elements ? counted(*elements, "element") : "more than 2^64 elements");
  });
  const uint64_t fewest = std::max(1u, effectiveRank(op.input.sizes));
  checker.require(
      "nonzero_coordinates.coords-columns", columns >= fewest && columns <= inputRank, [&] {
        return "OutputCoordinatesTensor has " + counted(columns, "column") + ", outside " +
               std::to_string(fewest) + " to " + std::to_string(inputRank);
      });
  checker.require("nonzero_coordinates.coords-leading-ones",
                  std::all_of(op.coords.sizes.begin(), op.coords.sizes.end() - 2,
                              [](uint32_t size) { return size == 1; }),
                  [&] {
                    return "OutputCoordinatesTensor.Sizes " + braced(op.coords.sizes) +
                           " are not 1 in front of rows and columns";
                  });
  return checker.takeBroken();
}

std::vector<ReferenceOutput> evaluateNonzeroCoordinates(
    const NonzeroCoordinates& op, std::span<const std::vector<uint8_t>> inputs) {
  const std::vector<uint8_t>& input = inputs[0];
  const uint32_t width = info(op.input.type).bytes;
  const std::vector<uint64_t> inputStrides = elementStrides(op.input).value();
  const std::vector<uint64_t> coordsStrides = elementStrides(op.coords).value();
  const size_t inputRank = op.input.sizes.size();
  const uint64_t rowStride = coordsStrides[coordsStrides.size() - 2];
  const uint64_t columnStride = coordsStrides.back();
  const uint32_t columns = op.coords.sizes.back();
  const uint64_t rows = op.coords.sizes[op.coords.sizes.size() - 2];

  ReferenceOutput count;
  count.bytes.assign(op.count.totalBytes, 0);
  count.status = ByteStatuses(op.count.totalBytes, 4);
  ReferenceOutput coords;
  coords.bytes.assign(op.coords.totalBytes, 0);
  coords.status = ByteStatuses(op.coords.totalBytes, 4);

  const auto put = [](ReferenceOutput& output, uint64_t element, uint32_t value) {
    storeBits(output.bytes, element * 4, 4, value);
    output.status.elements()[element] = ByteStatus::Defined;
  };

  // Writes one row per non-zero element in ascending element index, line by line along the last
  // dimension.
  constexpr uint64_t kPiece = 256;  // elements of a line searched together
  uint32_t found = 0;
  const std::span<const uint32_t> sizes(op.input.sizes);
  ElementWalk lines(sizes.first(inputRank - 1), std::span(inputStrides).first(inputRank - 1));
  do {
    const std::span<const uint32_t> line = lines.coordinate();
    for (uint64_t first = 0; first < sizes.back(); first += kPiece) {
      const uint64_t end = std::min<uint64_t>(sizes.back(), first + kPiece);
      // Collects the non-zero elements before it writes their rows: the branchless search is
      // faster.
      std::array<uint32_t, kPiece> nonzero;
      uint32_t nonzeros = 0;
      for (uint64_t last = first; last < end; ++last) {
        const uint64_t at = lines.offset() + last * inputStrides.back();
        nonzero[nonzeros] = static_cast<uint32_t>(last);
        nonzeros += isNonzero(op.input.type, loadBits(input, at * width, width)) ? 1 : 0;
      }
      for (uint32_t i = 0; i < nonzeros; ++i) {
        const uint64_t row = found * rowStride;
        for (uint32_t column = 0; column + 1 < columns; ++column) {
          put(coords, row + column * columnStride, line[inputRank - columns + column]);
        }
        put(coords, row + (columns - 1) * columnStride, nonzero[i]);
        ++found;
      }
    }
  } while (lines.next());

  put(count, 0, found);
  for (uint64_t row = found; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      coords.status.elements()[row * rowStride + column * columnStride] = ByteStatus::Undefined;
    }
  }
  std::vector<ReferenceOutput> outputs;  // an initializer list would copy
  outputs.push_back(std::move(count));
  outputs.push_back(std::move(coords));
  return outputs;
}

namespace {

class NonzeroStream : public OutputStream {
 public:
  NonzeroStream(const NonzeroCoordinates& op, std::vector<InputElements> inputs,
                const ForEach& forEach)
      : type_(op.input.type),
        input_(std::move(inputs.at(0))),
        count_(op.count),
        coords_(op.coords),
        elements_(elementCount(op.input.sizes).value()),
        columns_(op.coords.sizes.back()) {
    uint64_t weight = 1;
    sizes_.assign(columns_, 1);
    weights_.assign(columns_, 1);
    for (size_t i = 1; i <= columns_; ++i) {
      sizes_[columns_ - i] = op.input.sizes[op.input.sizes.size() - i];
      weights_[columns_ - i] = weight;
      weight *= sizes_[columns_ - i];
    }
    const uint64_t blocks = (elements_ + kBlock - 1) / kBlock;
    std::vector<uint64_t> found(blocks);
    forEach(blocks, [&](uint64_t block) {
      std::vector<uint64_t> nonzero;
      search(block, nonzero);
      found[block] = nonzero.size();
    });
    rowsBefore_.assign(blocks + 1, 0);
    for (uint64_t block = 0; block < blocks; ++block) {
      rowsBefore_[block + 1] = rowsBefore_[block] + found[block];
    }
  }

  ReferenceOutput part(size_t output, uint64_t first, uint64_t count) const override {
    ReferenceOutput result{std::vector<uint8_t>(count), ByteStatuses(count, 4)};
    const uint64_t start = first / 4;
    const auto put = [&](uint64_t address, uint64_t value) {
      storeBits(result.bytes, (address - start) * 4, 4, value);
      result.status.elements()[address - start] = ByteStatus::Defined;
    };
    if (output == 0) {
      count_.within(start, start + count / 4,
                    [&](const AddressRun& run) { put(run.address, rowsBefore_.back()); });
      return result;
    }
    uint64_t block = ~uint64_t{0};  // the block that `nonzero` is about
    std::vector<uint64_t> nonzero;
    coords_.within(start, start + count / 4, [&](const AddressRun& run) {
      for (uint64_t i = 0; i < run.count; ++i) {
        const uint64_t address = run.address + i * run.stride;
        const uint64_t row = (run.element + i * run.step) / columns_;
        const uint64_t column = (run.element + i * run.step) % columns_;
        if (row >= rowsBefore_.back()) {
          result.status.elements()[address - start] = ByteStatus::Undefined;
          continue;
        }
        if (block == ~uint64_t{0} || row < rowsBefore_[block] || row >= rowsBefore_[block + 1]) {
          const auto after = std::ranges::upper_bound(rowsBefore_, row);
          block = static_cast<uint64_t>(after - rowsBefore_.begin()) - 1;
          search(block, nonzero);
        }
        const uint64_t element = nonzero[row - rowsBefore_[block]];
        put(address, element / weights_[column] % sizes_[column]);
      }
    });
    return result;
  }

 private:
  static constexpr uint64_t kBlock = 4096;  // elements searched at once

  // Collects the indices of the block's non-zero elements.
  void search(uint64_t block, std::vector<uint64_t>& nonzero) const {
    std::array<uint64_t, kBlock> bits;
    const uint64_t first = block * kBlock;
    const uint64_t count = std::min(kBlock, elements_ - first);
    input_(first, std::span(bits).first(count));
    nonzero.clear();
    for (uint64_t i = 0; i < count; ++i) {
      if (isNonzero(type_, bits[i])) nonzero.push_back(first + i);
    }
  }

  DataType type_;
  InputElements input_;
  AddressRuns count_;
  AddressRuns coords_;
  uint64_t elements_;
  uint64_t columns_;
  std::vector<uint64_t> sizes_;       // of the dimensions with a column
  std::vector<uint64_t> weights_;     // elements per step of a coordinate
  std::vector<uint64_t> rowsBefore_;  // before each block; last: the total
};

}  // namespace

std::unique_ptr<OutputStream> streamNonzeroCoordinates(const NonzeroCoordinates& op,
                                                       std::vector<InputElements> inputs,
                                                       const ForEach& forEach) {
  return std::make_unique<NonzeroStream>(op, std::move(inputs), forEach);
}

}  // namespace dmlcts
