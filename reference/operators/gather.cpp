#include "reference/operators/gather.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "reference/address_runs.h"
#include "reference/counted.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

bool leadingOnes(const std::vector<uint32_t>& sizes, size_t meaningful) {
  return std::all_of(sizes.begin(), sizes.end() - static_cast<ptrdiff_t>(meaningful),
                     [](uint32_t size) { return size == 1; });
}

// Returns the coordinate that these index bits select in a dimension of `size`; empty if out of
// range.
std::optional<uint64_t> resolveIndex(DataType type, uint64_t bits, uint64_t size) {
  if (!info(type).isSigned) return bits < size ? std::optional(bits) : std::nullopt;
  const int64_t index = type == DataType::Int32 ? static_cast<int32_t>(static_cast<uint32_t>(bits))
                                                : static_cast<int64_t>(bits);
  const int64_t fromStart = index < 0 ? index + static_cast<int64_t>(size) : index;
  if (fromStart < 0 || fromStart >= static_cast<int64_t>(size)) return std::nullopt;
  return static_cast<uint64_t>(fromStart);
}

// Elements of a tensor, `stride` elements apart.
struct Line {
  uint64_t offset;  // of the first, in elements
  uint64_t stride;
};

// A line of the output, and where it comes from: out of range, it has no defined elements.
struct Lookup {
  Line to;
  Line from;
  bool inRange;
};
constexpr size_t kLookups =
    256;  // to make before the first copy: copies alone wait less for memory

// Copies elements and grows the output as needed. Packed outputs arrive in address order, so their
// elements are appended.
void copyLine(std::vector<uint8_t>& output, const Line& to, const std::vector<uint8_t>& input,
              const Line& from, uint32_t width, uint64_t length) {
  const uint64_t end = (to.offset + (length - 1) * to.stride + 1) * width;
  if (to.stride == 1 && from.stride == 1 && output.size() == to.offset * width) {
    const auto first = input.begin() + static_cast<ptrdiff_t>(from.offset * width);
    output.insert(output.end(), first, first + static_cast<ptrdiff_t>(length * width));
    return;
  }
  if (output.size() < end) output.resize(end, 0);
  for (uint64_t i = 0; i < length; ++i) {
    const uint64_t bits = loadBits(input, (from.offset + i * from.stride) * width, width);
    storeBits(output, (to.offset + i * to.stride) * width, width, bits);
  }
}

void setLine(std::span<ByteStatus> elements, const Line& line, uint64_t length, ByteStatus status) {
  if (line.stride == 1) {
    std::ranges::fill(elements.subspan(line.offset, length), status);
    return;
  }
  for (uint64_t i = 0; i < length; ++i) elements[line.offset + i * line.stride] = status;
}

}  // namespace

std::vector<uint32_t> gatherOutputSizes(const Gather& op) {
  std::vector<uint32_t> sizes(op.indices.sizes.end() - static_cast<ptrdiff_t>(op.indicesRank),
                              op.indices.sizes.end() - 1);
  sizes.insert(sizes.end(), op.input.sizes.end() - static_cast<ptrdiff_t>(op.blockRank()),
               op.input.sizes.end());
  sizes.insert(sizes.begin(), op.output.sizes.size() - sizes.size(), 1);
  return sizes;
}

void requireGatherTypes(Checker& checker, std::string_view below, std::string_view from,
                        const TensorDesc& input) {
  const auto message = [&] { return "InputTensor is of " + std::string(info(input.type).dmlName); };
  const bool documented = isDocumentedDataType(input.type);
  checker.require(below, documented, message);
  checker.require(from,
                  documented || input.type == DataType::Float64 || input.type == DataType::Int64 ||
                      input.type == DataType::UInt64,
                  message);
}

