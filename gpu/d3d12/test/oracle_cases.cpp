#include "gpu/d3d12/test/oracle_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "reference/evaluate.h"
#include "reference/per_operator.h"

namespace dmlcts::gpu::test {

namespace {

constexpr uint64_t kGuard = 64;

using Random = std::mt19937_64;

// Returns the byte offset of every element, in row-major order.
std::vector<uint64_t> elementOffsets(const TensorDesc& tensor) {
  std::vector<uint64_t> strides(tensor.sizes.size());
  uint64_t packed = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = tensor.strides ? (*tensor.strides)[i] : packed;
    packed *= tensor.sizes[i];
  }
  std::vector<uint64_t> offsets{0};
  for (size_t i = 0; i < strides.size(); ++i) {
    std::vector<uint64_t> next;
    next.reserve(offsets.size() * tensor.sizes[i]);
    for (uint64_t offset : offsets) {
      for (uint64_t c = 0; c < tensor.sizes[i]; ++c) next.push_back(offset + c * strides[i]);
    }
    offsets = std::move(next);
  }
  for (uint64_t& offset : offsets) offset *= info(tensor.type).bytes;
  return offsets;
}

BufferImage imageOf(const TensorDesc& tensor, Random& random) {
  BufferImage image;
  image.offset = kGuard;
  image.size = tensor.totalBytes;
  image.bytes.resize(kGuard + tensor.totalBytes + kGuard);
  for (uint8_t& byte : image.bytes) byte = static_cast<uint8_t>(random() >> 11);
  return image;
}

void put(BufferImage& image, uint64_t offset, uint64_t value, uint32_t bytes) {
  std::memcpy(image.bytes.data() + image.offset + offset, &value, bytes);
}

// Values that a faulty test for zero gets wrong: -0, denormals, NaN, one set bit anywhere.
uint64_t nonzeroValue(DataType type, Random& random) {
  const uint32_t bits = 8 * info(type).bytes;
  const uint64_t sign = uint64_t{1} << (bits - 1);
  uint64_t value = 0;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  while (value == 0) {
    value = random() % 3 == 0 ? uint64_t{1} << (random() % bits) : random();
    value &= mask;
    if (info(type).isFloat && value == sign) value = 0;
  }
  return value;
}

uint64_t zeroValue(DataType type, Random& random) {
  if (!info(type).isFloat || random() % 2 == 0) return 0;
  return uint64_t{1} << (8 * info(type).bytes - 1);
}

bool isNonzero(Density density, size_t i, size_t count, Random& random) {
  switch (density) {
    case Density::None:
      return false;
    case Density::FirstOnly:
      return i == 0;
    case Density::LastOnly:
      return i + 1 == count;
    case Density::OneTile:
      return i / 4096 == (count / 4096) / 2;
    case Density::Half:
      return random() % 2 == 0;
    case Density::All:
      return true;
  }
  return false;
}

void fillNonzero(const NonzeroCoordinates& op, const Filling& filling, Random& random,
                 Request& request) {
  const std::vector<uint64_t> offsets = elementOffsets(op.input);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const uint64_t value = isNonzero(filling.density, i, offsets.size(), random)
                               ? nonzeroValue(op.input.type, random)
                               : zeroValue(op.input.type, random);
    put(request.inputs[0], offsets[i], value, info(op.input.type).bytes);
  }
}

// Fills indices for tuples whose first component addresses the input's dimension `firstAxis`.
template <class Gather>
void fillIndices(const Gather& op, size_t firstAxis, Random& random, Request& request) {
  const uint32_t tupleSize = op.indices.sizes.back();
  const std::vector<uint64_t> offsets = elementOffsets(op.indices);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const uint32_t size = op.input.sizes[firstAxis + i % tupleSize];
    uint64_t index = random() % 4 == 0 ? size - 1 : random() % size;
    if (info(op.indices.type).isSigned && random() % 2 == 0) index -= size;
    // Strides may let tuples share memory, so an index must be valid for every axis.
    if (op.indices.strides) {
      uint32_t smallest = size;
      for (uint32_t k = 0; k < tupleSize; ++k) {
        smallest = std::min(smallest, op.input.sizes[firstAxis + k]);
      }
      index = random() % smallest;
      if (info(op.indices.type).isSigned && random() % 2 == 0) index -= smallest;
    }
    put(request.inputs[1], offsets[i], index, info(op.indices.type).bytes);
  }
}

void fillGatherNd(const GatherNd& op, const Filling&, Random& random, Request& request) {
  fillIndices(op, op.input.sizes.size() - op.inputDimensionCount, random, request);
}

void fillGatherNd1(const GatherNd1& op, const Filling&, Random& random, Request& request) {
  fillIndices(op, op.input.sizes.size() - op.inputDimensionCount + op.batchDimensionCount, random,
              request);
}

template <class Operator>
struct FillEntry {
  void (*fill)(const Operator& op, const Filling& filling, Random& random, Request& request);
};

constexpr PerOperator<FillEntry> kFill{
    FillEntry<GatherNd>{fillGatherNd},
    FillEntry<NonzeroCoordinates>{fillNonzero},
    FillEntry<GatherNd1>{fillGatherNd1},
};

