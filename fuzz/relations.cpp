#include "fuzz/subject.h"

#include <algorithm>

#include "conformance/inputs/inputs.h"
#include "conformance/language/build.h"
#include "conformance/language/layout.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

bool executes(const Case& testCase) {
  return testCase.expect == Expect::Execute && testCase.index.kind != IndexKind::Wild;
}

std::string differing(std::string_view what, const Outputs& a, const Outputs& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const auto at = std::ranges::mismatch(a[i], b[i]).in1 - a[i].begin();
    return std::string(what) + ": output " + std::to_string(i) + " differs from byte " +
           std::to_string(at) + " of its packed elements on";
  }
  return {};
}

bool hasLayout(const Case& testCase) {
  bool any = false;
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    any = any || *slot.desc != makeTensor(slot.desc->type, slot.desc->sizes);
    // Elements that share an address overwrite each other.
    if (!slot.isOutput && elementsOverlap(*slot.desc).value_or(true)) return false;
  }
  return any && executes(testCase);
}

std::string packingChangesIt(const Case& testCase, Tester& tester) {
  Case packed = testCase;
  for (TensorDesc* tensor : mutableTensors(packed.descriptor)) {
    *tensor = makeTensor(tensor->type, tensor->sizes);
  }
  const Outputs strided = definedOutputs(testCase, tester.outputs(testCase));
  return differing("packed tensors give another result than strided ones", strided,
                   definedOutputs(packed, tester.outputs(packed)));
}

std::string historyChangesIt(const Case& testCase, Tester& tester) {
  Case between = testCase;
  between.seed += 1;
  const Outputs before = definedOutputs(testCase, tester.outputs(testCase));
  tester.outputs(between);
  return differing("the same case gives another result after seed=" + std::to_string(between.seed),
                   before, definedOutputs(testCase, tester.outputs(testCase)));
}

// Relations of every operator.
std::vector<Relation> commonRelations() {
  return {
      {"layout-free", "Any layout of the same values gives the same result.", "tensor.strides",
       hasLayout, packingChangesIt},
      {"history-free", "A case gives the same bits whatever ran before it.",
       "an operator has no state between executions", executes, historyChangesIt},
  };
}

}  // namespace

std::span<const Relation> relations() {
  static const std::vector<Relation> all = [] {
    std::vector<Relation> list = commonRelations();
    for (const auto& more : {gatherRelations(), nonzeroRelations(), batchRelations()}) {
      list.insert(list.end(), more.begin(), more.end());
    }
    return list;
  }();
  return all;
}

std::vector<uint64_t> elementsOf(DataType type, std::span<const uint8_t> packed) {
  const uint32_t width = info(type).bytes;
  std::vector<uint64_t> elements(packed.size() / width);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = loadBits(packed, i * width, width);
  return elements;
}

Outputs definedOutputs(const Case& testCase, Outputs outputs) {
  std::visit(
      [&]<class Operator>(const Operator& op) {
        if constexpr (FollowsValues<Operator>) {
          const uint64_t rows = loadBits(outputs[0], 0, 4);
          const uint64_t bytes = rows * op.coords.sizes.back() * 4;
          outputs[1].resize(std::min<uint64_t>(bytes, outputs[1].size()));
        }
      },
      testCase.descriptor);
  return outputs;
}

}  // namespace dmlcts
