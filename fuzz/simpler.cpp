#include "fuzz/simpler.h"

#include <rapidcheck/Seq.h>
#include <rapidcheck/Shrinkable.h>
#include <rapidcheck/seq/Transform.h>
#include <rapidcheck/shrinkable/Create.h>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/layout.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/run/shrink.h"
#include "fuzz/operators.h"
#include "fuzz/relations.h"
#include "fuzz/resize.h"
#include "fuzz/simpler_rejects.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostWritten = 16;  // values that are spelled out
constexpr size_t kMostBitwise = 3;     // values of which single bits are left out

// A valid case with plainer shapes, packed, simplest first: all elements in one dimension; sizes
// at the boundaries below what they are, which single steps would take long to reach. Some break
// rules that the case keeps: the caller keeps those that do not.
std::vector<Case> simplerShapes(const Case& testCase) {
  std::vector<Case> all;
  if (testCase.expect == Expect::Reject) return all;
  for (Descriptor& descriptor :
       visitEntry(kFuzz, testCase.descriptor,
                  [](const auto& entry, const auto& op) { return entry.plainer(op); })) {
    all.push_back(testCase);
    all.back().descriptor = std::move(descriptor);
  }
  return all;
}

// Whether the candidate asks of a target just what `from` asks.
bool asValid(const Case& candidate, const Case& from) {
  const auto broken = check(candidate.descriptor, candidate.level);
  if (from.expect != Expect::Reject) {
    return broken.empty() && (from.expect == Expect::Accept || !inputProblem(candidate));
  }
  return !broken.empty() && broken.front().rule->id == from.rejectBy &&
         broken.size() <= check(from.descriptor, from.level).size();
}

void dropUnlike(const Case& from, std::vector<Case>& all) {
  std::erase_if(all, [&](const Case& each) { return each == from || !asValid(each, from); });
}

// Strides for those sizes in the way of the tensor's: the same layout, or else the same strides.
std::optional<Sizes> stridesLike(const TensorDesc& tensor, const Sizes& sizes) {
  if (!tensor.strides || sizes.size() > tensor.sizes.size()) return std::nullopt;
  if (const auto layout = findLayout(tensor.sizes, *tensor.strides)) {
    if (const auto strides = layoutStrides(*layout, sizes)) return strides;
  }
  return Sizes(tensor.strides->end() - static_cast<ptrdiff_t>(sizes.size()), tensor.strides->end());
}

// Each tensor of the candidate laid out as in `from`, with as many bytes past its least total size.
Case laidOutLike(const Case& from, Case candidate) {
  const auto before = tensors(from.descriptor);
  const auto after = mutableTensors(candidate.descriptor);
  for (size_t i = 0; i < after.size(); ++i) {
    const TensorDesc& tensor = *before[i].desc;
    const uint64_t excess = tensor.totalBytes - defaultTotalBytes(tensor);
    *after[i] = makeTensor(after[i]->type, after[i]->sizes, stridesLike(tensor, after[i]->sizes));
    after[i]->totalBytes += excess;
  }
  return candidate;
}

bool isPacked(const Case& testCase) {
  return std::ranges::all_of(tensors(testCase.descriptor), [](const TensorSlot& slot) {
    return *slot.desc == makeTensor(slot.desc->type, slot.desc->sizes);
  });
}

// Less of what one tensor has past its least total size, down to the number that matters.
void addLessExcess(const Case& from, std::vector<Case>& all) {
  for (size_t i = 0; i < tensors(from.descriptor).size(); ++i) {
    const TensorDesc& tensor = *tensors(from.descriptor)[i].desc;
    const uint64_t least = defaultTotalBytes(tensor);
    if (tensor.totalBytes <= least) continue;
    if (tensor.strides) {
      all.push_back(from);
      TensorDesc& packed = *mutableTensors(all.back().descriptor)[i];
      packed = makeTensor(tensor.type, tensor.sizes);
      packed.totalBytes += tensor.totalBytes - least;
    }
    for (uint64_t less = tensor.totalBytes - least; less >= 4; less = less / 2 / 4 * 4) {
      all.push_back(from);
      mutableTensors(all.back().descriptor)[i]->totalBytes -= less;
    }
  }
}

// Where nothing is executed, contents do not matter: no other ones than zeros.
void keepPlainContents(const Case& from, std::vector<Case>& all) {
  std::erase_if(all, [&](const Case& candidate) {
    const bool refilled = candidate.fill != from.fill && candidate.fill.kind != FillKind::Zeros;
    const bool reindexed = candidate.index != from.index && candidate.index != IndexFill{};
    return refilled || reindexed;
  });
}

// The input, and what has to be of its type.
void retypeData(Case& testCase, DataType to) {
  retypeInput(testCase.descriptor,
              [&](TensorDesc& tensor) { tensor = makeTensor(to, tensor.sizes, tensor.strides); });
}

