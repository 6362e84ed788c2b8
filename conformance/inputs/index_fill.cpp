#include "conformance/inputs/index_fill.h"

#include <algorithm>
#include <utility>

#include "conformance/language/element_text.h"
#include "conformance/language/npy.h"

namespace dmlcts {
IndexElements::IndexElements(const IndexFill& fill, DataType type, std::vector<uint32_t> dimensions,
                             uint64_t seed)
    : fill_(fill),
      type_(type),
      dimensions_(std::move(dimensions)),
      indices_(seed, 16),
      signs_(seed, 17) {
  for (uint32_t dimension : dimensions_) {
    positions_ =
        dimension > (uint64_t{1} << 63) / positions_ ? uint64_t{1} << 63 : positions_ * dimension;
  }
}

uint64_t IndexElements::bits(uint64_t element, uint64_t bound) const {
  const uint64_t mask = elementMask(type_);
  const uint64_t tuple = element / dimensions_.size();
  const uint64_t axis = element % dimensions_.size();
  const uint64_t draw = indices_[element];
  const uint64_t random = draw % bound;
  const uint64_t fromEnd = random - bound;  // negative, modulo 2^64
  switch (fill_.kind) {
    case IndexKind::Random:
      return random;
    case IndexKind::Identity:
      return unraveled(tuple % positions_, axis) % bound;
    case IndexKind::Reversed:
      return unraveled(positions_ - 1 - tuple % positions_, axis) % bound;
    case IndexKind::Repeated:
      return indices_[axis] % bound;
    case IndexKind::First:
      return 0;
    case IndexKind::Last:
      return bound - 1;
    case IndexKind::Boundary: {
      const uint64_t index = (draw & 1) ? bound - 1 : 0;
      return (info(type_).isSigned && (signs_[element] & 1) ? index - bound : index) & mask;
    }
    case IndexKind::Negative:  // the last coordinate of the first tuple is always negative
      return ((signs_[element] & 1) || element + 1 == dimensions_.size() ? fromEnd : random) & mask;
    case IndexKind::AllNegative:
      return fromEnd & mask;
    case IndexKind::Wild:
      return draw & mask;
    case IndexKind::Values:
      return fill_.values.empty() ? 0 : fill_.values[element % fill_.values.size()];
    case IndexKind::Npy:
      return npyElement(fill_.npy, type_, element);
  }
  return 0;
}

// Returns the coordinate along `axis` of a position in the indexed dimensions.
uint64_t IndexElements::unraveled(uint64_t position, uint64_t axis) const {
  for (size_t inner = dimensions_.size(); --inner > axis;) position /= dimensions_[inner];
  return position % dimensions_[axis];
}

}  // namespace dmlcts
