#include "conformance/run/operators/nonzero_coordinates.h"

#include <algorithm>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

void refit(NonzeroCoordinates& op) {
  const uint32_t rank = static_cast<uint32_t>(op.input.sizes.size());
  const auto elements = elementCount(op.input.sizes).value();
  op.coords.sizes.back() =
      std::clamp(op.coords.sizes.back(), std::max(1u, effectiveRank(op.input.sizes)), rank);
  op.coords.sizes[op.coords.sizes.size() - 2] = static_cast<uint32_t>(elements);
  for (TensorDesc* tensor : {&op.input, &op.count, &op.coords}) pack(*tensor);
}

}  // namespace

void addNonzeroShapes(const NonzeroCoordinates& op, Neighbours& neighbours) {
  using Op = NonzeroCoordinates;
  neighbours.addChanged<Op>([](Op& each) {
    if (!dropLeading(each.input)) return false;
    if (each.coords.sizes.size() > 2) dropLeading(each.coords);
    dropLeading(each.count);
    refit(each);
    return true;
  });
  for (const bool count : {true, false}) {
    neighbours.addChanged<Op>([count](Op& each) {
      TensorDesc& tensor = count ? each.count : each.coords;
      const bool dropped = tensor.sizes.size() > (count ? 1 : 2) && dropLeading(tensor);
      if (dropped) pack(tensor);
      return dropped;
    });
  }
  for (size_t axis = 0; axis < op.input.sizes.size(); ++axis) {
    for (uint32_t size : smallerSizes(op.input.sizes[axis])) {
      neighbours.addChanged<Op>([=](Op& each) {
        each.input.sizes[axis] = size;
        refit(each);
        return true;
      });
    }
  }
  neighbours.addChanged<Op>([](Op& each) {
    each.coords.sizes.back() -= 1;
    pack(each.coords);
    return true;
  });
}

std::vector<FillKind> nonzeroFills() {
  return {FillKind::First, FillKind::Last, FillKind::Ones, FillKind::Alternate};
}

}  // namespace dmlcts