void requireGather(Checker& checker, std::string_view name, const Gather& op) {
  const auto require = [&](std::string_view rule, bool kept, const auto& message) {
    return kept || checker.require(std::string(name) + "." + std::string(rule), kept, message);
  };
  const auto type = [](const TensorDesc& tensor) { return std::string(info(tensor.type).dmlName); };
  require("output-type", op.output.type == op.input.type, [&] {
    return "OutputTensor is of " + type(op.output) + ", InputTensor of " + type(op.input);
  });

  const size_t inputCount = op.input.sizes.size();
  const size_t indicesCount = op.indices.sizes.size();
  const size_t outputCount = op.output.sizes.size();
  require("dimension-counts", inputCount == indicesCount && inputCount == outputCount, [&] {
    return "DimensionCount is " + std::to_string(inputCount) + " for InputTensor, " +
           std::to_string(indicesCount) + " for IndicesTensor, " + std::to_string(outputCount) +
           " for OutputTensor";
  });
  const bool inputRankKept =
      require("input-dimension-count", op.inputRank >= 1 && op.inputRank <= inputCount, [&] {
        return "InputDimensionCount is " + std::to_string(op.inputRank) + ", outside 1 to " +
               std::to_string(inputCount);
      });
  const bool indicesRankKept = require(
      "indices-dimension-count", op.indicesRank >= 1 && op.indicesRank <= indicesCount, [&] {
        return "IndicesDimensionCount is " + std::to_string(op.indicesRank) + ", outside 1 to " +
               std::to_string(indicesCount);
      });
  if (inputRankKept) {
    require("input-leading-ones", leadingOnes(op.input.sizes, op.inputRank), [&] {
      return "InputTensor.Sizes " + braced(op.input.sizes) + " are not 1 in front of the last " +
             std::to_string(op.inputRank);
    });
  }
  if (indicesRankKept) {
    require("indices-leading-ones", leadingOnes(op.indices.sizes, op.indicesRank), [&] {
      return "IndicesTensor.Sizes " + braced(op.indices.sizes) +
             " are not 1 in front of the last " + std::to_string(op.indicesRank);
    });
  }
  if (!inputRankKept || !indicesRankKept) return;

  // GATHER_ND has no such rules: with a batchRank of 0 it never breaks them.
  if (!require("batch-dimension-count", op.batchRank == 0 || op.batchRank < inputCount, [&] {
        return "BatchDimensionCount is " + std::to_string(op.batchRank) +
               ", not less than the DimensionCount " + std::to_string(inputCount);
      })) {
    return;
  }
  if (!require("batch-dimension-count-meaningful",
               op.batchRank < op.inputRank && op.batchRank < op.indicesRank, [&] {
                 return "BatchDimensionCount is " + std::to_string(op.batchRank) +
                        ", not less than InputDimensionCount " + std::to_string(op.inputRank) +
                        " and IndicesDimensionCount " + std::to_string(op.indicesRank);
               })) {
    return;
  }
  const auto inputBatches = op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputRank);
  const auto indicesBatches = op.indices.sizes.end() - static_cast<ptrdiff_t>(op.indicesRank);
  require(
      "batch-sizes",
      std::equal(inputBatches, inputBatches + static_cast<ptrdiff_t>(op.batchRank), indicesBatches),
      [&] {
        return "the first " + std::to_string(op.batchRank) +
               " meaningful sizes differ: InputTensor.Sizes " + braced(op.input.sizes) +
               ", IndicesTensor.Sizes " + braced(op.indices.sizes);
      });

  // The next rules use the tuple size, which needs valid dimension counts.
  if (!require("tuple-size", op.tupleSize() <= inputCount, [&] {
        return "index tuples have " + counted(op.tupleSize(), "coordinate") + ", InputTensor has " +
               counted(inputCount, "dimension");
      })) {
    return;
  }
  if (!require("tuple-size-meaningful", op.tupleSize() <= op.inputRank - op.batchRank, [&] {
        return "index tuples have " + counted(op.tupleSize(), "coordinate") +
               ", InputDimensionCount is " + std::to_string(op.inputRank) +
               (op.batchRank > 0 ? ", BatchDimensionCount " + std::to_string(op.batchRank) : "");
      })) {
    return;
  }
  const size_t needed = op.indicesRank - 1 + op.blockRank();
  if (!require("output-rank", needed <= outputCount, [&] {
        return "the output needs " + counted(needed, "dimension") + ", OutputTensor has " +
               std::to_string(outputCount);
      })) {
    return;
  }
  const std::vector<uint32_t> sizes = gatherOutputSizes(op);
  require("output-sizes", op.output.sizes == sizes, [&] {
    return "OutputTensor.Sizes are " + braced(op.output.sizes) + ", not " + braced(sizes);
  });
}

