// Mutants of batch dimensions, and of 64-bit elements.

#include <algorithm>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

using Coordinates = std::vector<uint64_t>;

// Faults in mapping an output element to its input element.
struct Reading {
  // Changes the batch whose tuples are read; the sizes are those of the batch dimensions.
  void (*indicesBatch)(Coordinates& batch, const GatherParts& op) = nullptr;
  // Returns the input dimension from whose end a negative index counts.
  size_t (*wrapAxis)(size_t axis, const GatherParts& op) = nullptr;
  // Changes the input coordinates, batch dimensions included.
  void (*inputAt)(Coordinates& at, const GatherParts& op) = nullptr;
};

uint64_t elementAt(const TensorDesc& tensor, const Coordinates& at) {
  const auto strides = elementStrides(tensor).value();
  uint64_t offset = 0;
  for (size_t axis = 0; axis < at.size(); ++axis) offset += at[axis] * strides[axis];
  return offset;
}

uint64_t wrapped(int64_t index, uint64_t wrapSize, uint64_t size) {
  const int64_t fromStart = index < 0 ? index + static_cast<int64_t>(wrapSize) : index;
  return std::min<uint64_t>(std::max<int64_t>(fromStart, 0), size - 1);
}

uint64_t gathered(const Passage& passage, const GatherParts& op, std::span<const uint32_t> outputAt,
                  const Reading& reading) {
  const size_t rank = op.output.sizes.size();
  const size_t tupleSize = op.tupleSize();
  const size_t blockRank = op.inputDimensionCount - op.batchDimensionCount - tupleSize;
  const size_t firstTupleAxis = rank - blockRank - (op.indicesDimensionCount - 1);
  const auto first = outputAt.begin() + static_cast<ptrdiff_t>(firstTupleAxis);
  const Coordinates batch(first, first + static_cast<ptrdiff_t>(op.batchDimensionCount));

  Coordinates indicesAt(rank, 0);
  for (size_t i = 0; i + 1 < op.indicesDimensionCount; ++i) {
    indicesAt[rank - op.indicesDimensionCount + i] = outputAt[firstTupleAxis + i];
  }
  if (reading.indicesBatch) {
    Coordinates changed = batch;
    reading.indicesBatch(changed, op);
    std::ranges::copy(changed,
                      indicesAt.begin() + static_cast<ptrdiff_t>(rank - op.indicesDimensionCount));
  }

  Coordinates inputAt(rank, 0);
  std::ranges::copy(batch, inputAt.begin() + static_cast<ptrdiff_t>(op.firstInputAxis()));
  const uint32_t width = info(op.indices.type).bytes;
  for (size_t i = 0; i < tupleSize; ++i) {
    indicesAt.back() = i;
    const uint64_t bits =
        loadBits(passage.inputs[1], elementAt(op.indices, indicesAt) * width, width);
    const int64_t index = op.indices.type == DataType::Int32
                              ? static_cast<int32_t>(static_cast<uint32_t>(bits))
                              : static_cast<int64_t>(bits);
    const size_t axis = op.firstIndexedAxis() + i;
    const size_t from = reading.wrapAxis ? reading.wrapAxis(axis, op) : axis;
    inputAt[axis] = wrapped(index, op.input.sizes[from], op.input.sizes[axis]);
  }
  for (size_t axis = rank - blockRank; axis < rank; ++axis) inputAt[axis] = outputAt[axis];
  if (reading.inputAt) reading.inputAt(inputAt, op);
  const uint32_t elementWidth = info(op.input.type).bytes;
  return loadBits(passage.inputs[0], elementAt(op.input, inputAt) * elementWidth, elementWidth);
}

bool hasBatches(const std::optional<GatherParts>& op) { return op && op->batchDimensionCount > 0; }

Mutation misread(Reading reading) {
  return {.after = [reading](Passage& passage) {
    const auto op = gather(passage.descriptor);
    if (!hasBatches(op)) return;
    const auto strides = elementStrides(op->output).value();
    const uint32_t width = info(op->output.type).bytes;
    gpu::BufferImage& image = passage.outputs[0];
    ElementWalk walk(op->output.sizes, strides);
    do {
      storeBits(image.bytes, image.offset + walk.offset() * width, width,
                gathered(passage, *op, walk.coordinate(), reading));
    } while (walk.next());
  }};
}

uint64_t batchesOf(const GatherParts& op) {
  const std::span<const uint32_t> sizes(op.input.sizes);
  return elementCount(sizes.subspan(op.firstInputAxis(), op.batchDimensionCount)).value();
}

