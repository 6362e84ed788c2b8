#include "reference/evaluate.h"

#include <stdexcept>
#include <string>

#include "reference/operators.h"
#include "reference/rules.h"

namespace dmlcts {
void requireValid(const Descriptor& descriptor) {
  const auto broken = check(descriptor, kLevels.back());
  if (broken.empty()) return;
  throw std::invalid_argument("not evaluated: the descriptor breaks " +
                              std::string(broken.front().rule->id) + ": " + broken.front().message);
}

std::vector<ReferenceOutput> evaluate(const Descriptor& descriptor,
                                      std::span<const std::vector<uint8_t>> inputs) {
  requireValid(descriptor);
  size_t next = 0;
  for (const TensorSlot& slot : tensors(descriptor)) {
    if (slot.isOutput) continue;
    const std::string name(slot.dmlName);
    if (next == inputs.size()) throw std::invalid_argument("no bytes for " + name);
    if (inputs[next].size() < slot.desc->totalBytes) {
      throw std::invalid_argument(name + " has " + std::to_string(inputs[next].size()) +
                                  " bytes, less than its TotalTensorSizeInBytes " +
                                  std::to_string(slot.desc->totalBytes));
    }
    ++next;
  }
  if (next != inputs.size()) throw std::invalid_argument("more inputs than input tensors");
  return visitEntry(kOracle, descriptor, [inputs](const auto& entry, const auto& op) {
    return entry.evaluate(op, inputs);
  });
}

}  // namespace dmlcts