std::vector<ReferenceOutput> evaluateGather(const Gather& op,
                                            std::span<const std::vector<uint8_t>> inputs) {
  const std::vector<uint8_t>& inputBytes = inputs[0];
  const std::vector<uint8_t>& indexBytes = inputs[1];
  const uint32_t width = info(op.input.type).bytes;
  const uint32_t indexWidth = info(op.indices.type).bytes;
  const std::vector<uint64_t> inputStrides = elementStrides(op.input).value();
  const std::vector<uint64_t> indexStrides = elementStrides(op.indices).value();
  const std::vector<uint64_t> outputStrides = elementStrides(op.output).value();

  const size_t rank = op.output.sizes.size();
  const size_t tupleArrayRank = op.indicesRank - 1;
  const size_t firstBlockAxis = rank - op.blockRank();            // in the input and the output
  const size_t firstTupleAxis = firstBlockAxis - tupleArrayRank;  // in the output
  const size_t firstIndexAxis = rank - op.indicesRank;            // in the indices
  const size_t firstInputAxis = rank - op.inputRank;              // in the input

  // A line runs along a block's last dimension; a block without dimensions is one element.
  const size_t lineRank = std::min<size_t>(op.blockRank(), 1);
  const uint64_t lineLength = lineRank == 1 ? op.output.sizes.back() : 1;
  const size_t linesRank = op.blockRank() - lineRank;
  const std::span<const uint32_t> sizes(op.output.sizes);
  const std::span<const uint64_t> strides(outputStrides);

  ReferenceOutput output;
  output.bytes.reserve(op.output.totalBytes);
  output.status = ByteStatuses(op.output.totalBytes, width);

  // output[tuple array coordinates, block coordinates] = input[batch, tuple, block coordinates].
  // The batch is the leading part of the tuple array coordinates.
  ElementWalk tuples(sizes.first(firstBlockAxis), strides.first(firstBlockAxis));
  ElementWalk lines(sizes.subspan(firstBlockAxis, linesRank),
                    strides.subspan(firstBlockAxis, linesRank));  // at its first after its last
  std::vector<Lookup> lookups;
  const auto copyAll = [&] {
    for (const auto& [to, from, inRange] : lookups) {
      if (inRange) copyLine(output.bytes, to, inputBytes, from, width, lineLength);
    }
    for (const auto& [to, from, inRange] : lookups) {
      setLine(output.status.elements(), to, lineLength,
              inRange ? ByteStatus::Defined : ByteStatus::Undefined);
    }
    lookups.clear();
  };
  do {
    uint64_t indexOffset = 0;
    for (size_t i = 0; i < tupleArrayRank; ++i) {
      indexOffset += tuples.coordinate()[firstTupleAxis + i] * indexStrides[firstIndexAxis + i];
    }
    uint64_t blockOffset = 0;  // in the input
    for (size_t i = 0; i < op.batchRank; ++i) {
      blockOffset += tuples.coordinate()[firstTupleAxis + i] * inputStrides[firstInputAxis + i];
    }
    bool inRange = true;
    for (size_t i = 0; i < op.tupleSize(); ++i) {
      const size_t axis = firstInputAxis + op.batchRank + i;
      const uint64_t at = indexOffset + i * indexStrides.back();
      const uint64_t bits = loadBits(indexBytes, at * indexWidth, indexWidth);
      const auto coordinate = resolveIndex(op.indices.type, bits, op.input.sizes[axis]);
      inRange = inRange && coordinate;
      blockOffset += coordinate.value_or(0) * inputStrides[axis];
    }
    do {
      Line from{blockOffset, inputStrides.back()};
      for (size_t i = 0; i < linesRank; ++i) {
        from.offset += lines.coordinate()[i] * inputStrides[firstBlockAxis + i];
      }
      const Line to{tuples.offset() + lines.offset(), outputStrides.back()};
      lookups.push_back({to, from, inRange});
      if (lookups.size() == kLookups) copyAll();
    } while (lines.next());
  } while (tuples.next());
  copyAll();

  output.bytes.resize(op.output.totalBytes, 0);
  std::vector<ReferenceOutput> outputs;  // an initializer list would copy
  outputs.push_back(std::move(output));
  return outputs;
}

