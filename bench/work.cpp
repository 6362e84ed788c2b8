#include "bench/work.h"

#include <algorithm>

#include "bench/operators.h"
#include "conformance/facts/query.h"
#include "conformance/language/operator_syntax.h"
#include "reference/tensor.h"

namespace dmlcts::bench {
std::vector<Work> works(Set set) {
  WorkList list(set);
  forEachEntry(kBench, [&](const auto& entry) {
    const auto add = set == Set::Goals   ? entry.goals
                     : set == Set::Large ? entry.large
                                         : entry.sweep;
    if (add) add(list);
  });
  return list.take();
}

uint64_t bytesMoved(const PreparedCase& prepared) {
  uint64_t written = 0;
  for (const ReferenceOutput& output : prepared.expected) {
    output.status.forEachRun([&](ByteStatus status, uint64_t, uint64_t bytes) {
      if (status == ByteStatus::Defined) written += bytes;
    });
  }
  const Descriptor& descriptor = prepared.testCase->descriptor;
  uint64_t read = 0;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.isOutput) continue;
    const uint64_t bytes = elementCount(slot.desc->sizes).value() * info(slot.desc->type).bytes;
    const bool isGathered = read == 0 && hasIndices(descriptor);  // the first tensor
    read += isGathered ? std::min(bytes, written) : bytes;
  }
  return read + written;
}

uint64_t elementsOf(const Case& testCase) {
  const auto slots = tensors(testCase.descriptor);
  const TensorSlot& slot = hasIndices(testCase.descriptor) ? slots.back() : slots.front();
  return elementCount(slot.desc->sizes).value();
}

bool comparesValues(const Case& testCase) {
  return std::visit([]<class Operator>(const Operator&) { return FollowsValues<Operator>; },
                    testCase.descriptor);
}

bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.find_first_of("*?") == pattern.npos) return name.find(pattern) != name.npos;
  return matchesPattern(pattern, name);
}

}  // namespace dmlcts::bench
