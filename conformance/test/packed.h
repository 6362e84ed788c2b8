#pragma once

#include <utility>
#include <vector>

#include "reference/descriptor.h"

namespace dmlcts {

// A packed tensor whose total size in bytes is the smallest multiple of 4.
inline TensorDesc packed(DataType type, std::vector<uint32_t> sizes) {
  uint64_t bytes = info(type).bytes;
  for (uint32_t size : sizes) bytes *= size;
  return {type, std::move(sizes), std::nullopt, (bytes + 3) / 4 * 4};
}

}  // namespace dmlcts
