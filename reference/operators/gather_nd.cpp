#include "reference/operators/gather_nd.h"

#include <array>
#include <string>

#include "reference/operators/gather.h"

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
    Rule{.id = "gather_nd.data-types-2.1",
         .wording = "Below level 4.1 InputTensor and OutputTensor are of FLOAT32, FLOAT16, INT32, "
                    "INT16, INT8, UINT32, UINT16 or UINT8.",
         .source = "GATHER_ND, Tensor support, 2.1 and 3.0",
         .through = Level::L4_0},
    Rule{.id = "gather_nd.data-types",
         .wording = "From level 4.1 on InputTensor and OutputTensor may also be of FLOAT64, INT64 "
                    "or UINT64.",
         .source = "GATHER_ND, newer edition, Tensor support, 4.1; feature level history, 4.1",
         .from = Level::L4_1,
         .note = "The edition of 2021 ends at 3.0; the newer one governs 4.1 and above."},
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
         .source = "GATHER_ND, InputDimensionCount",
         .standing = Standing::Inferred,
         .note = "The page calls the dimensions in front irrelevant leading ones, without a must. "
                 "With other sizes the output would not be defined."},
    Rule{.id = "gather_nd.indices-leading-ones",
         .wording = "The sizes of IndicesTensor in front of its last IndicesDimensionCount are 1.",
         .source = "GATHER_ND, IndicesDimensionCount",
         .standing = Standing::Inferred,
         .note = "The page calls the dimensions in front irrelevant leading ones, without a must. "
                 "With other sizes the output would not be defined."},
    Rule{.id = "gather_nd.tuple-size",
         .wording = "An index tuple, the last dimension of IndicesTensor, has at most as many "
                    "coordinates as InputTensor has dimensions.",
         .source = "GATHER_ND, IndicesTensor"},
    Rule{.id = "gather_nd.tuple-size-meaningful",
         .wording = "An index tuple has at most InputDimensionCount coordinates.",
         .source = "GATHER_ND, IndicesTensor and OutputTensor; DirectMLX, GatherND; ONNX, GatherND",
         .standing = Standing::Inferred,
         .note = "The page's bound is the DimensionCount; but beyond InputDimensionCount the "
                 "output's sizes have no meaning. DirectMLX and ONNX have this bound. The page's "
                 "example for IndicesDimensionCount has a tuple longer than either: an erratum."},
    Rule{.id = "gather_nd.output-rank",
         .wording = "The tuple array's dimensions and the selected block's dimensions together "
                    "fit OutputTensor's DimensionCount.",
         .source = "GATHER_ND, OutputTensor",
         .standing = Standing::Inferred,
         .note = "GATHER's page has the sentence, this one implies it."},
    Rule{.id = "gather_nd.output-sizes",
         .wording = "OutputTensor's sizes are the meaningful IndicesTensor sizes without the "
                    "last, then the meaningful InputTensor sizes behind the first tuple-size "
                    "ones, right-aligned behind 1s.",
         .source = "GATHER_ND, OutputTensor, worked example",
         .note = "The formula's slices are half-open, as GATHER's page shows. The first is right; "
                 "the second starts at DimensionCount less tuple size and should start at "
                 "DimensionCount less InputDimensionCount plus tuple size. As printed it "
                 "contradicts the example unless the tuple covers half of the meaningful input "
                 "dimensions. DirectMLX computes what we do."},
    Rule{.id = "gather_nd.gather",
         .wording = "An output element is the input element at the coordinates of its index tuple, "
                    "followed by its own coordinates within the block: moved, not computed.",
         .source = "GATHER_ND, description and examples",
         .checked = Checked::ByExecuting},
    Rule{.id = "gather_nd.nan-payload",
         .wording = "NaNs arrive bit for bit.",
         .source = "GATHER_ND, description (assignment)",
         .standing = Standing::Inferred,
         .checked = Checked::ByExecuting,
         .note = "Direct3D lets a raw move keep a NaN's bits; that a gather is one is implied."},
    Rule{.id = "gather_nd.float32-denormals",
         .wording = "FLOAT32 denormals arrive as they are, not as zeros.",
         .source = "GATHER_ND, description (assignment); Direct3D floating-point rules, 32-bit",
         .standing = Standing::Inferred,
         .checked = Checked::ByExecuting,
         .note = "Direct3D flushes 32-bit denormals in arithmetic and exempts data movement; that "
                 "a gather is data movement is implied."},
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
         .note = "GATHER's page promises for GATHER that reads stay inside the input; this one "
                 "does not. Never in a conformance case; fuzzing asks only that the device "
                 "survives and nothing outside the output is written."},
};

Gather gatherOf(const GatherNd& op) {
  return {op.input, op.indices, op.output, op.inputDimensionCount, op.indicesDimensionCount, 0};
}

}  // namespace

std::span<const Rule> gatherNdRules() { return kRules; }

std::vector<BrokenRule> checkGatherNd(const GatherNd& op, Level level) {
  Checker checker(level);
  for (const TensorSlot& slot : tensorsOf(op)) {
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
  requireGatherTypes(checker, "gather_nd.data-types-2.1", "gather_nd.data-types", op.input);
  checker.require("gather_nd.index-types-2.1", op.indices.type == DataType::UInt32, [&] {
    return "IndicesTensor is of " + type(op.indices) + ", level 2.1 has only UINT32";
  });
  checker.require("gather_nd.index-types", isIndexType(op.indices.type),
                  [&] { return "IndicesTensor is of " + type(op.indices); });
  requireGather(checker, op.name, gatherOf(op));
  return checker.takeBroken();
}

std::vector<ReferenceOutput> evaluateGatherNd(const GatherNd& op,
                                              std::span<const std::vector<uint8_t>> inputs) {
  return evaluateGather(gatherOf(op), inputs);
}

std::unique_ptr<OutputStream> streamGatherNd(const GatherNd& op, std::vector<InputElements> inputs,
                                             const ForEach&) {
  return streamGather(gatherOf(op), std::move(inputs));
}

std::vector<std::string_view> explainGatherNd(const GatherNd& op, const Execution& execution) {
  return explainGather(op, gatherOf(op), execution);
}

}  // namespace dmlcts
