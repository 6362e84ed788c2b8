#include "conformance/families/gather_parts.h"

#include <algorithm>
#include <span>

#include "reference/tensor.h"

namespace dmlcts {

GatherShape withVariedBatches(size_t& rank, const GatherShape& shape, uint64_t i) {
  static const std::vector<Sizes> kBatches{{3}, {}, {2, 3}};
  const uint64_t block = elementCount(std::span(shape.input).subspan(shape.tupleSize)).value();
  const uint64_t elements =
      std::max(elementCount(shape.input).value(), elementCount(shape.tuples).value() * block);
  const Sizes wanted = elements > 20'000 ? Sizes{2} : rotate(kBatches, i);
  const Sizes batches(wanted.begin(),
                      wanted.begin() + static_cast<ptrdiff_t>(std::min(wanted.size(), 8 - rank)));
  rank += batches.size();
  return {concatenated(batches, shape.input), concatenated(batches, shape.tuples), shape.tupleSize,
          static_cast<uint32_t>(batches.size())};
}

}  // namespace dmlcts
