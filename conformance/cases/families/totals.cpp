// TotalTensorSizeInBytes larger than the elements need, on each tensor and on all: the excess is
// no element, and behind an output it must keep what it held. Lengths that are no multiple of four
// bytes leave a tail in any case.

#include "conformance/cases/families/build.h"
#include "conformance/cases/families/families.h"

namespace dmlcts {
namespace {

const std::vector<uint64_t> kExcesses{4, 8, 12, 60, 256, 4096};

// Adds to the tensors that the bits of `which` name, in slot order.
void widen(std::vector<TensorDesc*> tensors, uint32_t which, uint64_t excess) {
  for (size_t slot = 0; slot < tensors.size(); ++slot) {
    if (which >> slot & 1) tensors[slot]->totalBytes += excess;
  }
}

}  // namespace

void addTotals(CaseList& list) {
  uint64_t i = 0;
  for (uint64_t excess : kExcesses) {
    for (uint32_t which = 1; which <= 7; ++which) {
      for (uint32_t length : {1u, 2u, 3u, 5u, 30u}) {
        const DataType type = rotate(documentedTypes(), i + i / 8);
        const Level gatherLevel = rotate(gatherLevels(2), i);
        GatherNd gather =
            makeGather(type, rotate(indexTypes(gatherLevel), i), 2, {4, length}, {3}, 1);
        widen({&gather.input, &gather.indices, &gather.output}, which, excess);
        list.execute(gatherLevel, gather, fill(FillKind::Unique), index(IndexKind::Random));

        NonzeroCoordinates nonzero = makeNonzero(type, {1, 1, 1, length}, 1 + i % 4);
        widen({&nonzero.input, &nonzero.count, &nonzero.coords}, which, excess);
        // Zeros throughout leave the noise behind the input as the only non-zero data.
        list.execute(rotate(nonzeroLevels(4), i), nonzero,
                     fill(i % 3 == 0 ? FillKind::MinusZero : FillKind::All));
        ++i;
      }
    }
  }
}

}  // namespace dmlcts
