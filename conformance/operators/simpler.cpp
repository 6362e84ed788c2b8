#include "conformance/operators/simpler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "conformance/inputs/inputs.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/build.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/operators.h"
#include "conformance/operators/resize.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostWritten = 16;  // elements whose values are written out
constexpr size_t kMostBitwise = 3;     // values from which single bits are removed
constexpr size_t kMostValues = 1024;   // that are simplified one by one

// True if the candidate demands the same of a target as `from`.
bool asValid(const Case& candidate, const Case& from) {
  const auto broken = check(candidate.descriptor, candidate.level);
  if (from.expect != Expect::Reject) {
    return broken.empty() && (from.expect == Expect::Accept || !inputProblem(candidate));
  }
  const auto before = check(from.descriptor, from.level);
  const auto breaks = [&](const BrokenRule& each) {
    return std::ranges::find(before, each.rule, &BrokenRule::rule) != before.end();
  };
  return !broken.empty() && broken.front().rule->id == from.rejectBy &&
         broken.size() <= before.size() && std::ranges::all_of(broken, breaks);
}

void dropUnlike(const Case& from, std::vector<Case>& all) {
  std::erase_if(all, [&](const Case& each) { return each == from || !asValid(each, from); });
}

// Returns strides for those sizes that resemble the tensor's: the same layout, or else the same
// trailing strides.
std::optional<Sizes> stridesLike(const TensorDesc& tensor, const Sizes& sizes) {
  if (!tensor.strides || sizes.size() > tensor.sizes.size()) return std::nullopt;
  if (const auto layout = findLayout(tensor.sizes, *tensor.strides)) {
    if (const auto strides = layoutStrides(*layout, sizes)) return strides;
  }
  return Sizes(tensor.strides->end() - static_cast<ptrdiff_t>(sizes.size()), tensor.strides->end());
}

// Lays out each tensor of the candidate as in `from`, with the same excess over its smallest total
// size.
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

// Reduces one tensor's excess over its smallest total size, down to the amount that matters.
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

// Simplifies one tensor: packed, smallest total size, no alignment or flags, shorter strides.
void addSimplerLayouts(const Case& from, std::vector<Case>& all) {
  for (size_t i = 0; i < tensors(from.descriptor).size(); ++i) {
    const auto changed = [&](const auto& change) {
      Case candidate = from;
      change(*mutableTensors(candidate.descriptor)[i]);
      all.push_back(std::move(candidate));
    };
    changed([](TensorDesc& tensor) { tensor = makeTensor(tensor.type, tensor.sizes); });
    changed([](TensorDesc& tensor) { tensor.totalBytes = defaultTotalBytes(tensor); });
    changed([](TensorDesc& tensor) { tensor.baseOffsetAlignment = 0; });
    changed([](TensorDesc& tensor) { tensor.flags = 0; });
    const TensorDesc& tensor = *tensors(from.descriptor)[i].desc;
    for (size_t axis = 0; tensor.strides && axis < tensor.strides->size(); ++axis) {
      for (uint32_t stride : {0u, 1u, (*tensor.strides)[axis] / 2}) {
        changed([&](TensorDesc& copy) {
          changeShape(copy, [&](TensorDesc& shorter) {
            (*shorter.strides)[axis] = std::min((*shorter.strides)[axis], stride);
          });
        });
      }
    }
  }
}

// Changes the type of the input, and of the tensors that must have the same.
void retypeData(Case& testCase, DataType to) {
  retypeInput(testCase.descriptor,
              [&](TensorDesc& tensor) { tensor = makeTensor(to, tensor.sizes, tensor.strides); });
}

// True if the input has few enough elements to write out.
bool canBeWritten(const Case& testCase) {
  const auto count = elementCount(tensors(testCase.descriptor).front().desc->sizes);
  return count && *count <= kMostWritten;
}

