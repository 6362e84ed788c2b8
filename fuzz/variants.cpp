#include "fuzz/generators.h"

#include <fmt/format.h>

#include "conformance/facts/operators.h"
#include "conformance/inputs/problems.h"
#include "conformance/language/build.h"
#include "conformance/language/layout.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/operators/resize.h"

namespace dmlcts {
namespace {

// True if the variant has the same expectation.
bool comparable(const Case& candidate, const Case& from) {
  const auto broken = check(candidate.descriptor, candidate.level);
  if (from.expect == Expect::Reject) {
    return !broken.empty() && broken.front().rule->id == from.rejectBy;
  }
  return broken.empty() && (from.expect == Expect::Accept || !inputProblem(candidate));
}

// Changes the tensor's type and keeps its excess over the smallest total size.
void changeTypeKeepingExcess(TensorDesc& tensor, DataType to) {
  const uint64_t excess = tensor.totalBytes - defaultTotalBytes(tensor);
  tensor.type = to;
  tensor.totalBytes = defaultTotalBytes(tensor) + excess;
}

class Parts {
 public:
  explicit Parts(const Case& from) : from_(from) {}

  void begin(std::string part) { parts_.push_back({std::move(part), {}}); }
  template <class Change>
  void other(const Change& change) {
    Case candidate = from_;
    change(candidate);
    if (candidate == from_ || !comparable(candidate, from_)) return;
    parts_.back().cases.push_back(std::move(candidate));
  }
  std::vector<Variants> take() {
    std::erase_if(parts_, [](const Variants& part) { return part.cases.empty(); });
    return std::move(parts_);
  }

 private:
  const Case& from_;
  std::vector<Variants> parts_;
};

void addTypes(const Case& from, Parts& parts) {
  const auto slots = tensors(from.descriptor);
  parts.begin("input type");
  const OperatorFacts& facts = factsOf(from.descriptor);
  for (DataType other : facts.dataTypes(from.level)) {
    if (other == slots[0].desc->type) continue;
    parts.other([&](Case& each) {
      retypeInput(each.descriptor,
                  [&](TensorDesc& tensor) { changeTypeKeepingExcess(tensor, other); });
      for (uint64_t& value : each.fill.values) value = 1;
    });
  }
  const auto indices = indicesSlot(from.descriptor);
  if (!indices) return;
  parts.begin("index type");
  for (DataType other : facts.indexTypes(kLevels.back())) {
    parts.other([&](Case& each) {
      changeTypeKeepingExcess(*mutableTensors(each.descriptor)[*indices], other);
    });
  }
}

void addLayouts(const Case& from, Parts& parts) {
  const auto slots = tensors(from.descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorDesc& tensor = *slots[i].desc;
    if (tensor == makeTensor(tensor.type, tensor.sizes)) continue;
    parts.begin(fmt::format("layout of {}", slots[i].name));
    parts.other([&](Case& each) {
      TensorDesc& copy = *mutableTensors(each.descriptor)[i];
      copy = makeTensor(copy.type, copy.sizes);
    });
    parts.other([&](Case& each) {
      TensorDesc& copy = *mutableTensors(each.descriptor)[i];
      const auto strides = layoutStrides({LayoutKind::Pad, {1}}, copy.sizes);
      if (strides) copy = makeTensor(copy.type, copy.sizes, strides);
    });
  }
}

void addContents(const Case& from, Parts& parts) {
  if (from.expect != Expect::Execute) return;
  parts.begin("fill");
  for (const auto& kind : kFillKinds) {
    if (kind.argument != FillArgument::None || kind.kind == from.fill.kind) continue;
    parts.other([&](Case& each) { each.fill = {kind.kind, 0, {}}; });
  }
  if (hasIndices(from.descriptor)) {
    parts.begin("index");
    for (const auto& kind : kIndexKinds) {
      if (kind.kind == IndexKind::Wild || kind.argument != FillArgument::None) continue;
      if (kind.kind == from.index.kind) continue;
      parts.other([&](Case& each) { each.index = {kind.kind, {}}; });
    }
  }
  parts.begin("seed");
  for (uint64_t seed : {1, 2, 3, 4}) {
    parts.other([&](Case& each) { each.seed = seed; });
  }
}

void addRanks(Parts& parts) {
  parts.begin("rank");
  for (uint32_t more = 1; more <= 3; ++more) {
    parts.other([&](Case& each) {
      for (TensorDesc* tensor : mutableTensors(each.descriptor)) {
        tensor->sizes.insert(tensor->sizes.begin(), more, 1);
        if (tensor->strides) tensor->strides->insert(tensor->strides->begin(), more, 0);
      }
    });
  }
}

}  // namespace

std::vector<Variants> variantsOf(const Case& testCase) {
  Parts parts(testCase);
  parts.begin("level");
  for (Level level : kLevels) {
    parts.other([&](Case& each) { each.level = level; });
  }
  addTypes(testCase, parts);
  addRanks(parts);
  addLayouts(testCase, parts);
  addContents(testCase, parts);
  return parts.take();
}

}  // namespace dmlcts
