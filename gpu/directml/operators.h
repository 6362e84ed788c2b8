#pragma once

#include <memory>
#include <optional>
#include <span>

#include "gpu/directml/abi.h"
#include "reference/per_operator.h"

// Descriptions of each operator for DirectML.

namespace dmlcts::gpu {

template <class Operator>
struct DirectMlEntry {
  uint32_t type;  // DML_OPERATOR_TYPE
  // Builds the operator's structure, which points at its tensors (in binding order).
  std::shared_ptr<const void> (*desc)(const Operator& op, std::span<const dml::TensorDesc> tensors);
  // The input, numbered as in tensors(), that can be another operator's coordinates; if any.
  std::optional<size_t> coordinates = std::nullopt;
};

template <class Desc>
const dml::TensorDesc* fieldOf(const TensorMember<Desc>&, const dml::TensorDesc*& next) {
  return next++;
}
template <class Value>
uint32_t fieldOf(const CountMember<Value>& member, const dml::TensorDesc*&) {
  return member.value;
}

// `Structure` has the operator's members (reference/descriptor.h) in their order.
template <class Operator, class Structure>
constexpr DirectMlEntry<Operator> directMlEntry(uint32_t type,
                                                std::optional<size_t> coordinates = std::nullopt) {
  const auto desc = [](const Operator& op, std::span<const dml::TensorDesc> tensors) {
    const dml::TensorDesc* next = tensors.data();
    return Operator::members(op, [&](const auto&... member) -> std::shared_ptr<const void> {
      return std::make_shared<Structure>(Structure{fieldOf(member, next)...});
    });
  };
  return {type, desc, coordinates};
}

inline constexpr PerOperator<DirectMlEntry> kDirectMl{
    directMlEntry<GatherNd, dml::GatherNdDesc>(dml::kOperatorGatherNd, 1),
    directMlEntry<NonzeroCoordinates, dml::NonzeroCoordinatesDesc>(
        dml::kOperatorNonzeroCoordinates),
    directMlEntry<GatherNd1, dml::GatherNd1Desc>(dml::kOperatorGatherNd1, 1),
};

}  // namespace dmlcts::gpu