// Adds plainer fills for input and indices.
void addPlainFills(const Case& from, std::vector<Case>& all) {
  const auto fills = visitEntry(kOperators, from.descriptor,
                                [](const auto& entry, const auto&) { return entry.plainFills(); });
  const bool isWritten = from.fill.kind == FillKind::Values && canBeWritten(from);
  for (FillKind kind : fills) {
    if (kind == from.fill.kind || isWritten) break;
    if (kind == FillKind::Values) continue;
    all.push_back(from);
    all.back().fill = {kind, 0, {}};
  }
  if (!hasIndices(from.descriptor) || from.index.kind == IndexKind::First ||
      from.index.kind == IndexKind::Last) {
    return;
  }
  for (IndexKind kind : {IndexKind::First, IndexKind::Last}) {
    all.push_back(from);
    all.back().index = {kind, {}};
  }
}

// Simplifies the whole case at once: packed, newest level, plainer values and types.
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
  if (from.expect == Expect::Execute) addPlainFills(from, all);
  for (size_t i = 0; i < from.offsets.size(); ++i) {
    if (!from.offsets[i]) continue;
    Case anywhere = from;
    anywhere.offsets[i].reset();
    add(std::move(anywhere));
    if (*from.offsets[i] == kMinimumBufferTensorAlignment) continue;
    Case lowest = from;
    lowest.offsets[i] = kMinimumBufferTensorAlignment;
    add(std::move(lowest));
  }
  if (from.seed != 0) {
    Case seedless = from;
    seedless.seed = 0;
    add(std::move(seedless));
  }
  const auto slots = tensors(from.descriptor);
  const DataType type = slots.front().desc->type;
  // Values are bits of the current type.
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

