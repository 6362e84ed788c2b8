#include "fuzz/generators.h"

#include <algorithm>

#include "conformance/facts/operators.h"
#include "conformance/inputs/problems.h"
#include "conformance/inputs/streamed_inputs.h"
#include "conformance/language/build.h"
#include "conformance/language/element_text.h"
#include "conformance/language/hash.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/generate.h"
#include "fuzz/relations.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Larger near-valid cases are only created, because filling them takes too long.
constexpr uint64_t kMostExecutedBytes = 8u << 20;

constexpr std::string_view kValid = "fuzz.valid";
constexpr std::string_view kNearValid = "fuzz.near-valid";
constexpr std::string_view kWild = "fuzz.wild";

// One case in this many has more than two chunks of tiles to scan (gpu/shaders/constants.h), which
// takes about a second. Its index is fixed, so that every run of a minute includes it.
constexpr uint64_t kHugeEvery = 1u << 18;
constexpr uint64_t kHugeAt = 20000;
constexpr uint64_t kExampleEvery = 4;
constexpr uint32_t kHugeElements = (1u << 24) + 1;

// Draws a level, mostly one at which an operator changes.
Level drawLevel(Choices& choices, Level from) {
  const auto first = std::ranges::find(kLevels, from);
  if (choices.oneIn(2)) {
    return *(first +
             static_cast<ptrdiff_t>(choices.below(static_cast<uint64_t>(kLevels.end() - first))));
  }
  const Level level = choices.of({Level::L2_1, Level::L3_0, Level::L3_1, Level::L4_0, Level::L6_4});
  return std::max(level, from);
}

