// TotalTensorSizeInBytes larger than necessary, for each tensor and for all. The excess holds no
// elements, and after an output it must keep its contents. Lengths that are not a multiple of four
// bytes always leave a tail.

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"

namespace dmlcts {
namespace {

const std::vector<uint64_t> kExcesses{4, 8, 12, 60, 256, 4096};

// Enlarges the tensors selected by the bits of `which`, in slot order.
void widen(std::vector<TensorDesc*> tensors, uint32_t which, uint64_t excess) {
  for (size_t slot = 0; slot < tensors.size(); ++slot) {
    if (which >> slot & 1) tensors[slot]->totalBytes += excess;
  }
}

template <class Operator>
void addGatherTotals(CaseList& list, uint64_t excess, uint32_t which, uint32_t length, uint64_t i) {
  const DataType type = rotate(typesOf<Operator>(), i + i / 8);
  const Level level = rotate(levelsOf<Operator>(type, 2), i);
  Operator op = makeVaried<Operator>(type, rotate(indexTypes(level), i), 2, {4, length}, {3}, 1, i);
  widen({&op.input, &op.indices, &op.output}, which, excess);
  list.execute(level, op, fill(FillKind::Unique), index(IndexKind::Random));
}

void addNonzeroTotals(CaseList& list, uint64_t excess, uint32_t which, uint32_t length,
                      uint64_t i) {
  const DataType type = rotate(documentedTypes(), i + i / 8);
  NonzeroCoordinates op = makeNonzero(type, {1, 1, 1, length}, 1 + i % 4);
  widen({&op.input, &op.count, &op.coords}, which, excess);
  // With zeros only, the noise after the input is the only non-zero data.
  list.execute(rotate(nonzeroLevels(4), i), op,
               fill(i % 3 == 0 ? FillKind::MinusZero : FillKind::All));
}

}  // namespace

void addTotals(CaseList& list) {
  uint64_t i = 0;
  for (uint64_t excess : kExcesses) {
    for (uint32_t which = 1; which <= 7; ++which) {
      for (uint32_t length : {1u, 2u, 3u, 5u, 30u}) {
        for (const OperatorFacts* op : list.operators()) {
          visitKind(
              *op,
              [&]<class Operator>(const Operator&) {
                addGatherTotals<Operator>(list, excess, which, length, i);
              },
              [&](const auto&) { addNonzeroTotals(list, excess, which, length, i); });
        }
        ++i;
      }
    }
  }
}

}  // namespace dmlcts