std::vector<ReferenceOutput> expectedOf(const Request& request) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const BufferImage& image : request.inputs) {
    const auto first = image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset);
    inputs.emplace_back(first, first + static_cast<std::ptrdiff_t>(image.size));
  }
  return evaluate(request.descriptor, inputs);
}

}  // namespace

TensorDesc tensorOf(DataType type, std::vector<uint32_t> sizes,
                    std::optional<std::vector<uint32_t>> strides, uint64_t extraBytes) {
  TensorDesc tensor;
  tensor.type = type;
  tensor.sizes = std::move(sizes);
  tensor.strides = std::move(strides);
  uint64_t last = 0;
  uint64_t packed = 1;
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    last += (tensor.sizes[i] - 1) * (tensor.strides ? (*tensor.strides)[i] : packed);
    packed *= tensor.sizes[i];
  }
  tensor.totalBytes = ((last + 1) * info(type).bytes + 3) / 4 * 4 + extraBytes;
  return tensor;
}

NonzeroCoordinates nonzeroOf(DataType type, std::vector<uint32_t> sizes, uint32_t columns) {
  uint32_t count = 1;
  for (uint32_t size : sizes) count *= size;
  NonzeroCoordinates op;
  op.count = tensorOf(DataType::UInt32, {1});
  op.coords = tensorOf(DataType::UInt32, {count, columns});
  op.input = tensorOf(type, std::move(sizes));
  return op;
}

GatherNd gatherOf(DataType type, std::vector<uint32_t> input, DataType indexType,
                  std::vector<uint32_t> indices, std::vector<uint32_t> output,
                  uint32_t inputDimensionCount, uint32_t indicesDimensionCount) {
  GatherNd op;
  op.input = tensorOf(type, std::move(input));
  op.indices = tensorOf(indexType, std::move(indices));
  op.output = tensorOf(type, std::move(output));
  op.inputDimensionCount = inputDimensionCount;
  op.indicesDimensionCount = indicesDimensionCount;
  return op;
}

GatherNd1 batchedGatherOf(const GatherNd& gather, uint32_t batchDimensionCount) {
  return {gather.input,
          gather.indices,
          gather.output,
          gather.inputDimensionCount,
          gather.indicesDimensionCount,
          batchDimensionCount};
}

Request requestOf(const Descriptor& descriptor, const Filling& filling) {
  Random random(filling.seed);
  Request request;
  request.id = filling.seed;
  request.descriptor = descriptor;
  for (const TensorSlot& slot : tensors(descriptor)) {
    (slot.isOutput ? request.outputs : request.inputs).push_back(imageOf(*slot.desc, random));
  }
  visitEntry(kFill, descriptor,
             [&](const auto& entry, const auto& op) { entry.fill(op, filling, random, request); });
  const std::vector<ReferenceOutput> expected = expectedOf(request);
  for (size_t i = 0; i < expected.size(); ++i) {
    uint8_t* bytes = request.outputs[i].bytes.data() + request.outputs[i].offset;
    for (size_t j = 0; j < expected[i].bytes.size(); ++j) {
      if (expected[i].status[j] == ByteStatus::Defined) {
        bytes[j] = static_cast<uint8_t>(~expected[i].bytes[j]);
      }
    }
  }
  return request;
}

std::string difference(const Request& request, const Answer& answer) {
  if (answer.status != Status::Executed) {
    return fmt::format("status {}, {}", static_cast<int>(answer.status), answer.message);
  }
  if (answer.inputs.size() != request.inputs.size()) return "the answer has not all inputs";
  for (size_t i = 0; i < answer.inputs.size(); ++i) {
    if (answer.inputs[i] != request.inputs[i].bytes) return fmt::format("input {} changed", i);
  }
  const std::vector<ReferenceOutput> expected = expectedOf(request);
  for (size_t i = 0; i < expected.size(); ++i) {
    const BufferImage& before = request.outputs[i];
    const std::vector<uint8_t>& after = answer.outputs[i];
    if (after.size() != before.bytes.size()) return "the answer's buffer has another length";
    for (size_t j = 0; j < after.size(); ++j) {
      const bool inside = j >= before.offset && j < before.offset + before.size;
      const size_t at = j - before.offset;
      const bool defined = inside && expected[i].status[at] == ByteStatus::Defined;
      const uint8_t wanted = defined ? expected[i].bytes[at] : before.bytes[j];
      // Our kernels must not write undefined elements either: rows past the count.
      if (after[j] != wanted) {
        return fmt::format("output {} byte {} ({}): {:#04x}, should be {:#04x}", i,
                           static_cast<int64_t>(j) - static_cast<int64_t>(before.offset),
                           !inside   ? "guard"
                           : defined ? "defined"
                                     : "not to be written",
                           after[j], wanted);
      }
    }
  }
  return {};
}

std::string differences(Target& target, const std::vector<Request>& requests) {
  const std::vector<Answer> answers = target.run(requests);
  std::string text;
  for (size_t i = 0; i < requests.size(); ++i) {
    const std::string wrong = difference(requests[i], answers[i]);
    if (!wrong.empty()) text += fmt::format("request {}: {}\n", i, wrong);
  }
  return text;
}

}  // namespace dmlcts::gpu::test
