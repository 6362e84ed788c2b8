#pragma once

#include <string_view>

#include "reference/descriptor.h"

namespace dmlcts {

// Another descriptor, maybe of another operator, that asks a target for the same outputs: tensors
// in the same order, of the same bytes. What one of the two must accept, the other may have to
// reject.
template <class Operator>
struct Detour {
  std::string_view name;  // for `--via`
  Descriptor (*descriptor)(const Operator& op);
};

}  // namespace dmlcts
