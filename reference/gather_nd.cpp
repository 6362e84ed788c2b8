#include "reference/gather_nd.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "reference/checker.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "gather_nd.available",
         .wording = "The operator exists from level 2.1 on.",
         .source = "GATHER_ND, Availability",
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd.rank-2.1",
         .wording = "At level 2.1 every tensor has exactly 4 dimensions.",
         .source = "GATHER_ND, Tensor support, 2.1",
         .through = Level::L2_1},
    Rule{.id = "gather_nd.rank",
         .wording = "From level 3.0 on every tensor has 1 to 8 dimensions.",
         .source = "GATHER_ND, Tensor support, 3.0",
         .from = Level::L3_0},
    Rule{.id = "gather_nd.data-types",
         .wording = "InputTensor and OutputTensor are of FLOAT32, FLOAT16, INT32, INT16, INT8, "
                    "UINT32, UINT16 or UINT8.",
         .source = "GATHER_ND, Tensor support"},
    Rule{.id = "gather_nd.index-types-2.1",
         .wording = "At level 2.1 IndicesTensor is of UINT32.",
         .source = "GATHER_ND, Tensor support, 2.1",
         .through = Level::L2_1},
    Rule{.id = "gather_nd.index-types",
         .wording = "From level 3.0 on IndicesTensor is of INT64, INT32, UINT64 or UINT32.",
         .source = "GATHER_ND, Tensor support, 3.0",
         .from = Level::L3_0},
    Rule{.id = "gather_nd.output-type",
         .wording = "OutputTensor has the data type of InputTensor.",
         .source = "GATHER_ND, Tensor constraints"},
    Rule{.id = "gather_nd.dimension-counts",
         .wording = "The three tensors have the same DimensionCount.",
         .source = "GATHER_ND, Tensor constraints"},
    Rule{.id = "gather_nd.input-dimension-count",
         .wording = "InputDimensionCount is at least 1 and at most InputTensor's DimensionCount.",
         .source = "GATHER_ND, InputDimensionCount"},
    Rule{.id = "gather_nd.indices-dimension-count",
         .wording = "IndicesDimensionCount is at least 1 and at most IndicesTensor's "
                    "DimensionCount.",
         .source = "GATHER_ND, IndicesDimensionCount"},
    Rule{.id = "gather_nd.input-leading-ones",
         .wording = "The sizes of InputTensor in front of its last InputDimensionCount are 1.",
         .source = "GATHER_ND, InputDimensionCount"},
    Rule{.id = "gather_nd.indices-leading-ones",
         .wording = "The sizes of IndicesTensor in front of its last IndicesDimensionCount are 1.",
         .source = "GATHER_ND, IndicesDimensionCount"},
    Rule{.id = "gather_nd.tuple-size",
         .wording = "An index tuple, the last dimension of IndicesTensor, has at most "
                    "InputDimensionCount coordinates.",
         .source = "GATHER_ND, IndicesTensor",
         .note = "The text bounds it by InputTensor's DimensionCount; the dimensions that a tuple "
                 "can index are the meaningful ones, so InputDimensionCount is the bound."},
    Rule{.id = "gather_nd.output-rank",
         .wording = "The tuple array's dimensions and the selected block's dimensions together "
                    "fit OutputTensor's DimensionCount.",
         .source = "GATHER_ND, OutputTensor"},
    Rule{.id = "gather_nd.output-sizes",
         .wording = "OutputTensor's sizes are the meaningful IndicesTensor sizes without the "
                    "last, then the meaningful InputTensor sizes behind the first tuple-size "
                    "ones, right-aligned behind 1s.",
         .source = "GATHER_ND, OutputTensor, worked example",
         .note = "The formula beside the example ends the first slice one dimension too late and "
                 "starts the second at the wrong one unless the tuple covers half of the input; "
                 "read literally it contradicts the example. We take the example as the rule and "
                 "the formula as an erratum."},
    Rule{.id = "gather_nd.gather",
         .wording = "An output element is the input element at the coordinates of its index "
                    "tuple, followed by its own coordinates within the block.",
         .source = "GATHER_ND, description and examples",
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd.bit-exact",
         .wording = "Elements are moved, not computed: every bit pattern arrives unchanged, NaN "
                    "payloads, denormals and negative zero included.",
         .source = "GATHER_ND, pseudocode",
         .checked = Checked::ByExecuting,
         .note = "The document says assignment; an assignment that changed bits would be an "
                 "arithmetic operation."},
    Rule{.id = "gather_nd.negative-indices",
         .wording = "From level 3.0 on a negative index in a signed IndicesTensor counts from the "
                    "end of its dimension: -1 is the last element.",
         .source = "GATHER_ND, IndicesTensor",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "At 2.1 there is no signed index type."},
    Rule{.id = "gather_nd.out-of-range",
         .wording = "What an index outside its dimension selects is undefined.",
         .source = "GATHER_ND, by omission",
         .checked = Checked::NotAtAll,
         .note = "Never in a conformance case; fuzzing asks only that the device survives and "
                 "nothing outside the output is written."},
};

