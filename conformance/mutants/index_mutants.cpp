// Mutants of index tuples: sign, width, position in the tuple.

#include <fmt/format.h>

#include <algorithm>

#include "conformance/mutants/catalogue.h"
#include "conformance/mutants/tamper.h"
#include "reference/element.h"

namespace dmlcts {
namespace {

Mutation indicesChanged(int64_t (*change)(int64_t index, uint32_t size)) {
  return {.before = [change](Passage& passage) {
    mapIndices(passage, [&](int64_t index, size_t, uint32_t size) { return change(index, size); });
  }};
}

Mutation tuplesChanged(void (*change)(std::vector<uint64_t>& indices, size_t tupleSize)) {
  return {.before = [change](Passage& passage) {
    const auto op = gather(passage.descriptor);
    if (!op) return;
    std::vector<uint64_t> indices = readElements(passage, 1);
    change(indices, op->tupleSize());
    replaceElements(passage, 1, indices);
  }};
}

// Does not write output elements from number `most` on.
template <uint64_t most>
Mutation outputLostPast() {
  return {.after = [](Passage& passage) {
    mapOutput(passage,
              [](uint64_t index, uint64_t, uint64_t bits) { return index >= most ? ~bits : bits; });
  }};
}

// Does not write beyond the groups of one dispatch dimension.
template <uint64_t threads>
Mutant dispatchNotRun() {
  return {fmt::format("dispatch-not-run-of-{}", threads),
          fmt::format("Does not write outputs past 65,535 groups of {} threads.", threads),
          kMoved,
          outputLostPast<65535 * threads>(),
          {},
          threads > 256 ? "large" : "default"};
}

}  // namespace

std::vector<Mutant> indexMutants() {
  return {
      {"negative-index-ignored",
       "Takes negative indices for 0.",
       {"gather_nd.negative-indices", "gather_nd1.negative-indices"},
       indicesChanged([](int64_t index, uint32_t) { return std::max<int64_t>(index, 0); })},
      {"negative-index-magnitude",
       "Takes the magnitude of a negative index.",
       {"gather_nd.negative-indices", "gather_nd1.negative-indices"},
       indicesChanged([](int64_t index, uint32_t size) {
         return index < 0 ? std::min<int64_t>(-index, size - 1) : index;
       })},
      {"negative-64-bit-ignored",
       "Wraps negative indices in INT32 only.",
       {"gather_nd.negative-indices", "gather_nd1.negative-indices"},
       {.before =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!op || op->indices.type != DataType::Int64) return;
              mapIndices(passage, [](int64_t index, size_t, uint32_t) {
                return std::max<int64_t>(index, 0);
              });
            }}},
      {"negative-wraps-last-dimension",
       "Wraps every negative index by the last tuple dimension.",
       {"gather_nd.negative-indices", "gather_nd1.negative-indices"},
       {.before =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!op || op->tupleSize() < 2) return;
              const int64_t last = op->input.sizes[op->firstIndexedAxis() + op->tupleSize() - 1];
              mapIndices(passage, [last](int64_t index, size_t, uint32_t) {
                return index < 0 ? std::max<int64_t>(index + last, 0) : index;
              });
            }}},
      {"index-16-bit", "Keeps indices in 16 bits.", kMoved,
       indicesChanged([](int64_t index, uint32_t) { return index < 0 ? index : index & 0xFFFF; })},
      {"index-float32",
       "Keeps indices in FLOAT32, which lacks 2^24 + 1.",
       kMoved,
       indicesChanged([](int64_t index, uint32_t size) {
         const auto rounded = static_cast<int64_t>(static_cast<float>(index));
         return std::min<int64_t>(rounded, size - 1);
       }),
       {},
       "default"},
      {"last-index-clamped", "Clamps indices to one before the end of the dimension.", kMoved,
       indicesChanged([](int64_t index, uint32_t size) {
         return index == static_cast<int64_t>(size) - 1 && size > 1 ? index - 1 : index;
       })},
      {"tuple-reversed", "Applies the coordinates of a tuple in opposite order.", kMoved,
       tuplesChanged([](std::vector<uint64_t>& indices, size_t tupleSize) {
         for (size_t at = 0; at < indices.size(); at += tupleSize) {
           std::reverse(indices.begin() + static_cast<ptrdiff_t>(at),
                        indices.begin() + static_cast<ptrdiff_t>(at + tupleSize));
         }
       })},
      {"tuple-last-coordinate-lost", "Ignores the last coordinate of tuples of two or more.",
       kMoved, tuplesChanged([](std::vector<uint64_t>& indices, size_t tupleSize) {
         for (size_t at = tupleSize - 1; tupleSize > 1 && at < indices.size(); at += tupleSize) {
           indices[at] = 0;
         }
       })},
      {"repeated-tuple-skipped",
       "Moves the block of a repeated tuple only once.",
       kMoved,
       {.after =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!op) return;
              const auto indices = readElements(passage, 1);
              const size_t tupleSize = op->tupleSize();
              const uint64_t block = op->blockElements();
              const auto same = [&](size_t a, size_t b) {
                return std::equal(indices.begin() + static_cast<ptrdiff_t>(a * tupleSize),
                                  indices.begin() + static_cast<ptrdiff_t>((a + 1) * tupleSize),
                                  indices.begin() + static_cast<ptrdiff_t>(b * tupleSize));
              };
              mapOutput(passage, [&](uint64_t index, uint64_t, uint64_t bits) {
                const size_t tuple = index / block;
                return tuple > 0 && same(tuple, tuple - 1) ? ~bits : bits;
              });
            }}},
      {"block-end-lost",
       "Moves no more than 2^20 elements of a block.",
       kMoved,
       {.after =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!op) return;
              const uint64_t block = op->blockElements();
              mapOutput(passage, [&](uint64_t index, uint64_t, uint64_t bits) {
                return index % block >= (1 << 20) ? ~bits : bits;
              });
            }},
       {},
       "default"},
      {"second-dispatch-not-run", "Does not write outputs past 65,535 groups of 4 elements.",
       kMoved, outputLostPast<65535 * 4>()},
      dispatchNotRun<64>(),
      dispatchNotRun<128>(),
      dispatchNotRun<256>(),
      dispatchNotRun<512>(),
      {"block-tail-lost",
       "Moves blocks in units of 16 bytes and forgets the rest.",
       kMoved,
       {.after =
            [](Passage& passage) {
              const auto op = gather(passage.descriptor);
              if (!op) return;
              const uint64_t block = op->blockElements();
              const uint64_t unit = 16 / info(op->output.type).bytes;
              if (block < unit) return;
              mapOutput(passage, [&](uint64_t index, uint64_t, uint64_t bits) {
                return index % block >= block / unit * unit ? ~bits : bits;
              });
            }}},
  };
}

}  // namespace dmlcts
