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

std::vector<TensorSlot> tensors(const Descriptor& descriptor) {
  return std::visit([](const auto& op) { return tensorsOf(op); }, descriptor);
}

std::vector<AttributeSlot> attributes(const Descriptor& descriptor) {
  std::vector<AttributeSlot> slots;
  const auto add = [&](const auto& count) { slots.push_back({count.dmlName, count.value}); };
  std::visit([&](const auto& op) { forEachMember(op, [](const auto&) {}, add); }, descriptor);
  return slots;
}

}  // namespace dmlcts
