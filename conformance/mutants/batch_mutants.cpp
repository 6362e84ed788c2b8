// Mutants of batch dimensions, and of 64-bit elements.

#include <algorithm>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

bool hasBatches(const std::optional<GatherParts>& op) { return op && op->batchDimensionCount > 0; }

std::vector<uint32_t> batchSizes(const GatherParts& op) {
  const auto first = op.input.sizes.begin() + static_cast<ptrdiff_t>(op.firstInputAxis());
  return {first, first + static_cast<ptrdiff_t>(op.batchDimensionCount)};
}

// Changes the coordinates of a batch within the sizes of the batch dimensions.
using ChangeBatch = void (*)(std::span<uint32_t> batch, const std::vector<uint32_t>& sizes,
                             const GatherParts& op);

// Takes each batch of an input, 0 or 1 for the indices, from where `change` leads.
Mutation otherBatch(size_t input, ChangeBatch change) {
  return {.before = [input, change](Passage& passage) {
    const auto op = gather(passage.descriptor);
    if (!hasBatches(op)) return;
    const std::vector<uint32_t> sizes = batchSizes(*op);
    const std::vector<uint64_t> elements = readElements(passage, input);
    const uint64_t each = elements.size() / elementCount(sizes).value();
    std::vector<uint64_t> taken;
    const std::vector<uint64_t> noStrides(sizes.size(), 0);
    ElementWalk walk(sizes, noStrides);
    do {
      std::vector<uint32_t> batch(walk.coordinate().begin(), walk.coordinate().end());
      change(batch, sizes, *op);
      uint64_t from = 0;
      for (size_t i = 0; i < sizes.size(); ++i) from = from * sizes[i] + batch[i];
      const auto first = elements.begin() + static_cast<ptrdiff_t>(from * each);
      taken.insert(taken.end(), first, first + static_cast<ptrdiff_t>(each));
    } while (walk.next());
    replaceElements(passage, input, taken);
  }};
}

// Leaves chosen batches unwritten; batches count in row-major order.
Mutation batchesLost(bool (*lost)(uint64_t batch, uint64_t batches)) {
  return {.after = [lost](Passage& passage) {
    const auto op = gather(passage.descriptor);
    if (!hasBatches(op)) return;
    const uint64_t batches = elementCount(batchSizes(*op)).value();
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

// Returns the batch coordinate that a step of the wrong tensor leads to.
uint32_t stepped(uint32_t batch, const TensorDesc& tensor, size_t axis, uint32_t size) {
  return static_cast<uint32_t>(batch * elementStrides(tensor).value()[axis] % size);
}

}  // namespace

std::vector<Mutant> batchMutants() {
  return {
      {"batch-of-indices-reversed",
       "Uses the batches of tuples in opposite order.",
       {"gather_nd1.gather"},
       otherBatch(1,
                  [](auto batch, const auto& sizes, const auto&) {
                    for (size_t i = 0; i < batch.size(); ++i) batch[i] = sizes[i] - 1 - batch[i];
                  })},
      {"batch-stride-of-input-for-indices",
       "Steps through batches of tuples as the input does.",
       {"gather_nd1.gather"},
       otherBatch(1,
                  [](auto batch, const auto& sizes, const auto& op) {
                    const size_t first = op.firstInputAxis();
                    for (size_t i = 0; i < batch.size(); ++i) {
                      batch[i] = stepped(batch[i], op.input, first + i, sizes[i]);
                    }
                  })},
      {"batch-stride-of-indices-for-input",
       "Steps through batches of the input as indices do.",
       {"gather_nd1.gather"},
       otherBatch(0,
                  [](auto batch, const auto& sizes, const auto& op) {
                    const size_t first = op.indices.sizes.size() - op.indicesDimensionCount;
                    for (size_t i = 0; i < batch.size(); ++i) {
                      batch[i] = stepped(batch[i], op.indices, first + i, sizes[i]);
                    }
                  })},
      {"batch-of-input-next",
       "Takes blocks from the next batch of the input.",
       {"gather_nd1.gather"},
       otherBatch(0, [](auto batch, const auto& sizes,
                        const auto&) { batch.back() = (batch.back() + 1) % sizes.back(); })},
      {"batch-dimensions-transposed",
       "Takes several batch dimensions in opposite order.",
       {"gather_nd1.gather"},
       otherBatch(0,
                  [](auto batch, const auto& sizes, const auto&) {
                    std::ranges::reverse(batch);
                    for (size_t i = 0; i < batch.size(); ++i) batch[i] %= sizes[i];
                  })},
      {"first-batch-dimension-only",
       "Knows one batch dimension, the first.",
       {"gather_nd1.gather"},
       otherBatch(0, [](auto batch, const auto&,
                        const auto&) { std::ranges::fill(batch.subspan(1), 0); })},
      {"last-batch-dimension-only",
       "Knows one batch dimension, the last.",
       {"gather_nd1.gather"},
       otherBatch(0, [](auto batch, const auto&,
                        const auto&) { std::ranges::fill(batch.first(batch.size() - 1), 0); })},
      {"negative-wraps-without-batches",
       "Counts negative indices from the end of a dimension that it looks up without the batches.",
       {"gather_nd1.negative-indices"},
       {.before =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!hasBatches(op)) return;
              mapIndices(passage, [&](int64_t index, size_t axis, uint32_t size) -> int64_t {
                const int64_t other = op->input.sizes[op->firstInputAxis() + axis];
                return index < 0 ? std::clamp<int64_t>(index + other, 0, size - 1) : index;
              });
            }}},
      {"batches-past-the-second-lost",
       "Writes two batches at most.",
       {"gather_nd1.gather"},
       batchesLost([](uint64_t batch, uint64_t) { return batch >= 2; })},
      {"upper-dword-lost", "Moves the lower half of 64-bit elements.", kMoved,
       wideElements([](uint64_t bits) { return bits & 0xFFFFFFFFu; })},
  };
}

}  // namespace dmlcts