// Every tensor packed and of its least total size, dimensions in front of it dropped.
void addPlainer(const Case& from, std::vector<Case>& all) {
  const auto add = [&](Case candidate) { all.push_back(std::move(candidate)); };
  Case packed = from;
  for (TensorDesc* tensor : mutableTensors(packed.descriptor)) {
    *tensor = makeTensor(tensor->type, tensor->sizes);
  }
  add(std::move(packed));

  if (from.level != Level::L6_4) {
    Case newest = from;
    newest.level = Level::L6_4;
    add(std::move(newest));
  }
  using enum FillKind;
  constexpr std::array kPlain{Zeros, MinusZero, Ones, First, Last, Alternate, Values};
  if (!hasIndices(from.descriptor) && std::ranges::find(kPlain, from.fill.kind) == kPlain.end()) {
    Case ones = from;
    ones.fill = {Ones, 0, {}};
    ones.seed = 0;
    add(std::move(ones));
  }
  if (from.seed != 0) {
    Case seedless = from;
    seedless.seed = 0;
    add(std::move(seedless));
  }
  const auto slots = tensors(from.descriptor);
  const DataType type = slots.front().desc->type;
  // A fill's values are bits of the type.
  for (DataType plainer : {DataType::UInt8, DataType::UInt32, DataType::Float32}) {
    if (plainer == type || from.fill.kind == FillKind::Values) break;
    Case candidate = from;
    retypeData(candidate, plainer);
    add(std::move(candidate));
  }
  const auto indicesAt = indicesSlot(from.descriptor);
  if (indicesAt && from.index.kind != IndexKind::Values) {
    for (DataType plainer : {DataType::UInt32, DataType::Int32}) {
      if (plainer == slots[*indicesAt].desc->type) break;
      Case candidate = from;
      TensorDesc& indices = *mutableTensors(candidate.descriptor)[*indicesAt];
      indices = makeTensor(plainer, indices.sizes, indices.strides);
      add(std::move(candidate));
    }
  }
  if (from.expect != Expect::Execute) {
    Case plain = from;
    plain.fill = {FillKind::Zeros, 0, {}};
    plain.index = {};
    plain.seed = 0;
    add(std::move(plain));
  }
}

// The input's values spelled out, without a seed; and of these, plainer ones.
void addWrittenValues(const Case& from, std::vector<Case>& all) {
  if (from.expect != Expect::Execute) return;
  if (from.fill.kind != FillKind::Values) {
    const auto count = elementCount(tensors(from.descriptor).front().desc->sizes);
    if (count.value_or(0) > kMostWritten) return;
    Case written = from;
    written.fill = {FillKind::Values, 0, inputElements(from, 0)};
    written.seed = 0;
    all.push_back(std::move(written));
    return;
  }
  for (size_t i = 0; i < from.fill.values.size(); ++i) {
    for (uint64_t plainer : {0, 1}) {
      if (from.fill.values[i] <= plainer) continue;
      Case candidate = from;
      candidate.fill.values[i] = plainer;
      all.push_back(std::move(candidate));
    }
    if (from.fill.values.size() <= kMostBitwise) {
      for (uint64_t bit = std::bit_floor(from.fill.values[i]); bit > 0; bit /= 2) {
        if (!(from.fill.values[i] & bit) || from.fill.values[i] == bit) continue;
        Case candidate = from;
        candidate.fill.values[i] ^= bit;
        all.push_back(std::move(candidate));
      }
    }
    if (from.fill.values.size() == 1) continue;
    Case shorter = from;
    shorter.fill.values.erase(shorter.fill.values.begin() + static_cast<ptrdiff_t>(i));
    all.push_back(std::move(shorter));
  }
}

uint64_t executedElements(const Case& testCase) {
  if (testCase.expect != Expect::Execute) return 0;
  uint64_t most = 0;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    most = std::max(most, elementCount(slot.desc->sizes).value_or(0));
  }
  return most;
}

rc::Shrinkable<Case> treeOf(const Case& root) {
  return rc::shrinkable::shrinkRecur(
      Case(root), [](const Case& from) { return rc::seq::fromContainer(simplerFuzzCases(from)); });
}

}  // namespace

std::vector<Case> simplerFuzzCases(const Case& testCase) {
  std::vector<Case> all;
  addPlainer(testCase, all);
  if (testCase.expect == Expect::Reject) {
    std::ranges::move(simplerRejects(testCase), std::back_inserter(all));
    dropUnlike(testCase, all);
    return all;
  }
  std::ranges::move(simplerShapes(testCase), std::back_inserter(all));
  std::ranges::move(simplerCases(testCase), std::back_inserter(all));
  if (!isPacked(testCase)) {
    // All of those are packed wherever they are of other sizes.
    for (size_t i = 0, count = all.size(); i < count; ++i) {
      all.push_back(laidOutLike(testCase, all[i]));
    }
  }
  addWrittenValues(testCase, all);
  addLessExcess(testCase, all);
  if (testCase.expect == Expect::Accept) keepPlainContents(testCase, all);
  dropUnlike(testCase, all);
  return all;
}

Shrunk shrinkFuzzCase(const Case& testCase, const std::function<bool(const Case&)>& stillFails,
                      ShrinkBudget budget) {
  Shrunk shrunk{testCase, 0, 0};
  std::unordered_set<std::string> seen{caseString(testCase)};
  auto neighbours = treeOf(testCase).shrinks();
  for (auto next = neighbours.next(); next && shrunk.tries < budget.tries;
       next = neighbours.next()) {
    Case candidate = next->value();
    if (!seen.insert(caseString(candidate)).second) continue;
    const uint64_t elements = executedElements(candidate);
    if (elements > budget.elements) continue;
    budget.elements -= elements;
    ++shrunk.tries;
    if (!stillFails(candidate)) continue;
    ++shrunk.steps;
    shrunk.smallest = std::move(candidate);
    neighbours = next->shrinks();
  }
  return shrunk;
}

}  // namespace dmlcts
