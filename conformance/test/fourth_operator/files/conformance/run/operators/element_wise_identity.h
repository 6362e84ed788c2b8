#pragma once

#include "conformance/run/neighbours.h"

// How a copy becomes smaller.

namespace dmlcts {

inline void addIdentityShapes(const ElementWiseIdentity& op, Neighbours& neighbours) {
  using Op = ElementWiseIdentity;
  neighbours.addChanged<Op>([](Op& each) {
    if (!dropLeading(each.input) || !dropLeading(each.output)) return false;
    pack(each.input);
    pack(each.output);
    return true;
  });
  for (size_t axis = 0; axis < op.input.sizes.size(); ++axis) {
    for (uint32_t size : smallerSizes(op.input.sizes[axis])) {
      // With the order in memory that it had, which may be what fails.
      neighbours.addChanged<Op>([=](Op& each) {
        each.input.sizes[axis] = each.output.sizes[axis] = size;
        each.output.strides.reset();
        pack(each.output);
        return true;
      });
    }
  }
}

inline std::vector<FillKind> identityFills() { return {FillKind::Values, FillKind::Ramp}; }

}  // namespace dmlcts
