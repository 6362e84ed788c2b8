#include <algorithm>

#include "conformance/cases/families/build.h"
#include "fuzz/relations.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostElements = 100'000;

const GatherNd* gatherOf(const Case& testCase) {
  const bool executes =
      testCase.expect == Expect::Execute && testCase.index.kind != IndexKind::Wild;
  return executes ? std::get_if<GatherNd>(&testCase.descriptor) : nullptr;
}

uint64_t count(const TensorDesc& tensor) { return elementCount(tensor.sizes).value(); }

bool canBeCopied(const Case& testCase) {
  const GatherNd* op = gatherOf(testCase);
  return op && op->input.sizes.size() >= 2 && count(op->input) <= kMostElements;
}

// Tuples that count through the input's leading dimensions, as many as indices have room for.
std::string identityChanges(const Case& testCase, Executor& executor) {
  const GatherNd& op = *gatherOf(testCase);
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
  const auto copied = elementsOf(op.input.type, executor.outputs(copy)[0]);
  return copied == inputElements(copy, 0) ? "" : "identity indices did not copy the input";
}

bool canBePermuted(const Case& testCase) {
  const GatherNd* op = gatherOf(testCase);
  return op && count(op->indices) <= kMostExplicitElements &&
         count(op->indices) > op->indices.sizes.back() && !elementsOverlap(op->indices);
}

std::string permutingDoesNotPermute(const Case& testCase, Executor& executor) {
  const GatherNd& op = *gatherOf(testCase);
  const size_t tupleSize = op.indices.sizes.back();
  std::vector<uint64_t> indices = inputElements(testCase, 1);
  const size_t tuples = indices.size() / tupleSize;
  // Opposite order of tuples, the same order within each.
  std::ranges::reverse(indices);
  for (size_t i = 0; i < tuples; ++i) {
    const auto tuple = indices.begin() + static_cast<ptrdiff_t>(i * tupleSize);
    std::reverse(tuple, tuple + static_cast<ptrdiff_t>(tupleSize));
  }
  Case permuted = testCase;
  permuted.index = {IndexKind::Values, indices};
  const auto rows = executor.outputs(testCase)[0];
  const auto other = executor.outputs(permuted)[0];
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

}  // namespace

std::vector<Relation> gatherRelations() {
  return {
      {"identity-copies", "GATHER_ND with indices that count through the input copies it.",
       "gather_nd.gather", canBeCopied, identityChanges},
      {"tuples-permute", "Permuting index tuples permutes the blocks of the output.",
       "a block depends on its own tuple only", canBePermuted, permutingDoesNotPermute},
  };
}

}  // namespace dmlcts
