#include "conformance/cases/families/broken.h"

#include "conformance/cases/operator_syntax.h"

namespace dmlcts {

std::vector<Broken> brokenTotals(const Descriptor& control) {
  Broken unaligned{"tensor.total-bytes-aligned", {}};
  Broken uncovered{"tensor.total-bytes-cover", {}};
  const size_t slots = tensors(control).size();
  for (uint64_t excess = 1; excess <= 3; ++excess) {
    for (size_t slot = 0; slot < slots; ++slot) {
      Descriptor wrong = control;
      mutableTensors(wrong)[slot]->totalBytes += excess;
      unaligned.variants.push_back(wrong);
    }
  }
  for (size_t slot = 0; slot < slots; ++slot) {
    Descriptor wrong = control;
    mutableTensors(wrong)[slot]->totalBytes -= 4;
    uncovered.variants.push_back(wrong);
    if (mutableTensors(wrong)[slot]->totalBytes == 0) continue;
    mutableTensors(wrong)[slot]->totalBytes = 0;
    uncovered.variants.push_back(wrong);
  }
  return {unaligned, uncovered};
}

}  // namespace dmlcts
