#include "fuzz/explain.h"

#include <fmt/format.h>

#include <array>

#include "conformance/cases/case_string.h"
#include "conformance/cases/families/build.h"
#include "conformance/cases/layout.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/cases/operators.h"
#include "conformance/cases/resize.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

struct Alternative {
  std::string value;
  Case testCase;
};

struct Part {
  std::string name;
  std::string value;  // what it is
  std::vector<Alternative> others;
};

std::string sizesText(const Sizes& sizes) { return fmt::format("{}", fmt::join(sizes, "x")); }

// Whether the alternative asks the same of a target.
bool comparable(const Case& candidate, const Case& from) {
  const auto broken = check(candidate.descriptor, candidate.level);
  if (from.expect == Expect::Reject) {
    return !broken.empty() && broken.front().rule->id == from.rejectBy;
  }
  return broken.empty() && (from.expect == Expect::Accept || !inputProblem(candidate));
}

// The tensor of another type, with as many bytes past its least total size.
void retypeKeepingExcess(TensorDesc& tensor, DataType to) {
  const uint64_t excess = tensor.totalBytes - defaultTotalBytes(tensor);
  tensor.type = to;
  tensor.totalBytes = defaultTotalBytes(tensor) + excess;
}

class Parts {
 public:
  explicit Parts(const Case& from) : from_(from) {}

  void begin(std::string name, std::string value) {
    parts_.push_back({std::move(name), std::move(value), {}});
  }
  template <class Change>
  void other(std::string value, const Change& change) {
    Case candidate = from_;
    change(candidate);
    if (candidate == from_ || !comparable(candidate, from_)) return;
    parts_.back().others.push_back({std::move(value), std::move(candidate)});
  }
  std::vector<Part> take() { return std::move(parts_); }

 private:
  const Case& from_;
  std::vector<Part> parts_;
};

void addTypes(const Case& from, Parts& parts) {
  const auto slots = tensors(from.descriptor);
  const DataType type = slots[0].desc->type;
  parts.begin("input type", std::string(info(type).name));
  const OperatorFacts& facts = factsOf(from.descriptor);
  for (DataType other : facts.dataTypes(from.level)) {
    parts.other(std::string(info(other).name), [&](Case& each) {
      retypeInput(each.descriptor, [&](TensorDesc& tensor) { retypeKeepingExcess(tensor, other); });
      for (uint64_t& value : each.fill.values) value = 1;
    });
  }
  const auto indices = indicesSlot(from.descriptor);
  if (!indices) return;
  parts.begin("index type", std::string(info(slots[*indices].desc->type).name));
  for (DataType other : facts.indexTypes(kLevels.back())) {
    parts.other(std::string(info(other).name), [&](Case& each) {
      retypeKeepingExcess(*mutableTensors(each.descriptor)[*indices], other);
    });
  }
}

void addLayouts(const Case& from, Parts& parts) {
  const auto slots = tensors(from.descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    const TensorDesc& tensor = *slots[i].desc;
    if (tensor == makeTensor(tensor.type, tensor.sizes)) continue;
    parts.begin(fmt::format("layout of {}", slots[i].name),
                tensor.strides ? "strided" : "larger than needed");
    parts.other("packed", [&](Case& each) {
      TensorDesc& copy = *mutableTensors(each.descriptor)[i];
      copy = makeTensor(copy.type, copy.sizes);
    });
    parts.other("padded", [&](Case& each) {
      TensorDesc& copy = *mutableTensors(each.descriptor)[i];
      const auto strides = layoutStrides({LayoutKind::Pad, {1}}, copy.sizes);
      if (strides) copy = makeTensor(copy.type, copy.sizes, strides);
    });
  }
}

void addContents(const Case& from, Parts& parts) {
  if (from.expect != Expect::Execute) return;
  parts.begin("fill", std::string(info(from.fill.kind).name));
  for (const auto& kind : kFillKinds) {
    if (kind.argument != FillArgument::None || kind.kind == from.fill.kind) continue;
    parts.other(std::string(kind.name), [&](Case& each) { each.fill = {kind.kind, 0, {}}; });
  }
  if (hasIndices(from.descriptor)) {
    parts.begin("index", std::string(info(from.index.kind).name));
    for (const auto& kind : kIndexKinds) {
      if (kind.kind == IndexKind::Wild || kind.kind == IndexKind::Values) continue;
      if (kind.kind == from.index.kind) continue;
      parts.other(std::string(kind.name), [&](Case& each) { each.index = {kind.kind, {}}; });
    }
  }
  parts.begin("seed", std::to_string(from.seed));
  for (uint64_t seed : {1, 2, 3, 4}) {
    parts.other(std::to_string(seed), [&](Case& each) { each.seed = seed; });
  }
}

void addRanks(const Case& from, Parts& parts) {
  const Sizes& sizes = tensors(from.descriptor)[0].desc->sizes;
  parts.begin("input sizes", sizesText(sizes));
  for (uint32_t more = 1; more <= 3; ++more) {
    parts.other(fmt::format("{} more leading 1s", more), [&](Case& each) {
      for (TensorDesc* tensor : mutableTensors(each.descriptor)) {
        tensor->sizes.insert(tensor->sizes.begin(), more, 1);
        if (tensor->strides) tensor->strides->insert(tensor->strides->begin(), more, 0);
      }
    });
  }
}

}  // namespace

std::vector<std::string> explain(const Case& testCase,
                                 const std::function<bool(const Case&)>& stillFails, int budget) {
  Parts parts(testCase);
  parts.begin("level", std::string(name(testCase.level)));
  for (Level level : kLevels) {
    parts.other(std::string(name(level)), [&](Case& each) { each.level = level; });
  }
  addTypes(testCase, parts);
  addRanks(testCase, parts);
  addLayouts(testCase, parts);
  addContents(testCase, parts);

  std::vector<std::string> lines;
  for (const Part& part : parts.take()) {
    if (part.others.empty()) continue;
    std::vector<std::string> fail;
    std::vector<std::string> pass;
    for (const Alternative& other : part.others) {
      if (budget-- <= 0) return lines;
      (stillFails(other.testCase) ? fail : pass).push_back(other.value);
    }
    if (pass.empty()) {
      lines.push_back(fmt::format("{}: no, any", part.name));
    } else if (fail.empty()) {
      lines.push_back(
          fmt::format("{}: yes, only {} ({} others pass)", part.name, part.value, pass.size()));
    } else {
      lines.push_back(fmt::format("{}: partly, {} and {}, not {}", part.name, part.value,
                                  fmt::join(fail, " "), fmt::join(pass, " ")));
    }
  }
  return lines;
}

}  // namespace dmlcts
