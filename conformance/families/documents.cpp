// The worked examples of the operator documents, with their own values, at every level that has
// them. A reader would try these first.

#include "conformance/families/families.h"
#include "conformance/families/family_parts.h"
#include "conformance/families/gather_parts.h"
#include "conformance/families/nonzero_parts.h"
#include "conformance/language/build.h"
#include "conformance/language/element_text.h"

namespace dmlcts {
namespace {

Fill floatValues(std::initializer_list<std::string_view> texts) {
  Fill fill{FillKind::Values, 0, {}};
  for (std::string_view text : texts) {
    fill.values.push_back(parseElement(text, DataType::Float32).value());
  }
  return fill;
}

IndexFill indexValues(std::initializer_list<uint64_t> values) {
  return {IndexKind::Values, values};
}

}  // namespace

void addGatherDocuments(CaseList& list, Level level) {
  constexpr DataType f32 = DataType::Float32;
  constexpr DataType u32 = DataType::UInt32;
  // GATHER_ND, Examples 1 and 2. At 2.1 all tensors have 4 dimensions, so the first example gets
  // leading 1s there.
  const size_t rankOfFirst = level < Level::L3_0 ? 4 : 2;
  list.execute(level, makeGather(f32, u32, rankOfFirst, {2, 2}, {2}, 1),
               floatValues({"0", "1", "2", "3"}), indexValues({1, 0}));
  list.execute(level, makeGather(f32, u32, 4, {2, 2, 2}, {2}, 2),
               floatValues({"0", "1", "2", "3", "4", "5", "6", "7"}), indexValues({0, 1, 1, 0}));
  // GATHER_ND, OutputTensor: the sizes of the worked example.
  if (level >= Level::L3_0) {
    GatherNd worked = makeGather(f32, u32, 5, {3, 4, 5, 6, 7}, {1, 2}, 3);
    list.execute(level, worked, fill(FillKind::Unique), index(IndexKind::Random));
    // GATHER_ND, IndicesTensor: -1 is the last element of its dimension.
    worked.indices.type = DataType::Int32;
    list.execute(level, worked, fill(FillKind::Unique),
                 {IndexKind::Values, std::vector<uint64_t>(6, 0xFFFFFFFF)});
  }
  // GATHER_ND, IndicesTensor: a 4x5 array of pairs.
  list.execute(level, makeGather(f32, u32, 4, {6, 7}, {4, 5}, 2), fill(FillKind::Unique),
               index(IndexKind::Random));
  // GATHER_ND, InputDimensionCount and IndicesDimensionCount: {1,1,4,6} with a count of 3.
  list.execute(level, makeGather(f32, u32, 4, {1, 4, 6}, {1, 4}, 2), fill(FillKind::Unique),
               index(IndexKind::Random));
}

void addGather1Documents(CaseList& list, Level level) {
  if (level < Level::L3_0) return;
  constexpr DataType f32 = DataType::Float32;
  constexpr DataType u32 = DataType::UInt32;
  const Fill ramp = floatValues({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"});
  // GATHER_ND1, Example: one batch dimension.
  list.execute(level, makeGather1(f32, u32, 4, {3, 2, 2}, {3, 2}, 2, 1), ramp,
               indexValues({0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0}));
  // GATHER_ND, Example 2: no batches.
  list.execute(level, makeGather1(f32, u32, 4, {2, 2, 2}, {2}, 2, 0),
               floatValues({"0", "1", "2", "3", "4", "5", "6", "7"}), indexValues({0, 1, 1, 0}));
  // ONNX, GatherND, Example 5: batch_dims of 1 and tuples of one index.
  list.execute(level, makeGather1(f32, DataType::Int64, 3, {2, 2, 2}, {2}, 1, 1),
               floatValues({"0", "1", "2", "3", "4", "5", "6", "7"}), indexValues({1, 0}));
  // IndicesTensor: -1 is the last element of its dimension, here behind two batch dimensions.
  list.execute(level, makeGather1(f32, DataType::Int32, 5, {3, 4, 5, 6, 7}, {3, 4}, 2, 2),
               fill(FillKind::Unique), {IndexKind::Values, std::vector<uint64_t>(24, 0xFFFFFFFF)});
}

void addNonzeroDocuments(CaseList& list, Level level) {
  if (level < Level::L3_0) return;
  constexpr DataType f32 = DataType::Float32;
  // NONZERO_COORDINATES, Example.
  list.execute(level, makeNonzero(f32, {1, 1, 2, 4}, 3),
               floatValues({"1", "0", "0", "2", "-0", "3.5", "0", "-5.2"}));
  // OutputCoordinatesTensor: non-zeros at {0,5}, {1,0} and {1,2}, in this order.
  list.execute(level, makeNonzero(f32, {1, 1, 2, 6}, 2),
               floatValues({"0", "0", "0", "0", "0", "7", "7", "0", "7", "0", "0", "0"}));
  // OutputCoordinatesTensor: {1,1,12,5} takes every N from 2 to 4.
  for (uint32_t columns = 2; columns <= 4; ++columns) {
    list.execute(level, makeNonzero(f32, {1, 1, 12, 5}, columns), fill(FillKind::Mixed));
  }
  // OutputCoordinatesTensor: effective ranks of {1,2,3,4}, {1,1,5,5,5} and {1,1,1,1}.
  list.execute(level, makeNonzero(f32, {1, 2, 3, 4}, 3), fill(FillKind::Mixed));
  list.execute(level, makeNonzero(f32, {1, 1, 5, 5, 5}, 3), fill(FillKind::Mixed));
  list.execute(level, makeNonzero(f32, {1, 1, 1, 1}, 1), fill(FillKind::Ones));
  list.execute(level, makeNonzero(f32, {1, 1, 1, 1}, 1), fill(FillKind::MinusZero));
}

void addDocuments(CaseList& list) {
  for (Level level : kLevels) {
    for (const OperatorFacts* op : list.operators()) partsOf(*op).documents(list, level);
  }
}

}  // namespace dmlcts