// The parts of a valid descriptor, in the document's terms.
struct Shape {
  size_t inputRank;    // InputDimensionCount
  size_t indicesRank;  // IndicesDimensionCount
  size_t tupleSize;
  size_t blockRank() const { return inputRank - tupleSize; }
};

Shape shapeOf(const GatherNd& op) {
  return {op.inputDimensionCount, op.indicesDimensionCount, op.indices.sizes.back()};
}

bool leadingOnes(const std::vector<uint32_t>& sizes, size_t meaningful) {
  return std::all_of(sizes.begin(), sizes.end() - static_cast<ptrdiff_t>(meaningful),
                     [](uint32_t size) { return size == 1; });
}

// The coordinate that an index with these bits means in a dimension of `size`; nothing when it is
// out of range.
std::optional<uint64_t> resolveIndex(DataType type, uint64_t bits, uint64_t size) {
  if (!info(type).isSigned) return bits < size ? std::optional(bits) : std::nullopt;
  const int64_t index = type == DataType::Int32 ? static_cast<int32_t>(static_cast<uint32_t>(bits))
                                                : static_cast<int64_t>(bits);
  const int64_t fromStart = index < 0 ? index + static_cast<int64_t>(size) : index;
  if (fromStart < 0 || fromStart >= static_cast<int64_t>(size)) return std::nullopt;
  return static_cast<uint64_t>(fromStart);
}

// Elements of a tensor that are `stride` elements apart.
struct Line {
  uint64_t offset;  // of the first, in elements
  uint64_t stride;
};

// Copies elements, making the output as long as they need it. Those of a packed output come in the
// order of their addresses and are appended.
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

std::span<const Rule> gatherNdRules() { return kRules; }

std::vector<uint32_t> gatherNdOutputSizes(const GatherNd& op) {
  const Shape shape = shapeOf(op);
  std::vector<uint32_t> sizes(op.indices.sizes.end() - static_cast<ptrdiff_t>(shape.indicesRank),
                              op.indices.sizes.end() - 1);
  sizes.insert(sizes.end(), op.input.sizes.end() - static_cast<ptrdiff_t>(shape.blockRank()),
               op.input.sizes.end());
  sizes.insert(sizes.begin(), op.output.sizes.size() - sizes.size(), 1);
  return sizes;
}

