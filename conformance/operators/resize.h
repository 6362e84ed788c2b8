#pragma once

#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "reference/descriptor.h"

namespace dmlcts {

// Changes a tensor's shape and keeps the difference between its total size and the smallest legal
// one.
template <class Change>
void changeShape(TensorDesc& tensor, const Change& change) {
  const uint64_t least = defaultTotalBytes(tensor);
  const uint64_t total = tensor.totalBytes;
  change(tensor);
  const uint64_t now = defaultTotalBytes(tensor);
  tensor.totalBytes = total >= least ? now + (total - least) : now - std::min(now, least - total);
}

// Removes a dimension of size 1, unless it is the last one left.
inline void dropAxis(TensorDesc& tensor, size_t axis) {
  if (tensor.sizes.size() < 2 || axis >= tensor.sizes.size() || tensor.sizes[axis] != 1) return;
  tensor.sizes.erase(tensor.sizes.begin() + static_cast<ptrdiff_t>(axis));
  if (tensor.strides && axis < tensor.strides->size()) {
    tensor.strides->erase(tensor.strides->begin() + static_cast<ptrdiff_t>(axis));
  }
}

// Applies `change` to the input, and to every tensor whose type must equal the input's.
template <class Change>
void retypeInput(Descriptor& descriptor, const Change& change) {
  const auto descs = mutableTensors(descriptor);
  std::vector<bool> follows(descs.size(), false);
  const DataType type = descs[0]->type;
  const DataType other = type == DataType::UInt8 ? DataType::Int8 : DataType::UInt8;
  descs[0]->type = other;
  for (size_t i = 1; i < descs.size(); ++i) {
    follows[i] = descs[i]->type == type && defaultType(descriptor, i) == other;
  }
  descs[0]->type = type;
  for (size_t i = 0; i < descs.size(); ++i) {
    if (i == 0 || follows[i]) change(*descs[i]);
  }
}

}  // namespace dmlcts
