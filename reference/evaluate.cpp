#include "reference/evaluate.h"

#include <stdexcept>
#include <string>

#include "reference/gather_nd.h"
#include "reference/nonzero_coordinates.h"
#include "reference/rules.h"

namespace dmlcts {
namespace {

std::vector<ExpectedOutput> evaluateOperator(const GatherNd& op,
                                             std::span<const std::vector<uint8_t>> inputs) {
  return evaluateGatherNd(op, inputs);
}

std::vector<ExpectedOutput> evaluateOperator(const NonzeroCoordinates& op,
                                             std::span<const std::vector<uint8_t>> inputs) {
  return evaluateNonzeroCoordinates(op, inputs);
}

}  // namespace

std::vector<ExpectedOutput> evaluate(const Descriptor& descriptor,
                                     std::span<const std::vector<uint8_t>> inputs) {
  // The operators index without looking: what a rule forbids would be written outside the output.
  if (const auto broken = check(descriptor, kLevels.back()); !broken.empty()) {
    throw std::invalid_argument("not evaluated: the descriptor breaks " +
                                std::string(broken.front().rule->id) + ": " +
                                broken.front().message);
  }
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
  return std::visit([inputs](const auto& op) { return evaluateOperator(op, inputs); }, descriptor);
}

}  // namespace dmlcts
