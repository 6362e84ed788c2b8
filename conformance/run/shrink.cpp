#include "conformance/run/shrink.h"

#include <algorithm>
#include <set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/operator_syntax.h"
#include "reference/gather_nd.h"
#include "reference/gather_nd1.h"
#include "reference/per_operator.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

void pack(TensorDesc& tensor) {
  tensor.strides.reset();
  tensor.totalBytes = minimumTotalBytes(tensor).value_or(0);
}

// Collects neighbours that are as valid as the case they come from.
class Neighbours {
 public:
  explicit Neighbours(const Case& from) : from_(from) {}

  void add(Case candidate) {
    if (candidate == from_) return;
    const auto broken = check(candidate.descriptor, candidate.level);
    const bool asValid =
        candidate.expect == Expect::Reject
            ? !broken.empty() && std::ranges::all_of(broken,
                                                     [&](const BrokenRule& each) {
                                                       return each.rule->id == candidate.rejectBy;
                                                     })
            : broken.empty() && !inputProblem(candidate);
    if (asValid) found_.push_back(std::move(candidate));
  }

  // The case with one change made to a copy of its descriptor.
  template <typename Op>
  void addChanged(const std::function<bool(Op&)>& change) {
    Case candidate = from_;
    if (change(std::get<Op>(candidate.descriptor))) add(std::move(candidate));
  }

  std::vector<Case> take() { return std::move(found_); }

 private:
  const Case& from_;
  std::vector<Case> found_;
};

// Smaller values for a size, smallest first.
std::vector<uint32_t> smallerSizes(uint32_t size) {
  std::vector<uint32_t> sizes;
  for (uint32_t smaller : {1u, 2u, size / 4, size / 2, size - size / 4, size - 1}) {
    if (smaller >= 1 && smaller < size && std::ranges::find(sizes, smaller) == sizes.end()) {
      sizes.push_back(smaller);
    }
  }
  std::ranges::sort(sizes);
  return sizes;
}

void refit(NonzeroCoordinates& op) {
  const uint32_t rank = static_cast<uint32_t>(op.input.sizes.size());
  const auto elements = elementCount(op.input.sizes).value();
  op.coords.sizes.back() =
      std::clamp(op.coords.sizes.back(), std::max(1u, effectiveRank(op.input.sizes)), rank);
  op.coords.sizes[op.coords.sizes.size() - 2] = static_cast<uint32_t>(elements);
  for (TensorDesc* tensor : {&op.input, &op.count, &op.coords}) pack(*tensor);
}

uint32_t batchesOf(const GatherNd&) { return 0; }
uint32_t batchesOf(const GatherNd1& op) { return op.batchDimensionCount; }
void dropBatch(GatherNd&) {}
void dropBatch(GatherNd1& op) { op.batchDimensionCount -= op.batchDimensionCount > 0 ? 1 : 0; }
std::vector<uint32_t> outputSizesOf(const GatherNd& op) { return gatherNdOutputSizes(op); }
std::vector<uint32_t> outputSizesOf(const GatherNd1& op) { return gatherNd1OutputSizes(op); }

// Either operator that gathers. The indices have the input's batches.
template <class Gather>
void refitGather(Gather& op) {
  const size_t rank = op.input.sizes.size();
  const uint32_t batches = batchesOf(op);
  op.output.sizes.assign(rank, 1);
  if (batches < op.inputDimensionCount && batches < op.indicesDimensionCount) {
    std::copy_n(op.input.sizes.end() - op.inputDimensionCount, batches,
                op.indices.sizes.end() - op.indicesDimensionCount);
    const uint32_t indexed = op.inputDimensionCount - batches;
    const uint32_t tupleSize = op.indices.sizes.back();
    if (tupleSize <= indexed && op.indicesDimensionCount - 1 + indexed - tupleSize <= rank) {
      op.output.sizes = outputSizesOf(op);
    }
  }
  for (TensorDesc* tensor : {&op.input, &op.indices, &op.output}) pack(*tensor);
}

// One dimension fewer in front, where that is of size 1.
bool dropLeading(TensorDesc& tensor) {
  if (tensor.sizes.size() < 2 || tensor.sizes.front() != 1) return false;
  tensor.sizes.erase(tensor.sizes.begin());
  return true;
}

void addShapes(const NonzeroCoordinates& op, Neighbours& neighbours) {
  using Op = NonzeroCoordinates;
  neighbours.addChanged<Op>([](Op& each) {
    if (!dropLeading(each.input)) return false;
    if (each.coords.sizes.size() > 2) dropLeading(each.coords);
    dropLeading(each.count);
    refit(each);
    return true;
  });
  for (const bool count : {true, false}) {
    neighbours.addChanged<Op>([count](Op& each) {
      TensorDesc& tensor = count ? each.count : each.coords;
      const bool dropped = tensor.sizes.size() > (count ? 1 : 2) && dropLeading(tensor);
      if (dropped) pack(tensor);
      return dropped;
    });
  }
  for (size_t axis = 0; axis < op.input.sizes.size(); ++axis) {
    for (uint32_t size : smallerSizes(op.input.sizes[axis])) {
      neighbours.addChanged<Op>([=](Op& each) {
        each.input.sizes[axis] = size;
        refit(each);
        return true;
      });
    }
  }
  neighbours.addChanged<Op>([](Op& each) {
    each.coords.sizes.back() -= 1;
    pack(each.coords);
    return true;
  });
}

