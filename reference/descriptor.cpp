#include "reference/descriptor.h"

namespace dmlcts {

std::optional<DataType> parseDataType(std::string_view text) {
  for (const DataTypeInfo& candidate : kDataTypes) {
    if (candidate.name == text && candidate.type != DataType::Unknown) return candidate.type;
  }
  return std::nullopt;
}

std::string_view operatorName(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return op.name; }, descriptor);
}

std::vector<TensorSlot> GatherNd::tensors() const {
  return {{"input", "InputTensor", false, &input},
          {"indices", "IndicesTensor", false, &indices},
          {"output", "OutputTensor", true, &output}};
}

std::vector<TensorSlot> GatherNd1::tensors() const {
  return {{"input", "InputTensor", false, &input},
          {"indices", "IndicesTensor", false, &indices},
          {"output", "OutputTensor", true, &output}};
}

std::vector<TensorSlot> NonzeroCoordinates::tensors() const {
  return {{"input", "InputTensor", false, &input},
          {"count", "OutputCountTensor", true, &count},
          {"coords", "OutputCoordinatesTensor", true, &coords}};
}

std::vector<TensorSlot> tensors(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return op.tensors(); }, descriptor);
}

std::vector<AttributeSlot> GatherNd::attributes() const {
  return {{"InputDimensionCount", inputDimensionCount},
          {"IndicesDimensionCount", indicesDimensionCount}};
}

std::vector<AttributeSlot> GatherNd1::attributes() const {
  return {{"InputDimensionCount", inputDimensionCount},
          {"IndicesDimensionCount", indicesDimensionCount},
          {"BatchDimensionCount", batchDimensionCount}};
}

std::vector<AttributeSlot> NonzeroCoordinates::attributes() const { return {}; }

std::vector<AttributeSlot> attributes(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return op.attributes(); }, descriptor);
}

}  // namespace dmlcts
