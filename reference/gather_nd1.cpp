#include "reference/gather_nd1.h"

#include <array>
#include <string>

#include "reference/gather.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "gather_nd1.available",
         .wording = "The operator exists from level 3.0 on.",
         .source = "GATHER_ND1, Availability",
         .through = Level::L2_1},
    Rule{.id = "gather_nd1.rank",
         .wording = "Every tensor has 1 to 8 dimensions.",
         .source = "GATHER_ND1, Tensor support"},
    Rule{.id = "gather_nd1.data-types-3.0",
         .wording = "Below level 4.1 InputTensor and OutputTensor are of FLOAT32, FLOAT16, INT32, "
                    "INT16, INT8, UINT32, UINT16 or UINT8.",
         .source = "GATHER_ND1, Tensor support, 3.0",
         .through = Level::L4_0},
    Rule{.id = "gather_nd1.data-types",
         .wording = "From level 4.1 on InputTensor and OutputTensor may also be of FLOAT64, INT64 "
                    "or UINT64.",
         .source = "GATHER_ND1, Tensor support, 4.1",
         .from = Level::L4_1},
    Rule{.id = "gather_nd1.index-types",
         .wording = "IndicesTensor is of INT64, INT32, UINT64 or UINT32.",
         .source = "GATHER_ND1, Tensor support"},
    Rule{.id = "gather_nd1.output-type",
         .wording = "OutputTensor has the data type of InputTensor.",
         .source = "GATHER_ND1, Tensor constraints"},
    Rule{.id = "gather_nd1.dimension-counts",
         .wording = "The three tensors have the same DimensionCount.",
         .source = "GATHER_ND1, Tensor constraints"},
    Rule{.id = "gather_nd1.input-dimension-count",
         .wording = "InputDimensionCount is at least 1 and at most InputTensor's DimensionCount.",
         .source = "GATHER_ND1, InputDimensionCount"},
    Rule{.id = "gather_nd1.indices-dimension-count",
         .wording = "IndicesDimensionCount is at least 1 and at most IndicesTensor's "
                    "DimensionCount.",
         .source = "GATHER_ND1, IndicesDimensionCount"},
    Rule{.id = "gather_nd1.input-leading-ones",
         .wording = "The sizes of InputTensor in front of its last InputDimensionCount are 1.",
         .source = "GATHER_ND1, InputDimensionCount"},
    Rule{.id = "gather_nd1.indices-leading-ones",
         .wording = "The sizes of IndicesTensor in front of its last IndicesDimensionCount are 1.",
         .source = "GATHER_ND1, IndicesDimensionCount"},
    Rule{.id = "gather_nd1.batch-dimension-count",
         .wording = "BatchDimensionCount is less than InputDimensionCount and less than "
                    "IndicesDimensionCount.",
         .source = "DirectMLX, GatherND",
         .note = "The page asks only for less than DimensionCount. Without an indexed dimension "
                 "behind the batches there is nothing that a tuple could select from; DirectMLX "
                 "and ONNX's GatherND ask for what this rule says."},
    Rule{.id = "gather_nd1.batch-sizes",
         .wording = "Where InputTensor and IndicesTensor differ in the sizes of their batch "
                    "dimensions, the first BatchDimensionCount of the meaningful ones, nothing is "
                    "promised.",
         .source = "ONNX, GatherND, batch_dims",
         .checked = Checked::NotAtAll,
         .note =
             "ONNX asks for equal sizes, the page says nothing. Neither accepting nor rejecting "
             "such a descriptor is wrong, so no case has one; DirectML 1.15.4 accepts it."},
    Rule{.id = "gather_nd1.tuple-size",
         .wording = "An index tuple, the last dimension of IndicesTensor, has at most "
                    "InputDimensionCount less BatchDimensionCount coordinates.",
         .source = "GATHER_ND1, IndicesTensor; DirectMLX, GatherND",
         .note = "The page's example for BatchDimensionCount has a tuple longer than that: an "
                 "erratum."},
    Rule{.id = "gather_nd1.output-rank",
         .wording = "The tuple array's dimensions and the selected block's dimensions together "
                    "fit OutputTensor's DimensionCount.",
         .source = "GATHER_ND1, OutputTensor"},
    Rule{.id = "gather_nd1.output-sizes",
         .wording = "OutputTensor's sizes are the meaningful IndicesTensor sizes without the "
                    "last, then the meaningful InputTensor sizes behind the batch dimensions and "
                    "those that a tuple indexes, right-aligned behind 1s.",
         .source = "GATHER_ND1, OutputTensor",
         .note = "The page prints the same wrong second slice as GATHER_ND's."},
    Rule{.id = "gather_nd1.gather",
         .wording = "An output element is the input element in the same batch, at the coordinates "
                    "of its index tuple, followed by its own coordinates within the block.",
         .source = "GATHER_ND1, description and example",
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd1.bit-exact",
         .wording = "Elements are moved, not computed: every bit pattern arrives unchanged, NaN "
                    "payloads, denormals and negative zero included.",
         .source = "GATHER_ND1, description",
         .checked = Checked::ByExecuting,
         .note = "As for GATHER_ND."},
    Rule{.id = "gather_nd1.negative-indices",
         .wording = "A negative index in a signed IndicesTensor counts from the end of the "
                    "dimension that it indexes: -1 is the last element.",
         .source = "GATHER_ND1, IndicesTensor",
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd1.out-of-range",
         .wording = "What an index outside its dimension selects is undefined.",
         .source = "GATHER_ND1, by omission",
         .checked = Checked::NotAtAll,
         .note = "As for GATHER_ND."},
};

