// Writes combination_rows.inc to stdout: builds the covering arrays and searches a case for each
// row.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <stdexcept>

#include "conformance/facts/operators.h"
#include "conformance/facts/weak.h"
#include "conformance/families/combinations.h"
#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/tiers/test/covering_array.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostLookedAt = 2u << 20;  // bytes of an input
constexpr uint64_t kMostShared = 64u << 20;   // bytes of an input whose elements share addresses
constexpr uint64_t kMostDraws = 5000;         // per row of the array; dozens are usual
constexpr uint64_t kMostLooks = 250;          // valid draws examined per row

// True if the case can expose a broken target.
bool isOfWorth(const Case& testCase) {
  // Creating millions of elements is slow. They rarely have equal bits, unless they are few in
  // memory, or share addresses so that the last write decides.
  const TensorDesc& input = *tensors(testCase.descriptor).front().desc;
  const bool shares = input.totalBytes < elementCount(input.sizes).value() * info(input.type).bytes;
  if (input.totalBytes > (shares ? kMostShared : kMostLookedAt)) return true;
  const auto inputs = makeInputs(testCase);
  const bool vacuous =
      !visitEntry(kFactsTable, testCase.descriptor, [&](const auto& entry, const auto& op) {
         return entry.vacuous(op, inputs.front());
       }).empty();
  return !vacuous &&
         weakBecause(testCase.descriptor, inputs, evaluate(testCase.descriptor, inputs)).empty();
}

// Returns the first choice that leads to a worthwhile case with these labels, or kNoCase.
uint32_t firstChoice(const Labels& labels, uint64_t row, uint64_t seed) {
  RowDraws draws(row);
  uint64_t looks = 0;
  for (uint64_t tries = 0; tries < kMostDraws && looks < kMostLooks; ++tries) {
    const uint64_t first = draws.next();
    const Case drawn = drawCombination(draws, labels, seed);
    if (labelsOf(drawn) != labels || !check(drawn.descriptor, drawn.level).empty() ||
        inputProblem(drawn)) {
      continue;
    }
    ++looks;
    if (isOfWorth(drawn)) return static_cast<uint32_t>(first);
  }
  return kNoCase;
}

void writeArrays(std::string_view family, uint32_t strength, const Domain& domain) {
  const uint64_t firstSeed = std::ranges::find(kFamilies, family, &Family::name)->firstSeed;
  for (uint32_t edition = 1; edition <= editions(); ++edition) {
    const auto rows = coveringArray(strength, valuesOfEdition(edition, domain));
    std::printf("{%zu,0},", rows.size());
    for (size_t row = 0; row < rows.size(); ++row) {
      uint64_t labels = 0;
      for (size_t i = kParameters; i-- > 0;) {
        if (rows[row][i] > 15) throw std::runtime_error("a label takes more than 4 bits");
        labels = labels << 4 | rows[row][i];
      }
      std::printf("%s{0x%" PRIx64 ",%" PRIu32 "},", row % 5 == 0 ? "\n" : "", labels,
                  firstChoice(rows[row], row, firstSeed + row));
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace dmlcts

int main() {
  std::printf("// Written by write_combination_rows.cpp.\n");
  dmlcts::writeArrays("combinations", 3, dmlcts::defaultValues());
  dmlcts::writeArrays("large-combinations", 2, dmlcts::largeValues());
}
