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

inline constexpr PerOperator<DirectMlEntry> kDirectMl{
    DirectMlEntry<GatherNd>{dml::kOperatorGatherNd,
                            [](const GatherNd& op, auto tensors) -> std::shared_ptr<const void> {
                              return std::make_shared<dml::GatherNdDesc>(
                                  &tensors[0], &tensors[1], &tensors[2], op.inputDimensionCount,
                                  op.indicesDimensionCount);
                            },
                            1},
    DirectMlEntry<NonzeroCoordinates>{
        dml::kOperatorNonzeroCoordinates,
        [](const NonzeroCoordinates&, auto tensors) -> std::shared_ptr<const void> {
          return std::make_shared<dml::NonzeroCoordinatesDesc>(&tensors[0], &tensors[1],
                                                               &tensors[2]);
        }},
    DirectMlEntry<GatherNd1>{dml::kOperatorGatherNd1,
                             [](const GatherNd1& op, auto tensors) -> std::shared_ptr<const void> {
                               return std::make_shared<dml::GatherNd1Desc>(
                                   &tensors[0], &tensors[1], &tensors[2], op.inputDimensionCount,
                                   op.indicesDimensionCount, op.batchDimensionCount);
                             },
                             1},
};

}  // namespace dmlcts::gpu
