#include "conformance/cases/operator_syntax.h"

#include <utility>

namespace dmlcts {
namespace {

std::vector<TensorDesc*> tensorPointers(GatherNd& op) {
  return {&op.input, &op.indices, &op.output};
}
std::vector<TensorDesc*> tensorPointers(NonzeroCoordinates& op) {
  return {&op.input, &op.count, &op.coords};
}

// GATHER_ND's output has the type of its input; what NONZERO_COORDINATES writes is UINT32.
std::optional<DataType> typeOf(const GatherNd& op, size_t slot) {
  return slot == 2 ? std::optional(op.input.type) : std::nullopt;
}
std::optional<DataType> typeOf(const NonzeroCoordinates&, size_t slot) {
  return slot >= 1 ? std::optional(DataType::UInt32) : std::nullopt;
}

std::optional<std::vector<uint32_t>> sizesOf(const GatherNd&, size_t) { return std::nullopt; }
std::optional<std::vector<uint32_t>> sizesOf(const NonzeroCoordinates& op, size_t slot) {
  if (slot != 1) return std::nullopt;
  return std::vector<uint32_t>(op.input.sizes.size(), 1);
}

std::vector<uint32_t*> countPointers(GatherNd& op) {
  return {&op.inputDimensionCount, &op.indicesDimensionCount};
}
std::vector<uint32_t*> countPointers(NonzeroCoordinates&) { return {}; }

std::vector<uint32_t> counts(const GatherNd& op) {
  return {op.inputDimensionCount, op.indicesDimensionCount};
}
std::vector<uint32_t> counts(const NonzeroCoordinates&) { return {}; }

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
  return std::visit([](auto& op) { return tensorPointers(op); }, descriptor);
}

std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot) {
  return std::visit([slot](const auto& op) { return typeOf(op, slot); }, descriptor);
}

std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot) {
  return std::visit([slot](const auto& op) { return sizesOf(op, slot); }, descriptor);
}

std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor) {
  return std::visit([](auto& op) { return countPointers(op); }, descriptor);
}

std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return counts(op); }, descriptor);
}

std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor) {
  auto defaults = dimensionCounts(descriptor);
  const auto slots = tensors(descriptor);
  for (size_t i = 0; i < defaults.size(); ++i) {
    defaults[i] = static_cast<uint32_t>(slots[i].desc->sizes.size());
  }
  return defaults;
}

bool hasIndices(const Descriptor& descriptor) {
  return std::holds_alternative<GatherNd>(descriptor);
}

}  // namespace dmlcts
