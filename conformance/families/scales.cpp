// Sizes around every power of two from 2^12 to 2^22, each with every data type, with none, few,
// half or all of the elements non-zero, with slices from one element to many, and with strides on
// the input, on the output and on both. Totals, alignments and offsets vary with them.

#include "conformance/families/families.h"
#include "conformance/families/gather_parts.h"
#include "conformance/language/build.h"
#include "conformance/language/operator_syntax.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint32_t kFirstPower = 12;
constexpr uint32_t kLastPower = 22;
constexpr uint32_t kMostInAllVariants = (1 << 20) + 1;  // larger ones take turns, and take less
constexpr uint32_t kVariants = 4;                       // of density or slice, and of layouts

// Gaps between the rows of a tensor, or between the elements of a single row.
void spread(TensorDesc& tensor) {
  if (tensor.sizes.size() > 1 && tensor.sizes.back() < elementCount(tensor.sizes).value()) {
    setLayout(tensor, LayoutKind::Pad, {3});
  } else {
    setLayout(tensor, LayoutKind::Step, {2});
  }
}

// The input, the output that follows it, both or neither: bits 0 and 1.
void spread(Descriptor& descriptor, uint64_t which) {
  if (which & 1) spread(*mutableTensors(descriptor)[0]);
  if (which & 2) spread(*mutableTensors(descriptor)[factsOf(descriptor).outputSlot]);
}

// The case added last, with an excess of one tensor's total, an alignment and an offset.
void vary(Descriptor& descriptor, uint64_t i) {
  const auto slots = mutableTensors(descriptor);
  slots[i % slots.size()]->totalBytes += rotate(std::vector<uint64_t>{0, 4, 252, 65'536}, i / 3);
  slots[i / 2 % slots.size()]->baseOffsetAlignment = rotate(std::vector<uint32_t>{0, 16, 256}, i);
}

void add(CaseList& list, Level level, Descriptor descriptor, const Fill& values, IndexKind indices,
         uint64_t i) {
  const bool isLarge = elementCount(tensors(descriptor)[0].desc->sizes) > kMostInAllVariants;
  spread(descriptor, (i + i / kVariants) % (isLarge ? 2 : kVariants));
  vary(descriptor, i);
  const size_t slots = tensors(descriptor).size();
  list.execute(level, std::move(descriptor), values, index(indices));
  list.bindAt(i % slots, rotate(std::vector<uint32_t>{0, 256, 4096, 65'536}, i / 5));
}

// A shape of `count` elements or up to 16 more.
Sizes shapeOf(uint32_t count, uint64_t i) {
  switch (i % 4) {
    case 0:
      return {count};
    case 1:
      return {2, (count + 1) / 2};
    case 2:
      return {(count + 4) / 5, 5};
    default:
      return {2, 2, (count + 11) / 12, 3};
  }
}

void addNonzeroScale(CaseList& list, uint32_t count, uint64_t variant, uint64_t i) {
  const std::vector<Fill> densities{fill(FillKind::MinusZero), density(200), density(500'000),
                                    fill(FillKind::All)};
  const Sizes sizes = count > kMostInAllVariants ? Sizes{count} : shapeOf(count, i / 3);
  const auto rank = static_cast<uint32_t>(sizes.size());
  add(list, rotate(nonzeroLevels(rank), i), makeNonzero(rotate(documentedTypes(), i), sizes, rank),
      densities[variant], IndexKind::Random, i);
  // All are non-zero, in more than 65,535 groups of 64.
  if (count == (1 << kLastPower) - 1) list.keepInSmoke();
}

template <class Operator>
void addGatherScale(CaseList& list, uint32_t count, uint64_t variant, uint64_t i) {
  const DataType type = rotate(typesOf<Operator>(), i);
  const Level level = rotate(levelsOf<Operator>(type, 3), i);
  const DataType indexType = rotate(indexTypes(level), i / 2);
  const uint32_t texel = 16 / info(type).bytes;
  const uint32_t slice =
      std::vector<uint32_t>{count > kMostInAllVariants ? 2u : 1u, 3, texel, 257}[variant];
  const uint32_t batches = largeBatches<Operator>;
  const uint32_t rows = (count + slice * batches - 1) / (slice * batches);
  const IndexKind kind = info(indexType).isSigned ? IndexKind::Negative : IndexKind::Random;
  Operator op = makeVaried<Operator>(type, indexType, 3, {101, slice}, {rows}, 1, 1);
  add(list, level, op, fill(FillKind::Unique), kind, i);
}

}  // namespace

void addScales(CaseList& list) {
  for (const OperatorFacts* op : list.operators()) {
    uint64_t i = 0;
    for (uint32_t power = kFirstPower; power <= kLastPower; ++power) {
      for (int offset : {-1, 0, 1}) {
        const auto count = static_cast<uint32_t>((1 << power) + offset);
        const uint64_t variants = count > kMostInAllVariants ? 1 : kVariants;
        for (uint64_t turn = 0; turn < variants; ++turn, ++i) {
          visitKind(
              *op,
              [&]<class Operator>(const Operator&) {
                addGatherScale<Operator>(list, count, i % kVariants, i);
              },
              [&](const auto&) { addNonzeroScale(list, count, i % kVariants, i); });
          if (offset == 1 && (power == 12 || power == 15)) list.keepInSmoke();
        }
      }
    }
  }
}

}  // namespace dmlcts
