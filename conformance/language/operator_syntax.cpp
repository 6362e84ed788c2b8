#include "conformance/language/operator_syntax.h"

#include <utility>

#include "conformance/operators/operators.h"

namespace dmlcts {
namespace {

template <size_t... I>
std::vector<Descriptor> allOperators(std::index_sequence<I...>) {
  return {Descriptor(std::in_place_index<I>)...};
}

std::vector<Descriptor> allOperators() {
  return allOperators(std::make_index_sequence<std::variant_size_v<Descriptor>>());
}

}  // namespace

std::optional<Descriptor> makeOperator(std::string_view name) {
  for (Descriptor& candidate : allOperators()) {
    if (operatorName(candidate) == name) return std::move(candidate);
  }
  return std::nullopt;
}

std::vector<std::string_view> operatorNames() {
  std::vector<std::string_view> names;
  for (const Descriptor& candidate : allOperators()) names.push_back(operatorName(candidate));
  return names;
}

std::vector<TensorDesc*> mutableTensors(Descriptor& descriptor) {
  return visitEntry(kCaseTable, descriptor, [](const auto& entry, auto& op) {
    std::vector<TensorDesc*> tensors;
    for (const auto tensor : entry.tensors) tensors.push_back(&(op.*tensor));
    return tensors;
  });
}

std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot) {
  return visitEntry(kCaseTable, descriptor, [slot](const auto& entry, const auto& op) {
    return entry.defaultType(op, slot);
  });
}

std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot) {
  return visitEntry(kCaseTable, descriptor, [slot](const auto& entry, const auto& op) {
    return entry.defaultSizes(op, slot);
  });
}

std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor) {
  return visitEntry(kCaseTable, descriptor, [](const auto& entry, auto& op) {
    std::vector<uint32_t*> counts;
    for (const auto count : entry.dimensionCounts) counts.push_back(&(op.*count));
    return counts;
  });
}

std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor) {
  return visitEntry(kCaseTable, descriptor, [](const auto& entry, const auto& op) {
    std::vector<uint32_t> counts;
    for (const auto count : entry.dimensionCounts) counts.push_back(op.*count);
    return counts;
  });
}

std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor) {
  return visitEntry(kCaseTable, descriptor, [](const auto& entry, const auto& op) {
    return entry.defaultDimensionCounts(op);
  });
}

std::optional<size_t> indicesSlot(const Descriptor& descriptor) {
  return factsOf(descriptor).indicesSlot;
}

bool hasIndices(const Descriptor& descriptor) { return indicesSlot(descriptor).has_value(); }

}  // namespace dmlcts
