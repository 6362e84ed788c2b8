#include "reference/test/naive.h"

#include <cmath>
#include <cstring>
#include <numeric>

namespace dmlcts::naive {
namespace {

using Coordinates = std::vector<uint64_t>;

uint64_t elements(const TensorDesc& tensor) {
  uint64_t count = 1;
  for (uint32_t size : tensor.sizes) count *= size;
  return count;
}

Coordinates coordinatesOf(const TensorDesc& tensor, uint64_t element) {
  Coordinates coordinates(tensor.sizes.size());
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    uint64_t below = 1;
    for (size_t inner = axis + 1; inner < coordinates.size(); ++inner) below *= tensor.sizes[inner];
    coordinates[axis] = element / below % tensor.sizes[axis];
  }
  return coordinates;
}

uint64_t byteAddress(const TensorDesc& tensor, const Coordinates& coordinates) {
  uint64_t packed = 0;
  for (size_t axis = 0; axis < coordinates.size(); ++axis) {
    packed = packed * tensor.sizes[axis] + coordinates[axis];
  }
  if (!tensor.strides) return packed * info(tensor.type).bytes;
  return std::inner_product(coordinates.begin(), coordinates.end(), tensor.strides->begin(),
                            uint64_t{0}) *
         info(tensor.type).bytes;
}

template <typename T>
T read(const std::vector<uint8_t>& bytes, uint64_t address) {
  T value;
  std::memcpy(&value, bytes.data() + address, sizeof value);
  return value;
}

// Returns the value of an IEEE 754 binary16.
double half(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  if (exponent == 31) return mantissa ? std::nan("") : INFINITY;
  return exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
}

bool isZeroAt(DataType type, const std::vector<uint8_t>& bytes, uint64_t address) {
  switch (type) {
    case DataType::Float32:
      return read<float>(bytes, address) == 0.0f;
    case DataType::Float16:
      return half(read<uint16_t>(bytes, address)) == 0.0;
    case DataType::Int32:
      return read<int32_t>(bytes, address) == 0;
    case DataType::UInt32:
      return read<uint32_t>(bytes, address) == 0;
    case DataType::Int16:
      return read<int16_t>(bytes, address) == 0;
    case DataType::UInt16:
      return read<uint16_t>(bytes, address) == 0;
    case DataType::Int8:
      return read<int8_t>(bytes, address) == 0;
    default:
      return read<uint8_t>(bytes, address) == 0;
  }
}

// Sets the status of all bytes of the tensor's elements.
ReferenceOutput blank(const TensorDesc& tensor, ByteStatus status) {
  ReferenceOutput output;
  output.bytes.resize(tensor.totalBytes, 0);
  const uint32_t width = info(tensor.type).bytes;
  output.status = ByteStatuses(tensor.totalBytes, width);
  for (uint64_t element = 0; element < elements(tensor); ++element) {
    const uint64_t address = byteAddress(tensor, coordinatesOf(tensor, element));
    output.status.elements()[address / width] = status;
  }
  return output;
}

std::vector<ReferenceOutput> evaluateOperator(const NonzeroCoordinates& op,
                                              std::span<const std::vector<uint8_t>> inputs) {
  const auto isZero = [&](uint64_t element) {
    return isZeroAt(op.input.type, inputs[0],
                    byteAddress(op.input, coordinatesOf(op.input, element)));
  };
  ReferenceOutput count = blank(op.count, ByteStatus::Defined);
  ReferenceOutput coords = blank(op.coords, ByteStatus::Undefined);
  const size_t columns = op.coords.sizes.back();
  uint32_t row = 0;
  for (; row < elements(op.input); ++row) {
    // Finds the element with `row` non-zero elements before it.
    uint64_t element = 0;
    for (uint32_t before = 0; element < elements(op.input); ++element) {
      if (isZero(element)) continue;
      if (before++ == row) break;
    }
    if (element == elements(op.input)) break;
    const Coordinates all = coordinatesOf(op.input, element);
    for (size_t column = 0; column < columns; ++column) {
      Coordinates at(op.coords.sizes.size(), 0);
      at[at.size() - 2] = row;
      at[at.size() - 1] = column;
      const uint64_t address = byteAddress(op.coords, at);
      const auto value = static_cast<uint32_t>(all[all.size() - columns + column]);
      std::memcpy(coords.bytes.data() + address, &value, 4);
      coords.status.elements()[address / 4] = ByteStatus::Defined;
    }
  }
  std::memcpy(count.bytes.data(), &row, 4);
  return {count, coords};
}

uint64_t batchRank(const GatherNd&) { return 0; }
uint64_t batchRank(const GatherNd1& op) { return op.batchDimensionCount; }

template <class Gather>
std::vector<ReferenceOutput> evaluateOperator(const Gather& op,
                                              std::span<const std::vector<uint8_t>> inputs) {
  ReferenceOutput output = blank(op.output, ByteStatus::Defined);
  const size_t rank = op.output.sizes.size();
  const uint64_t width = info(op.output.type).bytes;
  const uint64_t tupleSize = op.indices.sizes.back();

  // A packed output is a list of blocks, one per tuple.
  const uint64_t tuples = elements(op.indices) / tupleSize;
  const size_t firstAxis = rank - op.inputDimensionCount;
  const size_t firstIndexed = firstAxis + batchRank(op);
  const uint64_t block = elements(op.output) / tuples;
  for (uint64_t tuple = 0; tuple < tuples; ++tuple) {
    Coordinates from(rank, 0);
    const Coordinates ofTuple = coordinatesOf(op.indices, tuple * tupleSize);
    for (uint64_t i = 0; i < batchRank(op); ++i) {
      from[firstAxis + i] = ofTuple[rank - op.indicesDimensionCount + i];
    }
    bool defined = true;
    for (uint64_t i = 0; i < tupleSize; ++i) {
      const uint64_t address =
          byteAddress(op.indices, coordinatesOf(op.indices, tuple * tupleSize + i));
      const size_t axis = firstIndexed + i;
      const uint64_t size = op.input.sizes[axis];
      int64_t index = 0;  // as a signed number, except for UINT64
      switch (op.indices.type) {
        case DataType::Int32:
          index = read<int32_t>(inputs[1], address);
          break;
        case DataType::UInt32:
          index = read<uint32_t>(inputs[1], address);
          break;
        default:
          index = read<int64_t>(inputs[1], address);
      }
      const bool fromEnd = index < 0 && op.indices.type != DataType::UInt64;
      const uint64_t distance = fromEnd ? 0 - static_cast<uint64_t>(index) : index;
      defined = defined && (fromEnd ? distance <= size : distance < size);
      from[axis] = fromEnd ? size - distance : distance;
    }
    for (uint64_t within = 0; within < block; ++within) {
      const uint64_t to = byteAddress(op.output, coordinatesOf(op.output, tuple * block + within));
      const Coordinates inBlock = coordinatesOf(op.input, within);
      for (size_t axis = firstIndexed + tupleSize; axis < rank; ++axis) {
        from[axis] = inBlock[axis];
      }
      for (uint64_t i = 0; i < width; ++i) {
        if (defined) output.bytes[to + i] = inputs[0][byteAddress(op.input, from) + i];
      }
      if (!defined) output.status.elements()[to / width] = ByteStatus::Undefined;
    }
  }
  return {output};
}

}  // namespace

std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs) {
  return std::visit([inputs](const auto& op) { return evaluateOperator(op, inputs); }, descriptor);
}

}  // namespace dmlcts::naive