namespace {

uint64_t productOf(std::span<const uint32_t> sizes) {
  uint64_t product = 1;
  for (uint32_t size : sizes) product *= size;
  return product;
}

// Works on row-major element indices alone. The output is a list of tuples, each with its block;
// the indices are the tuples' coordinates. The input is a list of batches, each with the positions
// that a tuple can name and a block for each.
class GatherStream : public OutputStream {
 public:
  GatherStream(const Gather& op, std::vector<InputElements> inputs)
      : indexType_(op.indices.type),
        outputType_(op.output.type),
        inputs_(std::move(inputs)),
        output_(op.output) {
    const std::span<const uint32_t> input(op.input.sizes);
    const auto meaningful = input.last(op.inputRank);
    const auto indexed = meaningful.subspan(op.batchRank, op.tupleSize());
    indexed_.assign(indexed.begin(), indexed.end());
    positions_ = productOf(indexed);
    block_ = productOf(meaningful.last(op.blockRank()));
    const auto tuples = std::span(op.indices.sizes).last(op.indicesRank).first(op.indicesRank - 1);
    tuplesOfBatch_ = productOf(tuples.subspan(op.batchRank));
  }

  ReferenceOutput part(size_t, uint64_t first, uint64_t count) const override {
    const uint32_t width = info(outputType_).bytes;
    ReferenceOutput result{std::vector<uint8_t>(count), ByteStatuses(count, width)};
    std::vector<uint64_t> bits;
    output_.within(first / width, (first + count) / width, [&](const AddressRun& run) {
      for (uint64_t i = 0; i < run.count;) {
        const uint64_t element = run.element + i * run.step;
        const uint64_t tuple = element / block_;
        const uint64_t inBlock = element % block_;
        // Limits the run to this block.
        const uint64_t length = std::min(run.count - i, (block_ - inBlock - 1) / run.step + 1);
        const auto start = blockOf(tuple);
        if (start) {
          bits.resize(run.step == 1 ? length : 1);
          if (run.step == 1) inputs_[0](*start + inBlock, bits);
        }
        for (uint64_t j = 0; j < length; ++j) {
          const uint64_t at = run.address + (i + j) * run.stride - first / width;
          if (start && run.step != 1) inputs_[0](*start + inBlock + j * run.step, bits);
          if (start) storeBits(result.bytes, at * width, width, bits[run.step == 1 ? j : 0]);
          result.status.elements()[at] = start ? ByteStatus::Defined : ByteStatus::Undefined;
        }
        i += length;
      }
    });
    return result;
  }

 private:
  // Returns the input element where the tuple's block begins; empty if an index is out of range.
  std::optional<uint64_t> blockOf(uint64_t tuple) const {
    std::array<uint64_t, 8> indices;
    const std::span<uint64_t> own(indices.data(), indexed_.size());
    inputs_[1](tuple * indexed_.size(), own);
    uint64_t position = 0;
    for (size_t i = 0; i < indexed_.size(); ++i) {
      const auto coordinate = resolveIndex(indexType_, own[i], indexed_[i]);
      if (!coordinate) return std::nullopt;
      position = position * indexed_[i] + *coordinate;
    }
    return (tuple / tuplesOfBatch_ * positions_ + position) * block_;
  }

  DataType indexType_;
  DataType outputType_;
  std::vector<InputElements> inputs_;
  AddressRuns output_;
  std::vector<uint32_t> indexed_;  // sizes of the dimensions that a tuple indexes
  uint64_t positions_;             // their product
  uint64_t block_;                 // elements
  uint64_t tuplesOfBatch_;
};

}  // namespace

std::unique_ptr<OutputStream> streamGather(const Gather& op, std::vector<InputElements> inputs) {
  return std::make_unique<GatherStream>(op, std::move(inputs));
}

}  // namespace dmlcts
