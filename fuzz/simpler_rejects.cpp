#include "fuzz/simpler_rejects.h"

#include <algorithm>
#include <set>

#include "conformance/cases/layout.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Applies a change to all tensors, each of which then has as much more or less than its least
// total size as before.
template <class Change>
void changeShapes(Case& testCase, const Change& change) {
  for (TensorDesc* tensor : mutableTensors(testCase.descriptor)) {
    const uint64_t excess = tensor->totalBytes - defaultTotalBytes(*tensor);  // may wrap
    change(*tensor);
    tensor->totalBytes = defaultTotalBytes(*tensor) + excess;
  }
}

// NONZERO_COORDINATES has a row for each element; keeps it so where it was so.
void keepRows(const Case& before, Case& after) {
  const auto* old = std::get_if<NonzeroCoordinates>(&before.descriptor);
  if (!old || old->coords.sizes.size() < 2) return;
  const auto rows = [](const NonzeroCoordinates& op) {
    return op.coords.sizes[op.coords.sizes.size() - 2];
  };
  auto& op = std::get<NonzeroCoordinates>(after.descriptor);
  const auto oldCount = elementCount(old->input.sizes);
  const auto newCount = elementCount(op.input.sizes);
  if (op.coords.sizes.size() < 2 || !oldCount || !newCount || *oldCount != rows(*old)) return;
  const uint64_t excess = op.coords.totalBytes - defaultTotalBytes(op.coords);
  op.coords.sizes[op.coords.sizes.size() - 2] = static_cast<uint32_t>(*newCount);
  op.coords.totalBytes = defaultTotalBytes(op.coords) + excess;
}

// The same size, wherever it occurs, made smaller in all tensors at once.
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
      keepRows(from, candidate);
      all.push_back(std::move(candidate));
    }
  }
}

bool dropLeading(TensorDesc& tensor) {
  if (tensor.sizes.size() < 2 || tensor.sizes.front() != 1) return false;
  tensor.sizes.erase(tensor.sizes.begin());
  if (tensor.strides && !tensor.strides->empty()) tensor.strides->erase(tensor.strides->begin());
  return true;
}

void addRanks(const Case& from, std::vector<Case>& all) {
  Case candidate = from;
  changeShapes(candidate, [](TensorDesc& tensor) { dropLeading(tensor); });
  Case fewer = candidate;
  for (uint32_t* count : dimensionCounts(fewer.descriptor)) *count -= *count > 1 ? 1 : 0;
  all.push_back(std::move(fewer));
  all.push_back(std::move(candidate));
  for (size_t i = 0; i < tensors(from.descriptor).size(); ++i) {
    Case one = from;
    TensorDesc& tensor = *mutableTensors(one.descriptor)[i];
    const uint64_t excess = tensor.totalBytes - defaultTotalBytes(tensor);
    if (!dropLeading(tensor)) continue;
    tensor.totalBytes = defaultTotalBytes(tensor) + excess;
    all.push_back(std::move(one));
  }
}

void addLayouts(const Case& from, std::vector<Case>& all) {
  for (size_t i = 0; i < tensors(from.descriptor).size(); ++i) {
    const auto changed = [&](const auto& change) {
      Case candidate = from;
      change(*mutableTensors(candidate.descriptor)[i]);
      all.push_back(std::move(candidate));
    };
    changed([](TensorDesc& tensor) { tensor = makeTensor(tensor.type, tensor.sizes); });
    changed([](TensorDesc& tensor) { tensor.totalBytes = defaultTotalBytes(tensor); });
    const TensorDesc& tensor = *tensors(from.descriptor)[i].desc;
    for (size_t axis = 0; tensor.strides && axis < tensor.strides->size(); ++axis) {
      for (uint32_t stride : {0u, 1u, (*tensor.strides)[axis] / 2}) {
        changed([&](TensorDesc& copy) {
          const uint64_t excess = copy.totalBytes - defaultTotalBytes(copy);
          (*copy.strides)[axis] = std::min((*copy.strides)[axis], stride);
          copy.totalBytes = defaultTotalBytes(copy) + excess;
        });
      }
    }
  }
}

}  // namespace

std::vector<Case> simplerRejects(const Case& testCase) {
  std::vector<Case> all;
  addRanks(testCase, all);
  addSizes(testCase, all);
  addLayouts(testCase, all);
  return all;
}

}  // namespace dmlcts