std::vector<BrokenRule> checkGatherNd(const GatherNd& op, Level level) {
  Checker checker(level);
  for (const TensorSlot& slot : tensors(op)) {
    checker.requireTensor(slot);
    const size_t rank = slot.desc->sizes.size();
    const auto has = [&] {
      return std::string(slot.dmlName) + " has DimensionCount " + std::to_string(rank);
    };
    checker.require("gather_nd.rank-2.1", rank == 4,
                    [&] { return has() + ", level 2.1 has only 4"; });
    checker.require("gather_nd.rank", rank >= 1 && rank <= 8,
                    [&] { return has() + ", outside 1 to 8"; });
  }

  const auto type = [](const TensorDesc& tensor) { return std::string(info(tensor.type).dmlName); };
  checker.require("gather_nd.data-types", isDocumentedDataType(op.input.type),
                  [&] { return "InputTensor is of " + type(op.input); });
  checker.require("gather_nd.index-types-2.1", op.indices.type == DataType::UInt32, [&] {
    return "IndicesTensor is of " + type(op.indices) + ", level 2.1 has only UINT32";
  });
  checker.require("gather_nd.index-types",
                  op.indices.type == DataType::Int64 || op.indices.type == DataType::Int32 ||
                      op.indices.type == DataType::UInt64 || op.indices.type == DataType::UInt32,
                  [&] { return "IndicesTensor is of " + type(op.indices); });
  checker.require("gather_nd.output-type", op.output.type == op.input.type, [&] {
    return "OutputTensor is of " + type(op.output) + ", InputTensor of " + type(op.input);
  });

  const size_t inputCount = op.input.sizes.size();
  const size_t indicesCount = op.indices.sizes.size();
  const size_t outputCount = op.output.sizes.size();
  checker.require(
      "gather_nd.dimension-counts", inputCount == indicesCount && inputCount == outputCount, [&] {
        return "DimensionCount is " + std::to_string(inputCount) + " for InputTensor, " +
               std::to_string(indicesCount) + " for IndicesTensor, " + std::to_string(outputCount) +
               " for OutputTensor";
      });

  const bool inputRankKept =
      checker.require("gather_nd.input-dimension-count",
                      op.inputDimensionCount >= 1 && op.inputDimensionCount <= inputCount, [&] {
                        return "InputDimensionCount is " + std::to_string(op.inputDimensionCount) +
                               ", outside 1 to " + std::to_string(inputCount);
                      });
  const bool indicesRankKept = checker.require(
      "gather_nd.indices-dimension-count",
      op.indicesDimensionCount >= 1 && op.indicesDimensionCount <= indicesCount, [&] {
        return "IndicesDimensionCount is " + std::to_string(op.indicesDimensionCount) +
               ", outside 1 to " + std::to_string(indicesCount);
      });
  if (inputRankKept) {
    checker.require(
        "gather_nd.input-leading-ones", leadingOnes(op.input.sizes, op.inputDimensionCount), [&] {
          return "InputTensor.Sizes " + braced(op.input.sizes) +
                 " are not 1 in front of the last " + std::to_string(op.inputDimensionCount);
        });
  }
  if (indicesRankKept) {
    checker.require("gather_nd.indices-leading-ones",
                    leadingOnes(op.indices.sizes, op.indicesDimensionCount), [&] {
                      return "IndicesTensor.Sizes " + braced(op.indices.sizes) +
                             " are not 1 in front of the last " +
                             std::to_string(op.indicesDimensionCount);
                    });
  }
  if (!inputRankKept || !indicesRankKept) return checker.takeBroken();

  // What follows speaks of the tuple size, so it needs both dimension counts.
  const Shape shape = shapeOf(op);
  if (!checker.require("gather_nd.tuple-size", shape.tupleSize <= shape.inputRank, [&] {
        return "index tuples have " + std::to_string(shape.tupleSize) +
               " coordinates, InputDimensionCount is " + std::to_string(shape.inputRank);
      })) {
    return checker.takeBroken();
  }
  const size_t needed = shape.indicesRank - 1 + shape.blockRank();
  if (!checker.require("gather_nd.output-rank", needed <= outputCount, [&] {
        return "the output needs " + std::to_string(needed) + " dimensions, OutputTensor has " +
               std::to_string(outputCount);
      })) {
    return checker.takeBroken();
  }
  const std::vector<uint32_t> sizes = gatherNdOutputSizes(op);
  checker.require("gather_nd.output-sizes", op.output.sizes == sizes, [&] {
    return "OutputTensor.Sizes are " + braced(op.output.sizes) + ", not " + braced(sizes);
  });
  return checker.takeBroken();
}

