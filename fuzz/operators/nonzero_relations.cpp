#include <algorithm>

#include "conformance/language/build.h"
#include "fuzz/subject.h"
#include "reference/operators/nonzero_coordinates.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

const NonzeroCoordinates* nonzeroOf(const Case& testCase) {
  return testCase.expect == Expect::Execute ? std::get_if<NonzeroCoordinates>(&testCase.descriptor)
                                            : nullptr;
}

uint64_t count(const TensorDesc& tensor) { return elementCount(tensor.sizes).value(); }

bool isAny(const Case& testCase) { return nonzeroOf(testCase) != nullptr; }

// Returns the rows up to the count.
std::vector<std::vector<uint64_t>> rowsOf(const Case& testCase, const Outputs& outputs) {
  const size_t columns = nonzeroOf(testCase)->coords.sizes.back();
  const Outputs defined = definedOutputs(testCase, outputs);
  const auto numbers = elementsOf(DataType::UInt32, defined[1]);
  std::vector<std::vector<uint64_t>> rows;
  for (size_t at = 0; at + columns <= numbers.size(); at += columns) {
    rows.emplace_back(numbers.begin() + static_cast<ptrdiff_t>(at),
                      numbers.begin() + static_cast<ptrdiff_t>(at + columns));
  }
  return rows;
}

std::string countOrOrderIsWrong(const Case& testCase, Tester& tester) {
  const NonzeroCoordinates& op = *nonzeroOf(testCase);
  const auto elements = inputElements(testCase, 0);
  const auto nonzero = static_cast<size_t>(std::ranges::count_if(
      elements, [&](uint64_t bits) { return isNonzero(op.input.type, bits); }));
  const Outputs outputs = tester.outputs(testCase);
  const uint64_t reported = elementsOf(DataType::UInt32, outputs[0])[0];
  if (reported != nonzero) {
    return "count is " + std::to_string(reported) + ", non-zero elements are " +
           std::to_string(nonzero);
  }
  const auto rows = rowsOf(testCase, outputs);
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i - 1] >= rows[i]) return "row " + std::to_string(i) + " does not ascend";
  }
  return {};
}

// Returns a packed NONZERO_COORDINATES of these values, with all coordinates in a row.
Case nonzeroCase(const Case& from, const Sizes& sizes, std::vector<uint64_t> values) {
  Case testCase = from;
  const auto rank = static_cast<uint32_t>(sizes.size());
  testCase.descriptor = makeNonzero(nonzeroOf(from)->input.type, sizes, rank);
  testCase.fill = {FillKind::Values, 0, std::move(values)};
  testCase.seed = 0;
  return testCase;
}

bool canBeSplit(const Case& testCase) {
  const NonzeroCoordinates* op = nonzeroOf(testCase);
  return op && op->input.sizes.front() >= 2 && count(op->input) <= kMostExplicitElements;
}

std::string partsDoNotMakeTheWhole(const Case& testCase, Tester& tester) {
  const Sizes& sizes = nonzeroOf(testCase)->input.sizes;
  const auto values = inputElements(testCase, 0);
  const uint32_t half = sizes.front() / 2;
  const auto cut = values.begin() + static_cast<ptrdiff_t>(values.size() / sizes.front() * half);
  const Case whole = nonzeroCase(testCase, sizes, values);
  const Case first = nonzeroCase(testCase, withSize(sizes, 0, half), {values.begin(), cut});
  const Case second =
      nonzeroCase(testCase, withSize(sizes, 0, sizes.front() - half), {cut, values.end()});
  auto joined = rowsOf(first, tester.outputs(first));
  for (auto row : rowsOf(second, tester.outputs(second))) {
    row.front() += half;
    joined.push_back(std::move(row));
  }
  return joined == rowsOf(whole, tester.outputs(whole))
             ? ""
             : "the two halves along the first axis do not join to the whole";
}

bool canBeGathered(const Case& testCase) {
  const NonzeroCoordinates* op = nonzeroOf(testCase);
  return op && op->input.sizes.size() >= 2 &&
         count(op->input) * op->input.sizes.size() <= kMostExplicitElements;
}

std::string gatherOfNonzeroIsNotNonzero(const Case& testCase, Tester& tester) {
  const NonzeroCoordinates& op = *nonzeroOf(testCase);
  const size_t rank = op.input.sizes.size();
  const auto values = inputElements(testCase, 0);
  const Case find = nonzeroCase(testCase, op.input.sizes, values);
  const Outputs found = definedOutputs(find, tester.outputs(find));
  const auto coordinates = elementsOf(DataType::UInt32, found[1]);
  if (coordinates.empty()) return {};
  const auto rows = static_cast<uint32_t>(coordinates.size() / rank);

  Case fetch = find;
  fetch.descriptor = makeGather(op.input.type, DataType::UInt32, rank, op.input.sizes, {rows},
                                static_cast<uint32_t>(rank));
  fetch.index = {IndexKind::Values, coordinates};
  const auto fetched = elementsOf(op.input.type, tester.outputs(fetch)[0]);
  std::vector<uint64_t> nonzero;
  std::ranges::copy_if(values, std::back_inserter(nonzero),
                       [&](uint64_t bits) { return isNonzero(op.input.type, bits); });
  return fetched == nonzero ? "" : "gathering at the coordinates found gives other values";
}

}  // namespace

std::vector<Relation> nonzeroRelations() {
  return {
      {"count-and-order", "The count is the number of non-zero elements; rows strictly ascend.",
       "nonzero_coordinates.order", isAny, countOrOrderIsWrong},
      {"split-and-join",
       "The results of both halves of an input along its first axis join to that of the whole.",
       "an element's row depends on itself and the number of those before it", canBeSplit,
       partsDoNotMakeTheWhole},
      {"gather-of-nonzero",
       "GATHER_ND(x, NONZERO_COORDINATES(x)) is the non-zero values of x in order.",
       "both operators' documents; the two run back to back", canBeGathered,
       gatherOfNonzeroIsNotNonzero},
  };
}

}  // namespace dmlcts
