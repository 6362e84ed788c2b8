#include <algorithm>

#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"
#include "fuzz/subject.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostElements = 100'000;

uint64_t count(std::span<const uint32_t> sizes) { return elementCount(sizes).value(); }

bool gathers(const Case& testCase) {
  return testCase.expect == Expect::Execute && testCase.index.kind != IndexKind::Wild &&
         hasIndices(testCase.descriptor);
}

const TensorDesc& inputOf(const Case& testCase) { return *tensors(testCase.descriptor)[0].desc; }
const TensorDesc& indicesOf(const Case& testCase) { return *tensors(testCase.descriptor)[1].desc; }

bool canBeCopied(const Case& testCase) {
  return gathers(testCase) && std::holds_alternative<GatherNd>(testCase.descriptor) &&
         inputOf(testCase).sizes.size() >= 2 && count(inputOf(testCase).sizes) <= kMostElements;
}

// Uses tuples that enumerate as many leading input dimensions as indices can hold.
std::string identityChanges(const Case& testCase, Tester& tester) {
  const auto& op = std::get<GatherNd>(testCase.descriptor);
  const Sizes input(op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputDimensionCount),
                    op.input.sizes.end());
  const size_t rank = op.input.sizes.size();
  const auto tupleSize = static_cast<uint32_t>(std::min(input.size(), rank - 1));
  const Sizes tuples(input.begin(), input.begin() + tupleSize);
  Case copy = testCase;
  GatherNd identity = makeGather(op.input.type, op.indices.type, rank, input, tuples, tupleSize);
  identity.input = op.input;
  copy.descriptor = identity;
  copy.index = {IndexKind::Identity, {}};
  if (inputProblem(copy)) return {};
  const auto copied = elementsOf(op.input.type, tester.outputs(copy)[0]);
  return copied == inputElements(copy, 0) ? "" : "identity indices did not copy the input";
}

// With several batches, permuting tuples would move them to another batch.
bool canBePermuted(const Case& testCase) {
  if (!gathers(testCase)) return false;
  const TensorDesc& indices = indicesOf(testCase);
  const auto* batched = std::get_if<GatherNd1>(&testCase.descriptor);
  return (batched == nullptr || batched->batchDimensionCount == 0) &&
         count(indices.sizes) <= kMostExplicitElements &&
         count(indices.sizes) > indices.sizes.back() && !elementsOverlap(indices).value_or(true);
}

std::string permutingDoesNotPermute(const Case& testCase, Tester& tester) {
  const size_t tupleSize = indicesOf(testCase).sizes.back();
  std::vector<uint64_t> indices = inputElements(testCase, 1);
  const size_t tuples = indices.size() / tupleSize;
  // Reverses the tuples, but not the order within each.
  std::ranges::reverse(indices);
  for (size_t i = 0; i < tuples; ++i) {
    const auto tuple = indices.begin() + static_cast<ptrdiff_t>(i * tupleSize);
    std::reverse(tuple, tuple + static_cast<ptrdiff_t>(tupleSize));
  }
  Case permuted = testCase;
  permuted.index = {IndexKind::Values, indices};
  const auto rows = tester.outputs(testCase)[0];
  const auto other = tester.outputs(permuted)[0];
  const size_t width = rows.size() / tuples;
  for (size_t i = 0; i < tuples; ++i) {
    const auto row = rows.begin() + static_cast<ptrdiff_t>(i * width);
    const auto twin = other.begin() + static_cast<ptrdiff_t>((tuples - 1 - i) * width);
    if (!std::equal(row, row + static_cast<ptrdiff_t>(width), twin)) {
      return "tuple " + std::to_string(i) + " selects another block when tuples are reversed";
    }
  }
  return {};
}

bool hasTwin(const Case& testCase) {
  return gathers(testCase) && std::holds_alternative<GatherNd>(testCase.descriptor) &&
         testCase.level >= Level::L3_0;
}

std::string twinDiffers(const Case& testCase, Tester& tester) {
  Case twin = testCase;
  twin.descriptor = withoutBatches(std::get<GatherNd>(testCase.descriptor));
  return tester.outputs(testCase) == tester.outputs(twin)
             ? ""
             : "GATHER_ND1 without batch dimensions gives another result";
}

