#pragma once

#include "bench/work_list.h"
#include "conformance/cases/operators/element_wise_identity.h"

// The work of a copy.

namespace dmlcts::bench {

inline void sweepIdentity(WorkList& list) {
  list.add("identity/f32/2^10/packed", makeIdentity(DataType::Float32, powerSizes(10, 2)),
           fill(FillKind::Unique), IndexKind::Random);
}

inline uint64_t bytesOfIdentity(const ElementWiseIdentity& op, const PreparedCase&) {
  return op.input.totalBytes + op.output.totalBytes;
}

}  // namespace dmlcts::bench