Gather gatherOf(const GatherNd1& op) {
  return {op.input,
          op.indices,
          op.output,
          op.inputDimensionCount,
          op.indicesDimensionCount,
          op.batchDimensionCount};
}

}  // namespace

std::span<const Rule> gatherNd1Rules() { return kRules; }

std::vector<uint32_t> gatherNd1OutputSizes(const GatherNd1& op) {
  return gatherOutputSizes(gatherOf(op));
}

std::vector<BrokenRule> checkGatherNd1(const GatherNd1& op, Level level) {
  Checker checker(level);
  if (!checker.require("gather_nd1.available", level >= Level::L3_0, [&] {
        return "level " + std::string(name(level)) + " does not have the operator";
      })) {
    return checker.takeBroken();
  }
  for (const TensorSlot& slot : op.tensors()) {
    checker.requireTensor(slot);
    const size_t rank = slot.desc->sizes.size();
    checker.require("gather_nd1.rank", rank >= 1 && rank <= 8, [&] {
      return std::string(slot.dmlName) + " has DimensionCount " + std::to_string(rank) +
             ", outside 1 to 8";
    });
  }
  const auto type = [](const TensorDesc& tensor) { return std::string(info(tensor.type).dmlName); };
  const bool documented = isDocumentedDataType(op.input.type);
  const bool wide = op.input.type == DataType::Float64 || op.input.type == DataType::Int64 ||
                    op.input.type == DataType::UInt64;
  checker.require("gather_nd1.data-types-3.0", documented, [&] {
    return "InputTensor is of " + type(op.input) + (wide ? ", which only level 4.1 brings" : "");
  });
  checker.require("gather_nd1.data-types", documented || wide,
                  [&] { return "InputTensor is of " + type(op.input); });
  checker.require("gather_nd1.index-types", isIndexType(op.indices.type),
                  [&] { return "IndicesTensor is of " + type(op.indices); });
  requireGather(checker, op.name, gatherOf(op));
  return checker.takeBroken();
}

std::vector<ExpectedOutput> evaluateGatherNd1(const GatherNd1& op,
                                              std::span<const std::vector<uint8_t>> inputs) {
  return evaluateGather(gatherOf(op), inputs);
}

}  // namespace dmlcts
