#include "fuzz/generators.h"

#include <rapidcheck/Random.h>
#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>

#include "conformance/cases/element_text.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/hash.h"
#include "conformance/cases/operator_syntax.h"
#include "fuzz/choice.h"
#include "fuzz/descriptors.h"
#include "fuzz/mutations.h"
#include "fuzz/shapes.h"
#include "fuzz/simpler.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Near-valid cases with more than this are only created: it is not worth the time to fill them.
constexpr uint64_t kMostExecutedBytes = 8u << 20;

constexpr std::string_view kValid = "fuzz.valid";
constexpr std::string_view kNearValid = "fuzz.near-valid";
constexpr std::string_view kWild = "fuzz.wild";

// As many cases of a seed as it takes to go once through rapidcheck's sizes.
constexpr uint64_t kSizes = 101;

// One case of so many has more than two chunks of tiles to scan (gpu/shaders/layout.h), which takes
// a second or so. Always the same one, so that no run of a minute lacks it.
constexpr uint64_t kHugeEvery = 1u << 18;
constexpr uint64_t kHugeAt = 20000;
constexpr uint32_t kHugeElements = (1u << 24) + 1;

std::vector<uint64_t> drawValues(Choice& choice, DataType type) {
  const uint64_t mask = elementMask(type);
  const uint64_t top = mask ^ (mask >> 1);
  std::vector<uint64_t> values(choice.between(1, 5));
  for (uint64_t& value : values) {
    value = choice.of<uint64_t>({0, 0, 1, top, top | 1, mask, mask >> 1, choice.bits()}) & mask;
  }
  return values;
}

Fill drawFill(Choice& choice, const TensorDesc& tensor, bool gathers) {
  const uint64_t elements = elementCount(tensor.sizes).value();
  auto kind = choice.of(kFillKinds);
  // Where elements are gathered these prove nothing: any element would do.
  const bool constant = kind.kind == FillKind::Zeros || kind.kind == FillKind::Ones;
  if (constant && gathers && !choice.oneIn(20)) kind = info(FillKind::Unique);
  Fill fill{kind.kind, 0, {}};
  switch (kind.argument) {
    case FillArgument::None:
      break;
    case FillArgument::Number:
      fill.number = choice.oneIn(2) ? drawBoundary(choice, elements) : 1 + choice.below(elements);
      if (kind.kind == FillKind::Single && choice.oneIn(2)) fill.number = elements - 1;
      break;
    case FillArgument::Probability:
      fill.number = choice.of<uint64_t>({1, 1000, 50'000, 500'000, 950'000, 999'999});
      break;
    case FillArgument::Values:
      fill.values = drawValues(choice, tensor.type);
      break;
  }
  return fill;
}

IndexFill drawIndexFill(Choice& choice, const TensorDesc& indices) {
  const bool isSigned = info(indices.type).isSigned;
  // All kinds but the last two, Wild and Values; the two before them need a signed type.
  const auto kinds = static_cast<uint64_t>(isSigned ? IndexKind::Wild : IndexKind::Negative);
  return {static_cast<IndexKind>(choice.below(kinds)), {}};
}

void drawContents(Choice& choice, Case& testCase) {
  testCase.fill =
      drawFill(choice, *tensors(testCase.descriptor).front().desc, hasIndices(testCase.descriptor));
  if (const auto slot = indicesSlot(testCase.descriptor)) {
    testCase.index = drawIndexFill(choice, *tensors(testCase.descriptor)[*slot].desc);
  }
  testCase.seed = choice.below(1'000'000);
}

Case drawValid(Choice& choice, int size) {
  Case testCase;
  testCase.level = drawLevel(choice, Level::L2_1);
  testCase.descriptor = drawDescriptor(choice, testCase.level, size);
  testCase.family = kValid;
  drawContents(choice, testCase);
  return testCase;
}

// Whether the documents leave open if a target accepts it.
bool isLeftOpen(const Case& testCase) {
  return std::ranges::any_of(
      check(testCase.descriptor, testCase.level),
      [](const BrokenRule& each) { return each.rule->checked != Checked::ByRejecting; });
}

Case drawNearValid(Choice& choice, int size) {
  Case testCase = drawValid(choice, std::min(size, 89));
  testCase.family = kNearValid;
  for (uint64_t times = choice.oneIn(4) ? 2 : 1; times > 0; --times) {
    Case mutated = testCase;
    mutate(choice, mutated);
    if (!isLeftOpen(mutated)) testCase = std::move(mutated);
  }
  const DataType type = tensors(testCase.descriptor).front().desc->type;
  for (uint64_t& value : testCase.fill.values) value &= elementMask(type);
  expectWhatFollows(testCase);
  return testCase;
}

Case drawWild(Choice& choice, int size) {
  Case testCase;
  testCase.level = drawLevel(choice, Level::L2_1);
  testCase.descriptor = drawGatheringDescriptor(choice, testCase.level, std::min(size, 97));
  testCase.family = kWild;
  drawContents(choice, testCase);
  testCase.index = {IndexKind::Wild, {}};
  return testCase;
}

// As large as it has to be, and apart from that as cheap as it gets.
Case drawHuge(Choice& choice) {
  Case testCase;
  testCase.level = drawLevel(choice, Level::L4_0);
  testCase.descriptor = drawHugeDescriptor(choice, kHugeElements + choice.between(0, 4096));
  testCase.fill = choice.of<Fill>({{FillKind::Density, 500'000, {}},
                                   {FillKind::Runs, drawBoundary(choice, 65537), {}},
                                   {FillKind::Edges, 4096, {}},
                                   {FillKind::All, 0, {}}});
  testCase.seed = choice.below(1'000'000);
  testCase.family = kValid;
  return testCase;
}

Case drawAny(Choice& choice, int size) {
  const uint64_t share = choice.below(100);
  if (share < 50) return drawValid(choice, size);
  return share < 96 ? drawNearValid(choice, size) : drawWild(choice, size);
}

rc::Shrinkable<Case> shrinkable(Case value) {
  return rc::shrinkable::shrinkRecur(std::move(value), [](const Case& from) {
    return rc::seq::fromContainer(simplerFuzzCases(from));
  });
}

rc::Gen<Case> generator(Case (*draw)(Choice&, int)) {
  return rc::Gen<Case>([draw](const rc::Random& random, int size) {
    Choice choice(random);
    return shrinkable(draw(choice, size));
  });
}

}  // namespace

rc::Gen<Case> validCases() { return generator(drawValid); }
rc::Gen<Case> nearValidCases() { return generator(drawNearValid); }
rc::Gen<Case> wildCases() { return generator(drawWild); }
rc::Gen<Case> fuzzCases() { return generator(drawAny); }

Case fuzzCase(uint64_t seed, uint64_t index) {
  Choice choice(rc::Random(hashBits(seed, 0, index)));
  if (index % kHugeEvery == kHugeAt) return drawHuge(choice);
  return drawAny(choice, static_cast<int>(index % kSizes));
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
    // Elements too: billions of them may share an address.
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
