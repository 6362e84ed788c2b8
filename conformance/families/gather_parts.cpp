#include "conformance/families/gather_parts.h"

#include <algorithm>
#include <span>

#include "reference/tensor.h"

namespace dmlcts {

template <>
const std::vector<DataType>& sweptTypes<GatherNd>() {
  return documentedTypes();
}

template <>
const std::vector<DataType>& sweptTypes<GatherNd1>() {
  static const std::vector<DataType> types{DataType::UInt8, DataType::Float16, DataType::Float32,
                                           DataType::Float64, DataType::Int64};
  return types;
}

template <>
GatherNd makeVaried<GatherNd>(DataType type, DataType indexType, size_t rank, const Sizes& input,
                              const Sizes& tuples, uint32_t tupleSize, uint64_t) {
  return makeGather(type, indexType, rank, input, tuples, tupleSize);
}

template <>
GatherNd1 makeVaried<GatherNd1>(DataType type, DataType indexType, size_t rank, const Sizes& input,
                                const Sizes& tuples, uint32_t tupleSize, uint64_t i) {
  static const std::vector<Sizes> kBatches{{3}, {}, {2, 3}};
  const uint64_t block = elementCount(std::span(input).subspan(tupleSize)).value();
  const uint64_t elements =
      std::max(elementCount(input).value(), elementCount(tuples).value() * block);
  const Sizes wanted = elements > 20'000 ? Sizes{2} : rotate(kBatches, i);
  const Sizes batches(wanted.begin(),
                      wanted.begin() + static_cast<ptrdiff_t>(std::min(wanted.size(), 8 - rank)));
  return makeGather1(type, indexType, rank + batches.size(), concatenated(batches, input),
                     concatenated(batches, tuples), tupleSize,
                     static_cast<uint32_t>(batches.size()));
}

}  // namespace dmlcts
