#include "conformance/run/shrink.h"

#include <set>

#include "conformance/cases/case_string.h"
#include "conformance/cases/operator_syntax.h"
#include "conformance/run/operators.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

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
  const auto fills = visitEntry(kRun, testCase.descriptor,
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
    visitEntry(kRun, testCase.descriptor,
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