// Leaves chosen batches unwritten; batches count in row-major order.
Mutation batchesLost(bool (*lost)(uint64_t batch, uint64_t batches)) {
  return {.after = [lost](Passage& passage) {
    const auto op = gather(passage.descriptor);
    if (!hasBatches(op)) return;
    const uint64_t batches = batchesOf(*op);
    mapOutput(passage, [&](uint64_t index, uint64_t count, uint64_t bits) {
      return lost(index / (count / batches), batches) ? ~bits : bits;
    });
  }};
}

// Changes gathered elements of 8 bytes.
Mutation wideElements(uint64_t (*map)(uint64_t bits)) {
  return {.after = [map](Passage& passage) {
    if (info(inputTensor(passage).type).bytes != 8) return;
    mapOutput(passage, [map](uint64_t, uint64_t, uint64_t bits) { return map(bits); });
  }};
}

// Returns the batch coordinates of input coordinates.
std::span<uint64_t> batchOf(Coordinates& at, const GatherParts& op) {
  return std::span(at).subspan(op.firstInputAxis(), op.batchDimensionCount);
}

uint32_t batchSize(const GatherParts& op, size_t i) {
  return op.input.sizes[op.firstInputAxis() + i];
}

uint64_t strideOf(const TensorDesc& tensor, size_t axis) {
  return elementStrides(tensor).value()[axis];
}

}  // namespace

std::vector<Mutant> batchMutants() {
  return {
      {"batch-of-indices-reversed",
       "Uses the batches of tuples in opposite order.",
       {"gather_nd1.gather"},
       misread({.indicesBatch =
                    [](Coordinates& batch, const GatherParts& op) {
                      for (size_t i = 0; i < batch.size(); ++i) {
                        batch[i] = batchSize(op, i) - 1 - batch[i];
                      }
                    }})},
      {"batch-stride-of-input-for-indices",
       "Steps through batches of tuples as the input does.",
       {"gather_nd1.gather"},
       misread({.indicesBatch =
                    [](Coordinates& batch, const GatherParts& op) {
                      for (size_t i = 0; i < batch.size(); ++i) {
                        batch[i] *= strideOf(op.input, op.firstInputAxis() + i);
                        batch[i] %= batchSize(op, i);
                      }
                    }})},
      {"batch-stride-of-indices-for-input",
       "Steps through batches of the input as indices do.",
       {"gather_nd1.gather"},
       misread({.inputAt =
                    [](Coordinates& at, const GatherParts& op) {
                      const auto batch = batchOf(at, op);
                      const size_t first = op.indices.sizes.size() - op.indicesDimensionCount;
                      for (size_t i = 0; i < batch.size(); ++i) {
                        batch[i] *= strideOf(op.indices, first + i);
                        batch[i] %= batchSize(op, i);
                      }
                    }})},
      {"batch-of-input-next",
       "Takes blocks from the next batch of the input.",
       {"gather_nd1.gather"},
       misread({.inputAt =
                    [](Coordinates& at, const GatherParts& op) {
                      const auto batch = batchOf(at, op);
                      batch.back() = (batch.back() + 1) % batchSize(op, batch.size() - 1);
                    }})},
      {"batch-dimensions-transposed",
       "Takes several batch dimensions in opposite order.",
       {"gather_nd1.gather"},
       misread({.inputAt =
                    [](Coordinates& at, const GatherParts& op) {
                      const auto batch = batchOf(at, op);
                      std::ranges::reverse(batch);
                      for (size_t i = 0; i < batch.size(); ++i) batch[i] %= batchSize(op, i);
                    }})},
      {"first-batch-dimension-only",
       "Knows one batch dimension, the first.",
       {"gather_nd1.gather"},
       misread({.inputAt =
                    [](Coordinates& at, const GatherParts& op) {
                      std::ranges::fill(batchOf(at, op).subspan(1), 0);
                    }})},
      {"last-batch-dimension-only",
       "Knows one batch dimension, the last.",
       {"gather_nd1.gather"},
       misread({.inputAt =
                    [](Coordinates& at, const GatherParts& op) {
                      const auto batch = batchOf(at, op);
                      std::ranges::fill(batch.first(batch.size() - 1), 0);
                    }})},
      {"negative-wraps-without-batches",
       "Counts negative indices from the end of a dimension that it looks up without the batches.",
       {"gather_nd1.negative-indices"},
       misread({.wrapAxis = [](size_t axis,
                               const GatherParts& op) { return axis - op.batchDimensionCount; }})},
      {"batches-past-the-second-lost",
       "Writes two batches at most.",
       {"gather_nd1.gather"},
       batchesLost([](uint64_t batch, uint64_t) { return batch >= 2; })},
      {"upper-dword-lost", "Moves the lower half of 64-bit elements.", kMoved,
       wideElements([](uint64_t bits) { return bits & 0xFFFFFFFFu; })},
  };
}

}  // namespace dmlcts