std::vector<ExpectedOutput> evaluateGatherNd(const GatherNd& op,
                                             std::span<const std::vector<uint8_t>> inputs) {
  const std::vector<uint8_t>& inputBytes = inputs[0];
  const std::vector<uint8_t>& indexBytes = inputs[1];
  const uint32_t width = info(op.input.type).bytes;
  const uint32_t indexWidth = info(op.indices.type).bytes;
  const std::vector<uint64_t> inputStrides = elementStrides(op.input).value();
  const std::vector<uint64_t> indexStrides = elementStrides(op.indices).value();
  const std::vector<uint64_t> outputStrides = elementStrides(op.output).value();

  const Shape shape = shapeOf(op);
  const size_t rank = op.output.sizes.size();
  const size_t tupleArrayRank = shape.indicesRank - 1;
  const size_t firstBlockAxis = rank - shape.blockRank();         // in the input and the output
  const size_t firstTupleAxis = firstBlockAxis - tupleArrayRank;  // in the output
  const size_t firstIndexAxis = rank - shape.indicesRank;         // in the indices
  const size_t firstInputAxis = rank - shape.inputRank;           // in the input

  // A line is what lies along a block's last dimension; a block without dimensions is one element.
  const size_t lineRank = std::min<size_t>(shape.blockRank(), 1);
  const uint64_t lineLength = lineRank == 1 ? op.output.sizes.back() : 1;
  const size_t linesRank = shape.blockRank() - lineRank;
  const std::span<const uint32_t> sizes(op.output.sizes);
  const std::span<const uint64_t> strides(outputStrides);

  ExpectedOutput output;
  output.bytes.reserve(op.output.totalBytes);
  output.status = ByteStatuses(op.output.totalBytes, width);

  // output[tuple array coordinates, block coordinates] = input[tuple, block coordinates]
  ElementWalk tuples(sizes.first(firstBlockAxis), strides.first(firstBlockAxis));
  do {
    uint64_t indexOffset = 0;
    for (size_t i = 0; i < tupleArrayRank; ++i) {
      indexOffset += tuples.coordinate()[firstTupleAxis + i] * indexStrides[firstIndexAxis + i];
    }
    uint64_t blockOffset = 0;  // in the input
    bool inRange = true;
    for (size_t i = 0; i < shape.tupleSize; ++i) {
      const uint64_t at = indexOffset + i * indexStrides.back();
      const uint64_t bits = loadBits(indexBytes, at * indexWidth, indexWidth);
      const auto coordinate =
          resolveIndex(op.indices.type, bits, op.input.sizes[firstInputAxis + i]);
      inRange = inRange && coordinate;
      blockOffset += coordinate.value_or(0) * inputStrides[firstInputAxis + i];
    }
    ElementWalk lines(sizes.subspan(firstBlockAxis, linesRank),
                      strides.subspan(firstBlockAxis, linesRank));
    do {
      Line from{blockOffset, inputStrides.back()};
      for (size_t i = 0; i < linesRank; ++i) {
        from.offset += lines.coordinate()[i] * inputStrides[firstBlockAxis + i];
      }
      const Line to{tuples.offset() + lines.offset(), outputStrides.back()};
      if (inRange) copyLine(output.bytes, to, inputBytes, from, width, lineLength);
      setLine(output.status.elements(), to, lineLength,
              inRange ? ByteStatus::Defined : ByteStatus::Undefined);
    } while (lines.next());
  } while (tuples.next());

  output.bytes.resize(op.output.totalBytes, 0);
  std::vector<ExpectedOutput> outputs;  // not from a list, which would copy
  outputs.push_back(std::move(output));
  return outputs;
}

}  // namespace dmlcts