// Draws the maximum elements of a tensor for a size below kSizes: mostly few.
uint64_t elementBudget(Choices& choices, uint64_t size) {
  if (size < 75) return 1 + choices.below(64);
  if (size < 95) return choices.oneIn(4) ? 1024 : 256;
  // 60,000: more than a tile of 16,384 in most shapes.
  if (size < 99) return choices.oneIn(2) ? choices.of({8200, 60'000}) : 1024;
  // A case of 300,000 elements takes as long as hundreds of small ones.
  if (!choices.oneIn(24)) return choices.oneIn(16) ? 70000 : 4100;
  return choices.oneIn(4) ? 1'100'000 : 300'000;
}

// Returns the numbers of the level's operators with an indices tensor.
std::vector<uint8_t> gatheringOperators(Level level) {
  std::vector<uint8_t> numbers;
  for (uint8_t op = 0; op < operatorFacts().size(); ++op) {
    const OperatorFacts& facts = operatorFacts()[op];
    if (facts.indicesSlot && !facts.dataTypes(level).empty()) numbers.push_back(op);
  }
  return numbers;
}

std::vector<uint64_t> drawValues(Choices& choices, DataType type) {
  const uint64_t mask = elementMask(type);
  const uint64_t top = mask ^ (mask >> 1);
  std::vector<uint64_t> values(choices.between(1, 5));
  for (uint64_t& value : values) {
    value = choices.of<uint64_t>({0, 0, 1, top, top | 1, mask, mask >> 1, choices.bits()}) & mask;
  }
  return values;
}

Fill drawFill(Choices& choices, const TensorDesc& tensor, bool gathers) {
  const uint64_t elements = elementCount(tensor.sizes).value();
  auto kind = choices.of(std::span(kFillKinds).first<kFillKinds.size() - 1>());  // no file
  // In a gather, constant fills prove nothing: any element would do.
  const bool constant = kind.kind == FillKind::Zeros || kind.kind == FillKind::Ones;
  if (constant && gathers && elements > 1 && !choices.oneIn(20)) kind = info(FillKind::Unique);
  Fill fill{kind.kind, 0, {}};
  switch (kind.argument) {
    case FillArgument::None:
    case FillArgument::File:
      break;
    case FillArgument::Number:
      fill.number = choices.oneIn(2) ? choices.boundary(elements) : 1 + choices.below(elements);
      if (kind.kind == FillKind::Single && choices.oneIn(2)) fill.number = elements - 1;
      break;
    case FillArgument::Probability:
      fill.number = choices.of<uint64_t>({1, 1000, 50'000, 500'000, 950'000, 999'999});
      break;
    case FillArgument::Values:
      fill.values = drawValues(choices, tensor.type);
      break;
  }
  return fill;
}

IndexFill drawIndexFill(Choices& choices, const TensorDesc& indices) {
  const bool isSigned = info(indices.type).isSigned;
  // All kinds but Wild and Values; Negative and AllNegative need a signed type.
  const auto kinds = static_cast<uint64_t>(isSigned ? IndexKind::Wild : IndexKind::Negative);
  return {static_cast<IndexKind>(choices.below(kinds)), {}};
}

void drawContents(Choices& choices, Case& testCase) {
  testCase.fill = drawFill(choices, *tensors(testCase.descriptor).front().desc,
                           hasIndices(testCase.descriptor));
  if (const auto slot = indicesSlot(testCase.descriptor)) {
    testCase.index = drawIndexFill(choices, *tensors(testCase.descriptor)[*slot].desc);
  }
  testCase.seed = choices.below(1'000'000);
}

// Binds a tensor near offsets that a driver may assume.
void drawOffset(Choices& choices, Case& testCase) {
  const auto slots = tensors(testCase.descriptor);
  const size_t slot = choices.below(slots.size());
  const uint32_t multiple =
      std::max(kMinimumBufferTensorAlignment, slots[slot].desc->baseOffsetAlignment);
  const uint32_t around = choices.of({0u, 64u, 256u, 4096u, 65536u}) / multiple;
  testCase.offsets[slot] = multiple * (around + choices.of({0u, 1u, 2u}));
}

Case drawValid(Choices& choices, uint64_t size) {
  Case testCase;
  testCase.level = drawLevel(choices, Level::L2_1);
  testCase.descriptor = generate(choices, anythingAt(testCase.level, elementBudget(choices, size)));
  testCase.family = kValid;
  drawContents(choices, testCase);
  if (choices.oneIn(16)) drawOffset(choices, testCase);
  return testCase;
}

// True if the documents let a target accept it.
bool isLeftOpen(const Case& testCase) {
  return std::ranges::any_of(
      check(testCase.descriptor, testCase.level),
      [](const BrokenRule& each) { return each.rule->checked != Checked::ByRejecting; });
}

// Makes one or two mutations.
Case mutated(Choices& choices, Case testCase) {
  testCase.family = kNearValid;
  testCase.offsets = {};  // the guaranteed alignment may change
  for (uint64_t times = choices.oneIn(4) ? 2 : 1; times > 0; --times) {
    Case other = testCase;
    mutate(choices, other);
    if (!isLeftOpen(other)) testCase = std::move(other);
  }
  const DataType type = tensors(testCase.descriptor).front().desc->type;
  for (uint64_t& value : testCase.fill.values) value &= elementMask(type);
  expectWhatFollows(testCase);
  return testCase;
}

Case drawNearValid(Choices& choices, uint64_t size) {
  return mutated(choices, drawValid(choices, std::min<uint64_t>(size, 89)));
}

// Draws other contents for an example, and mutates every other.
Case drawLike(Choices& choices, Case testCase) {
  if (testCase.expect == Expect::Execute) {
    testCase.family = kValid;
    drawContents(choices, testCase);
    if (choices.oneIn(2)) return testCase;
  }
  return mutated(choices, std::move(testCase));
}

Case drawWild(Choices& choices, uint64_t size) {
  Case testCase;
  testCase.level = drawLevel(choices, Level::L2_1);
  Wanted wanted = anythingAt(testCase.level, elementBudget(choices, std::min<uint64_t>(size, 97)));
  at(wanted.labels, Parameter::Operator) = choices.of(gatheringOperators(testCase.level));
  testCase.descriptor = generate(choices, wanted);
  testCase.family = kWild;
  drawContents(choices, testCase);
  testCase.index = {IndexKind::Wild, {}};
  return testCase;
}

// Draws an input with enough elements to test more than smaller ones, of one byte each.
Case drawHuge(Choices& choices) {
  Case testCase;
  testCase.level = drawLevel(choices, Level::L4_0);
  testCase.descriptor = makeNonzero(DataType::UInt8, {kHugeElements + choices.between(0, 4096)}, 1);
  testCase.fill = choices.of<Fill>({{FillKind::Density, 500'000, {}},
                                    {FillKind::Runs, choices.boundary(65537), {}},
                                    {FillKind::Edges, 4096, {}},
                                    {FillKind::All, 0, {}}});
  testCase.seed = choices.below(1'000'000);
  testCase.family = kValid;
  return testCase;
}

}  // namespace

Case drawCase(Choices& choices, uint64_t size) {
  const uint64_t share = choices.below(100);
  if (share < 50) return drawValid(choices, size);
  return share < 96 ? drawNearValid(choices, size) : drawWild(choices, size);
}

Case fuzzCase(uint64_t seed, uint64_t index, std::span<const Case> examples) {
  Draws choices(hashBits(seed, 0, index));
  if (index % kHugeEvery == kHugeAt) return drawHuge(choices);
  if (!examples.empty() && index % kExampleEvery == 0) {
    const Case& example = examples[choices.below(examples.size())];
    if (tensorBytes(example) <= kMostExecutedBytes) return drawLike(choices, example);
  }
  return drawCase(choices, index % kSizes);
}

void expectWhatFollows(Case& testCase) {
  testCase.rejectBy.clear();
  const auto broken = check(testCase.descriptor, testCase.level);
  if (!broken.empty()) {
    testCase.expect = Expect::Reject;
    testCase.rejectBy = broken.front().rule->id;
    return;
  }
  testCase.expect = Expect::Accept;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    // Also limit elements: billions may share an address.
    if (slot.desc->totalBytes > kMostExecutedBytes ||
        elementCount(slot.desc->sizes).value() > kMostExecutedBytes) {
      return;
    }
  }
  testCase.expect = Expect::Execute;
  if (!inputProblem(testCase)) return;
  if (testCase.index.kind == IndexKind::Negative || testCase.index.kind == IndexKind::AllNegative) {
    testCase.index = {};  // the index type may have become an unsigned one
    if (!inputProblem(testCase)) return;
  }
  testCase.expect = Expect::Accept;
}

}  // namespace dmlcts