template <class Gather>
void addGatherShapes(const Gather& op, Neighbours& neighbours) {
  neighbours.addChanged<Gather>([](Gather& each) {
    if (!dropLeading(each.input) || !dropLeading(each.indices)) return false;
    const auto rank = static_cast<uint32_t>(each.input.sizes.size());
    if (each.inputDimensionCount > rank && each.indicesDimensionCount > rank) dropBatch(each);
    each.inputDimensionCount = std::min(each.inputDimensionCount, rank);
    each.indicesDimensionCount = std::min(each.indicesDimensionCount, rank);
    refitGather(each);
    return true;
  });
  // Without the first batch dimension, where it is of size 1.
  neighbours.addChanged<Gather>([](Gather& each) {
    if (batchesOf(each) == 0) return false;
    dropBatch(each);
    each.inputDimensionCount -= 1;
    each.indicesDimensionCount -= 1;
    refitGather(each);
    return true;
  });
  for (const bool input : {true, false}) {
    const std::vector<uint32_t>& sizes = (input ? op.input : op.indices).sizes;
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      for (uint32_t size : smallerSizes(sizes[axis])) {
        neighbours.addChanged<Gather>([=](Gather& each) {
          (input ? each.input : each.indices).sizes[axis] = size;
          refitGather(each);
          return true;
        });
      }
    }
    neighbours.addChanged<Gather>([input](Gather& each) {
      uint32_t& count = input ? each.inputDimensionCount : each.indicesDimensionCount;
      if (count < 2) return false;
      count -= 1;
      refitGather(each);
      return true;
    });
  }
}

// How a valid descriptor of each operator becomes smaller, and what to leave of its values.
template <class Operator>
struct ShrinkEntry {
  void (*addShapes)(const Operator& op, Neighbours& neighbours);
  // Fills to try, plainest first: one is not tried where the case has one that comes before it.
  std::vector<FillKind> (*fills)();
};

std::vector<FillKind> gatherFills() {
  // Plainer ones would hide wrong indices, and so would a change of written values.
  return {FillKind::Values, FillKind::Ramp};
}

std::vector<FillKind> nonzeroFills() {
  return {FillKind::First, FillKind::Last, FillKind::Ones, FillKind::Alternate};
}

constexpr PerOperator<ShrinkEntry> kShrink{
    ShrinkEntry<GatherNd>{addGatherShapes<GatherNd>, gatherFills},
    ShrinkEntry<NonzeroCoordinates>{addShapes, nonzeroFills},
    ShrinkEntry<GatherNd1>{addGatherShapes<GatherNd1>, gatherFills}};

void addLayouts(const Case& testCase, Neighbours& neighbours) {
  const auto slots = tensors(testCase.descriptor);
  const auto changed = [&](size_t index, const std::function<void(TensorDesc&)>& change) {
    Case candidate = testCase;
    change(*mutableTensors(candidate.descriptor)[index]);
    neighbours.add(std::move(candidate));
  };
  for (size_t i = 0; i < slots.size(); ++i) {
    changed(i, pack);
    changed(i, [](TensorDesc& tensor) {
      tensor.totalBytes = minimumTotalBytes(tensor).value_or(tensor.totalBytes);
    });
    if (slots[i].desc->strides) {
      for (size_t axis = 0; axis < slots[i].desc->sizes.size(); ++axis) {
        changed(i, [axis](TensorDesc& tensor) {
          (*tensor.strides)[axis] /= 2;
          tensor.totalBytes = minimumTotalBytes(tensor).value_or(tensor.totalBytes);
        });
      }
    }
  }
}

void addValues(const Case& testCase, Neighbours& neighbours) {
  const auto withFill = [&](Fill fill) {
    Case candidate = testCase;
    candidate.fill = std::move(fill);
    neighbours.add(std::move(candidate));
  };
  const auto fills = visitEntry(kShrink, testCase.descriptor,
                                [](const auto& entry, const auto&) { return entry.fills(); });
  for (FillKind kind : fills) {
    if (kind == testCase.fill.kind) break;
    if (kind != FillKind::Values) withFill({kind, 0, {}});
  }
  if (hasIndices(testCase.descriptor) && testCase.index.kind != IndexKind::First &&
      testCase.index.kind != IndexKind::Last) {
    for (IndexKind kind : {IndexKind::First, IndexKind::Last}) {
      Case candidate = testCase;
      candidate.index = {kind, {}};
      neighbours.add(std::move(candidate));
    }
  }
  if (testCase.seed != 0) {
    Case candidate = testCase;
    candidate.seed = 0;
    neighbours.add(std::move(candidate));
  }
}

}  // namespace

std::vector<Case> simplerCases(const Case& testCase) {
  Neighbours neighbours(testCase);
  // A rejected descriptor's shapes need not fit each other, so there is nothing to refit.
  if (testCase.expect != Expect::Reject) {
    visitEntry(kShrink, testCase.descriptor,
               [&](const auto& entry, const auto& op) { entry.addShapes(op, neighbours); });
  }
  addLayouts(testCase, neighbours);
  addValues(testCase, neighbours);
  return neighbours.take();
}

Case shrink(const Case& testCase, const std::function<bool(const Case&)>& stillFails, int budget,
            int* steps) {
  Case best = testCase;
  std::set<std::string> seen{caseString(best)};
  int taken = 0;
  bool improved = true;
  while (improved && budget > 0) {
    improved = false;
    for (Case& candidate : simplerCases(best)) {
      if (budget <= 0) break;
      if (!seen.insert(caseString(candidate)).second) continue;
      --budget;
      if (!stillFails(candidate)) continue;
      best = std::move(candidate);
      ++taken;
      improved = true;
      break;
    }
  }
  if (steps) *steps = taken;
  return best;
}

}  // namespace dmlcts
