#include "conformance/cases/tiers/simpler_rejects.h"

#include <algorithm>
#include <set>

#include "conformance/cases/language/layout.h"
#include "conformance/cases/language/operator_syntax.h"
#include "conformance/cases/operators/operators.h"
#include "conformance/cases/tiers/resize.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

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
      visitEntry(kCaseTable, from.descriptor,
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
  visitEntry(kCaseTable, from.descriptor, [&](const auto& entry, const auto& op) {
    if (entry.fewer) entry.fewer(op, fewer);
  });
  for (Descriptor& descriptor : fewer) {
    all.push_back(from);
    all.back().descriptor = std::move(descriptor);
  }
}

}  // namespace

std::vector<Case> simplerRejects(const Case& testCase) {
  std::vector<Case> all;
  addNumbers(testCase, all);
  addRanks(testCase, all);
  addSizes(testCase, all);
  return all;
}

}  // namespace dmlcts
