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

std::vector<TensorSlot> tensors(const GatherNd& op) {
  return {{"input", "InputTensor", false, &op.input},
          {"indices", "IndicesTensor", false, &op.indices},
          {"output", "OutputTensor", true, &op.output}};
}

std::vector<TensorSlot> tensors(const GatherNd1& op) {
  return {{"input", "InputTensor", false, &op.input},
          {"indices", "IndicesTensor", false, &op.indices},
          {"output", "OutputTensor", true, &op.output}};
}

std::vector<TensorSlot> tensors(const NonzeroCoordinates& op) {
  return {{"input", "InputTensor", false, &op.input},
          {"count", "OutputCountTensor", true, &op.count},
          {"coords", "OutputCoordinatesTensor", true, &op.coords}};
}

std::vector<TensorSlot> tensors(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return tensors(op); }, descriptor);
}

std::vector<AttributeSlot> attributes(const GatherNd& op) {
  return {{"InputDimensionCount", op.inputDimensionCount},
          {"IndicesDimensionCount", op.indicesDimensionCount}};
}

std::vector<AttributeSlot> attributes(const GatherNd1& op) {
  return {{"InputDimensionCount", op.inputDimensionCount},
          {"IndicesDimensionCount", op.indicesDimensionCount},
          {"BatchDimensionCount", op.batchDimensionCount}};
}

std::vector<AttributeSlot> attributes(const NonzeroCoordinates&) { return {}; }

std::vector<AttributeSlot> attributes(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return attributes(op); }, descriptor);
}

}  // namespace dmlcts
