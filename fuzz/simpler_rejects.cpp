#include "fuzz/simpler_rejects.h"

#include <algorithm>
#include <set>

#include "conformance/cases/layout.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// Applies a change to a tensor, which then has as much more or less than its least total size as
// before.
template <class Change>
void changeShape(TensorDesc& tensor, const Change& change) {
  const uint64_t least = defaultTotalBytes(tensor);
  const uint64_t total = tensor.totalBytes;
  change(tensor);
  const uint64_t now = defaultTotalBytes(tensor);
  tensor.totalBytes = total >= least ? now + (total - least) : now - std::min(now, least - total);
}

template <class Change>
void changeShapes(Case& testCase, const Change& change) {
  for (TensorDesc* tensor : mutableTensors(testCase.descriptor)) changeShape(*tensor, change);
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

// Without that dimension, where it is of size 1 and not the last one left.
void dropAxis(TensorDesc& tensor, size_t axis) {
  if (tensor.sizes.size() < 2 || axis >= tensor.sizes.size() || tensor.sizes[axis] != 1) return;
  tensor.sizes.erase(tensor.sizes.begin() + static_cast<ptrdiff_t>(axis));
  if (tensor.strides && axis < tensor.strides->size()) {
    tensor.strides->erase(tensor.strides->begin() + static_cast<ptrdiff_t>(axis));
  }
}

void addRanks(const Case& from, std::vector<Case>& all) {
  // All tensors at once, and with them any of the dimension counts.
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

// Smaller dimension counts, and fewer columns.
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
  const auto* op = std::get_if<NonzeroCoordinates>(&from.descriptor);
  if (!op || op->coords.sizes.empty() || op->coords.sizes.back() < 2) return;
  for (size_t axis = 0; axis <= op->input.sizes.size(); ++axis) {
    all.push_back(from);
    auto& changed = std::get<NonzeroCoordinates>(all.back().descriptor);
    changeShape(changed.input, [&](TensorDesc& tensor) { dropAxis(tensor, axis); });
    changeShape(changed.coords, [](TensorDesc& tensor) { tensor.sizes.back() -= 1; });
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
          changeShape(copy, [&](TensorDesc& shorter) {
            (*shorter.strides)[axis] = std::min((*shorter.strides)[axis], stride);
          });
        });
      }
    }
  }
}

}  // namespace

std::vector<Case> simplerRejects(const Case& testCase) {
  std::vector<Case> all;
  addNumbers(testCase, all);
  addRanks(testCase, all);
  addSizes(testCase, all);
  addLayouts(testCase, all);
  return all;
}

}  // namespace dmlcts
