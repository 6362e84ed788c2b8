#include "fuzz/descriptors.h"

#include <algorithm>

#include "conformance/cases/operator_syntax.h"
#include "conformance/cases/operators.h"
#include "fuzz/operators.h"
#include "fuzz/shapes.h"

namespace dmlcts {
namespace {

void layOutAll(Choice& choice, Descriptor& descriptor) {
  if (choice.oneIn(4)) return;  // packed throughout
  const auto slots = tensors(descriptor);
  const auto descs = mutableTensors(descriptor);
  for (size_t i = 0; i < slots.size(); ++i) layOut(choice, *descs[i], slots[i].isOutput);
}

// `chosen` says of which operators.
template <class Chosen>
Descriptor drawOf(Choice& choice, Level level, int size, const Chosen& chosen) {
  std::vector<Descriptor> candidates;
  for (const OperatorFacts& facts : operatorFacts()) {
    if (chosen(facts) && !facts.dataTypes(level).empty()) {
      candidates.push_back(makeOperator(facts.name).value());
    }
  }
  Descriptor descriptor =
      visitEntry(kFuzz, choice.of(candidates), [&](const auto& entry, const auto&) -> Descriptor {
        return entry.draw(choice, level, size);
      });
  layOutAll(choice, descriptor);
  return descriptor;
}

}  // namespace

Level drawLevel(Choice& choice, Level from) {
  const auto first = std::ranges::find(kLevels, from);
  if (choice.oneIn(2)) {
    return *(first +
             static_cast<ptrdiff_t>(choice.below(static_cast<uint64_t>(kLevels.end() - first))));
  }
  const Level level = choice.of({Level::L2_1, Level::L3_0, Level::L3_1, Level::L4_0, Level::L6_4});
  return std::max(level, from);
}

Descriptor drawDescriptor(Choice& choice, Level level, int size) {
  return drawOf(choice, level, size, [](const OperatorFacts&) { return true; });
}

Descriptor drawHugeDescriptor(Choice& choice, uint32_t elements) {
  std::vector<Descriptor> candidates;
  forEachEntry(kFuzz, [&](const auto& entry) {
    if (entry.huge) candidates.emplace_back(entry.huge(elements));
  });
  return candidates.size() == 1 ? candidates.front() : choice.of(candidates);
}

Descriptor drawGatheringDescriptor(Choice& choice, Level level, int size) {
  return drawOf(choice, level, size,
                [](const OperatorFacts& facts) { return facts.indicesSlot.has_value(); });
}

}  // namespace dmlcts