// Returns the operator if its batches along the first dimension are distinct and small enough to
// write out.
const GatherNd1* batchesOf(const Case& testCase) {
  const auto* op = std::get_if<GatherNd1>(&testCase.descriptor);
  const bool fits = op && gathers(testCase) && op->batchDimensionCount > 0 &&
                    count(op->input.sizes) <= kMostExplicitElements &&
                    count(op->indices.sizes) <= kMostExplicitElements;
  if (!fits) return nullptr;
  return op->input.sizes[op->input.sizes.size() - op->inputDimensionCount] >= 2 ? op : nullptr;
}

bool hasBatches(const Case& testCase) { return batchesOf(testCase) != nullptr; }

// Returns the case with `batches` batches along its first dimension and these elements, packed.
Case withBatches(const Case& from, uint32_t batches, std::vector<uint64_t> values,
                 std::vector<uint64_t> indices) {
  const GatherNd1& op = *batchesOf(from);
  Sizes input(op.input.sizes.end() - static_cast<ptrdiff_t>(op.inputDimensionCount),
              op.input.sizes.end());
  Sizes tuples(op.indices.sizes.end() - static_cast<ptrdiff_t>(op.indicesDimensionCount),
               op.indices.sizes.end() - 1);
  input.front() = tuples.front() = batches;
  Case testCase = from;
  testCase.descriptor = makeGather1(op.input.type, op.indices.type, op.input.sizes.size(), input,
                                    tuples, op.indices.sizes.back(), op.batchDimensionCount);
  testCase.fill = {FillKind::Values, 0, std::move(values)};
  testCase.index = {IndexKind::Values, std::move(indices)};
  testCase.seed = 0;
  return testCase;
}

uint32_t firstSize(const Case& testCase) {
  const GatherNd1& op = *batchesOf(testCase);
  return op.input.sizes[op.input.sizes.size() - op.inputDimensionCount];
}

std::string batchesDoNotMakeTheWhole(const Case& testCase, Tester& tester) {
  const auto values = inputElements(testCase, 0);
  const auto indices = inputElements(testCase, 1);
  const uint32_t batches = firstSize(testCase);
  const auto part = [&](uint32_t from, uint32_t to) {
    const auto of = [&](const std::vector<uint64_t>& all) {
      const auto each = static_cast<ptrdiff_t>(all.size() / batches);
      return std::vector<uint64_t>(all.begin() + from * each, all.begin() + to * each);
    };
    return withBatches(testCase, to - from, of(values), of(indices));
  };
  auto joined = tester.outputs(part(0, batches / 2))[0];
  const auto rest = tester.outputs(part(batches / 2, batches))[0];
  joined.insert(joined.end(), rest.begin(), rest.end());
  return joined == tester.outputs(part(0, batches))[0]
             ? ""
             : "some of the batches and the others do not join to all of them";
}

std::string permutingBatchesDoesNotPermute(const Case& testCase, Tester& tester) {
  const uint32_t batches = firstSize(testCase);
  const auto reversed = [&]<class T>(const std::vector<T>& all) {
    const auto each = static_cast<ptrdiff_t>(all.size() / batches);
    std::vector<T> result;
    for (ptrdiff_t batch = batches; batch-- > 0;) {
      result.insert(result.end(), all.begin() + batch * each, all.begin() + (batch + 1) * each);
    }
    return result;
  };
  const auto values = inputElements(testCase, 0);
  const auto indices = inputElements(testCase, 1);
  const auto straight = tester.outputs(withBatches(testCase, batches, values, indices))[0];
  const auto other =
      tester.outputs(withBatches(testCase, batches, reversed(values), reversed(indices)))[0];
  return other == reversed(straight) ? "" : "reversed batches do not give reversed results";
}

}  // namespace

std::vector<Relation> gatherRelations() {
  return {
      {"identity-copies", "GATHER_ND with indices that count through the input copies it.",
       "gather_nd.gather", canBeCopied, identityChanges},
      {"tuples-permute", "Permuting index tuples permutes the blocks of the output.",
       "a block depends on its own tuple only", canBePermuted, permutingDoesNotPermute},
      {"no-batches", "GATHER_ND1 without batch dimensions gives what GATHER_ND gives.",
       "gather_nd1.gather", hasTwin, twinDiffers},
  };
}

std::vector<Relation> batchRelations() {
  return {
      {"batches-join", "The results of some batches and of the others join to that of all.",
       "a batch depends on its own input and tuples only", hasBatches, batchesDoNotMakeTheWhole},
      {"batches-permute",
       "Permuting the batches of input and indices permutes those of the output.",
       "a batch depends on its own input and tuples only", hasBatches,
       permutingBatchesDoesNotPermute},
  };
}

}  // namespace dmlcts
