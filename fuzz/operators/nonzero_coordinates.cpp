#include "fuzz/operators/nonzero_coordinates.h"

#include <algorithm>

#include "reference/element.h"

namespace dmlcts {

void keepRowsWithinCount(const NonzeroCoordinates& op, Outputs& outputs) {
  const uint64_t rows = loadBits(outputs[0], 0, 4);
  const uint64_t bytes = rows * op.coords.sizes.back() * 4;
  outputs[1].resize(std::min<uint64_t>(bytes, outputs[1].size()));
}

}  // namespace dmlcts