// Adds the case with the input's values written out and no seed; then with plainer values.
void addWrittenValues(const Case& from, std::vector<Case>& all) {
  if (from.expect != Expect::Execute) return;
  if (from.fill.kind != FillKind::Values) {
    if (!canBeWritten(from)) return;
    Case written = from;
    written.fill = {FillKind::Values, 0, inputElements(from, 0)};
    written.seed = 0;
    all.push_back(std::move(written));
    return;
  }
  if (from.fill.values.size() > kMostValues) return;
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

// Replaces files by values, or by plainer fills where there are many: a file has one type and size,
// so nothing else can change before.
std::vector<Case> withoutFiles(const Case& from) {
  const auto written = [&from](auto& fill, auto values, size_t slot) {
    const auto count = elementCount(tensors(from.descriptor)[slot].desc->sizes);
    fill = {};
    if (from.expect != Expect::Execute || !count || *count > kMostValues) return;
    fill.kind = values;
    fill.values = inputElements(from, slot);
  };
  std::vector<Case> all(3, from);
  for (size_t i : {0u, 1u}) {
    if (from.fill.kind == FillKind::Npy) written(all[i].fill, FillKind::Values, 0);
  }
  for (size_t i : {0u, 2u}) {
    if (from.index.kind != IndexKind::Npy) continue;
    written(all[i].index, IndexKind::Values, indicesSlot(from.descriptor).value());
  }
  if (from.expect == Expect::Execute) addPlainFills(from, all);
  dropUnlike(from, all);
  return all;
}

template <class Change>
void changeShapes(Case& testCase, const Change& change) {
  for (TensorDesc* tensor : mutableTensors(testCase.descriptor)) changeShape(*tensor, change);
}

// Reduces each size in all tensors at once, wherever it occurs.
void addSizes(const Case& from, std::vector<Case>& all) {
  std::set<uint32_t> sizes;
  for (const TensorSlot& slot : tensors(from.descriptor)) {
    sizes.insert(slot.desc->sizes.begin(), slot.desc->sizes.end());
  }
  for (uint32_t size : sizes) {
    for (uint32_t smaller : {1u, 2u, size / 2, size - 1}) {
      if (smaller == 0 || smaller >= size) continue;
      Case candidate = from;
      changeShapes(candidate,
                   [&](TensorDesc& tensor) { std::ranges::replace(tensor.sizes, size, smaller); });
      visitEntry(kOperators, from.descriptor,
                 [&]<class Operator>(const auto& entry, const Operator& op) {
                   if (entry.follow) entry.follow(op, std::get<Operator>(candidate.descriptor));
                 });
      all.push_back(std::move(candidate));
    }
  }
}

void addRanks(const Case& from, std::vector<Case>& all) {
  // All tensors at once, with every subset of the dimension counts.
  for (const bool last : {false, true}) {
    Case candidate = from;
    changeShapes(candidate,
                 [&](TensorDesc& tensor) { dropAxis(tensor, last ? tensor.sizes.size() - 1 : 0); });
    const size_t counts = dimensionCounts(candidate.descriptor).size();
    for (size_t which = size_t{1} << counts; which-- > 0;) {
      Case fewer = candidate;
      for (size_t i = 0; i < counts; ++i) {
        uint32_t& count = *dimensionCounts(fewer.descriptor)[i];
        if (which >> i & 1) count -= count > 1 ? 1 : 0;
      }
      all.push_back(std::move(fewer));
    }
  }
  for (size_t i = 0; i < tensors(from.descriptor).size(); ++i) {
    for (size_t axis = 0; axis < tensors(from.descriptor)[i].desc->sizes.size(); ++axis) {
      all.push_back(from);
      changeShape(*mutableTensors(all.back().descriptor)[i],
                  [&](TensorDesc& tensor) { dropAxis(tensor, axis); });
    }
  }
}

// Adds smaller dimension counts, and fewer dimensions in several tensors.
void addNumbers(const Case& from, std::vector<Case>& all) {
  const auto counts = dimensionCounts(from.descriptor);
  for (size_t i = 0; i < counts.size(); ++i) {
    const uint32_t count = counts[i];
    for (uint32_t smaller : {1u, 2u, 3u, 9u, count / 2, count - 1}) {
      if (smaller == 0 || smaller >= count) continue;
      all.push_back(from);
      *dimensionCounts(all.back().descriptor)[i] = smaller;
    }
  }
  std::vector<Descriptor> fewer;
  visitEntry(kOperators, from.descriptor, [&](const auto& entry, const auto& op) {
    if (entry.fewer) entry.fewer(op, fewer);
  });
  for (Descriptor& descriptor : fewer) {
    all.push_back(from);
    all.back().descriptor = std::move(descriptor);
  }
}

// Appends simplifications of a descriptor that breaks a rule. Most are useless; dropUnlike() keeps
// those that break the same rule. Safe on any descriptor.
void addSimplerRejects(const Case& from, std::vector<Case>& all) {
  addNumbers(from, all);
  addRanks(from, all);
  addSizes(from, all);
}

}  // namespace

std::vector<Case> simplerCases(const Case& testCase) {
  if (testCase.fill.kind == FillKind::Npy || testCase.index.kind == IndexKind::Npy) {
    return withoutFiles(testCase);
  }
  std::vector<Case> all;
  addPlainer(testCase, all);
  if (testCase.expect == Expect::Reject) {
    addSimplerRejects(testCase, all);
    addSimplerLayouts(testCase, all);
    dropUnlike(testCase, all);
    return all;
  }
  for (Descriptor& descriptor :
       visitEntry(kOperators, testCase.descriptor,
                  [](const auto& entry, const auto& op) { return entry.simpler(op); })) {
    all.push_back(testCase);
    all.back().descriptor = std::move(descriptor);
  }
  addSimplerLayouts(testCase, all);
  if (!isPacked(testCase)) {
    // Candidates with other sizes are packed, so also try them with the original layout.
    for (size_t i = 0, count = all.size(); i < count; ++i) {
      all.push_back(laidOutLike(testCase, all[i]));
    }
  }
  addWrittenValues(testCase, all);
  addLessExcess(testCase, all);
  dropUnlike(testCase, all);
  return all;
}

}  // namespace dmlcts
