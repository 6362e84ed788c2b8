#include "reference/operators/gather_nd1.h"

#include <array>
#include <string>

#include "reference/operators/gather.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "gather_nd1.available",
         .wording = "The operator exists from level 3.0 on.",
         .source = "GATHER_ND1, Availability",
         .through = Level::L2_1},
    Rule{.id = "gather_nd1.rank",
         .wording = "Every tensor has 1 to 8 dimensions.",
         .source = "GATHER_ND1, Tensor support",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.data-types-3.0",
         .wording = "Below level 4.1 InputTensor and OutputTensor are of FLOAT32, FLOAT16, INT32, "
                    "INT16, INT8, UINT32, UINT16 or UINT8.",
         .source = "GATHER_ND1, Tensor support, 3.0",
         .from = Level::L3_0,
         .through = Level::L4_0},
    Rule{.id = "gather_nd1.data-types",
         .wording = "From level 4.1 on InputTensor and OutputTensor may also be of FLOAT64, INT64 "
                    "or UINT64.",
         .source = "GATHER_ND1, Tensor support, 4.1",
         .from = Level::L4_1},
    Rule{.id = "gather_nd1.index-types",
         .wording = "IndicesTensor is of INT64, INT32, UINT64 or UINT32.",
         .source = "GATHER_ND1, Tensor support",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.output-type",
         .wording = "OutputTensor has the data type of InputTensor.",
         .source = "GATHER_ND1, Tensor constraints",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.dimension-counts",
         .wording = "The three tensors have the same DimensionCount.",
         .source = "GATHER_ND1, Tensor constraints",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.input-dimension-count",
         .wording = "InputDimensionCount is at least 1 and at most InputTensor's DimensionCount.",
         .source = "GATHER_ND1, InputDimensionCount",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.indices-dimension-count",
         .wording = "IndicesDimensionCount is at least 1 and at most IndicesTensor's "
                    "DimensionCount.",
         .source = "GATHER_ND1, IndicesDimensionCount",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.input-leading-ones",
         .wording = "The sizes of InputTensor in front of its last InputDimensionCount are 1.",
         .source = "GATHER_ND1, InputDimensionCount",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .note = "As for GATHER_ND."},
    Rule{.id = "gather_nd1.indices-leading-ones",
         .wording = "The sizes of IndicesTensor in front of its last IndicesDimensionCount are 1.",
         .source = "GATHER_ND1, IndicesDimensionCount",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .note = "As for GATHER_ND."},
    Rule{.id = "gather_nd1.batch-dimension-count",
         .wording = "BatchDimensionCount is less than the DimensionCount.",
         .source = "GATHER_ND1, BatchDimensionCount",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.batch-dimension-count-meaningful",
         .wording = "BatchDimensionCount is less than InputDimensionCount and less than "
                    "IndicesDimensionCount.",
         .source = "DirectMLX, GatherND; ONNX, GatherND",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .note = "The page asks only for less than the DimensionCount. Without an indexed "
                 "dimension behind the batches there is nothing that a tuple could select from."},
    Rule{.id = "gather_nd1.batch-sizes",
         .wording = "Where InputTensor and IndicesTensor differ in the sizes of their batch "
                    "dimensions, the first BatchDimensionCount of the meaningful ones, nothing is "
                    "promised.",
         .source = "GATHER_ND1, BatchDimensionCount; ONNX, GatherND, batch_dims",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .checked = Checked::NotAtAll,
         .note = "The page says that the batches are dimensions of each of the three tensors, "
                 "without a must; ONNX asks for equal sizes. Neither accepting nor rejecting such "
                 "a descriptor is wrong, so no case has one; DirectML 1.15.4 accepts it."},
    Rule{.id = "gather_nd1.tuple-size",
         .wording = "An index tuple, the last dimension of IndicesTensor, has at most as many "
                    "coordinates as InputTensor has dimensions.",
         .source = "GATHER_ND1, IndicesTensor",
         .from = Level::L3_0},
    Rule{.id = "gather_nd1.tuple-size-meaningful",
         .wording = "An index tuple has at most InputDimensionCount less BatchDimensionCount "
                    "coordinates.",
         .source = "GATHER_ND1, IndicesTensor; DirectMLX, GatherND; ONNX, GatherND",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .note = "As for GATHER_ND. The page's example for BatchDimensionCount has a tuple longer "
                 "than that: an erratum."},
    Rule{.id = "gather_nd1.output-rank",
         .wording = "The tuple array's dimensions and the selected block's dimensions together "
                    "fit OutputTensor's DimensionCount.",
         .source = "GATHER_ND1, OutputTensor",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .note = "As for GATHER_ND."},
    Rule{.id = "gather_nd1.output-sizes",
         .wording = "OutputTensor's sizes are the meaningful IndicesTensor sizes without the "
                    "last, then the meaningful InputTensor sizes behind the batch dimensions and "
                    "those that a tuple indexes, right-aligned behind 1s.",
         .source = "GATHER_ND1, OutputTensor, example 2; DirectMLX, GatherND",
         .from = Level::L3_0,
         .note = "The printed formula has GATHER_ND's slip and no batches: its second slice should "
                 "start at DimensionCount less InputDimensionCount plus BatchDimensionCount plus "
                 "tuple size."},
    Rule{.id = "gather_nd1.gather",
         .wording =
             "An output element is the input element in the same batch, at the coordinates of its "
             "index tuple, followed by its own coordinates within the block: moved, not computed.",
         .source = "GATHER_ND1, description and example",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd1.nan-payload",
         .wording = "NaNs arrive bit for bit.",
         .source = "GATHER_ND1, description (assignment)",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "Direct3D lets a raw move keep a NaN's bits; that a gather is one is implied."},
    Rule{.id = "gather_nd1.float32-denormals",
         .wording = "FLOAT32 denormals arrive as they are, not as zeros.",
         .source = "GATHER_ND1, description (assignment); Direct3D floating-point rules, 32-bit",
         .standing = Standing::Inferred,
         .from = Level::L3_0,
         .checked = Checked::ByExecuting,
         .note = "Direct3D flushes 32-bit denormals in arithmetic and exempts data movement; that "
                 "a gather is data movement is implied."},
    Rule{.id = "gather_nd1.negative-indices",
         .wording = "A negative index in a signed IndicesTensor counts from the end of the "
                    "dimension that it indexes: -1 is the last element.",
         .source = "GATHER_ND1, IndicesTensor",
         .from = Level::L3_0,
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd1.out-of-range",
         .wording = "What an index outside its dimension selects is undefined.",
         .source = "GATHER_ND1, by omission",
         .from = Level::L3_0,
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

std::vector<BrokenRule> checkGatherNd1(const GatherNd1& op, Level level) {
  Checker checker(level);
  if (!checker.require("gather_nd1.available", level >= Level::L3_0, [&] {
        return "level " + std::string(name(level)) + " does not have the operator";
      })) {
    return checker.takeBroken();
  }
  for (const TensorSlot& slot : tensorsOf(op)) {
    checker.requireTensor(slot);
    const size_t rank = slot.desc->sizes.size();
    checker.require("gather_nd1.rank", rank >= 1 && rank <= 8, [&] {
      return std::string(slot.dmlName) + " has DimensionCount " + std::to_string(rank) +
             ", outside 1 to 8";
    });
  }
  const auto type = [](const TensorDesc& tensor) { return std::string(info(tensor.type).dmlName); };
  requireGatherTypes(checker, "gather_nd1.data-types-3.0", "gather_nd1.data-types", op.input);
  checker.require("gather_nd1.index-types", isIndexType(op.indices.type),
                  [&] { return "IndicesTensor is of " + type(op.indices); });
  requireGather(checker, op.name, gatherOf(op));
  return checker.takeBroken();
}

std::vector<ReferenceOutput> evaluateGatherNd1(const GatherNd1& op,
                                               std::span<const std::vector<uint8_t>> inputs) {
  return evaluateGather(gatherOf(op), inputs);
}

std::unique_ptr<OutputStream> streamGatherNd1(const GatherNd1& op,
                                              std::vector<InputElements> inputs, const ForEach&) {
  return streamGather(gatherOf(op), std::move(inputs));
}

std::vector<std::string_view> explainGatherNd1(const GatherNd1& op, const Execution& execution) {
  return explainGather(op, gatherOf(op), execution);
}

}  // namespace dmlcts
