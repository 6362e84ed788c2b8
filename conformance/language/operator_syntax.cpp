#include "conformance/language/operator_syntax.h"

#include <algorithm>
#include <utility>

namespace dmlcts {
namespace {

constexpr auto nothing = [](const auto&) {};

template <class AnyDescriptor, class Call>
void forEachCount(AnyDescriptor& descriptor, const Call& call) {
  std::visit([&](auto& op) { forEachMember(op, nothing, call); }, descriptor);
}

template <size_t... I>
std::vector<Descriptor> allOperators(std::index_sequence<I...>) {
  return {Descriptor(std::in_place_index<I>)...};
}

const std::vector<Descriptor>& allOperators() {
  static const std::vector<Descriptor> all =
      allOperators(std::make_index_sequence<std::variant_size_v<Descriptor>>());
  return all;
}

}  // namespace

std::optional<Descriptor> makeOperator(std::string_view name) {
  for (const Descriptor& candidate : allOperators()) {
    if (operatorName(candidate) == name) return candidate;
  }
  return std::nullopt;
}

std::vector<std::string_view> operatorNames() {
  std::vector<std::string_view> names;
  for (const Descriptor& candidate : allOperators()) names.push_back(operatorName(candidate));
  return names;
}

std::vector<TensorDesc*> mutableTensors(Descriptor& descriptor) {
  std::vector<TensorDesc*> tensors;
  const auto add = [&](const auto& tensor) { tensors.push_back(&tensor.desc); };
  std::visit([&](auto& op) { forEachMember(op, add, nothing); }, descriptor);
  return tensors;
}

std::optional<DataType> defaultType(const Descriptor& descriptor, size_t slot) {
  return std::visit(
      [slot]<class Operator>(const Operator& op) -> std::optional<DataType> {
        static_assert(HasTuples<Operator> || FollowsValues<Operator>);
        if (!tensorsOf(op)[slot].isOutput) return std::nullopt;
        return FollowsValues<Operator> ? DataType::UInt32 : op.input.type;
      },
      descriptor);
}

std::optional<std::vector<uint32_t>> defaultSizes(const Descriptor& descriptor, size_t slot) {
  const auto slots = tensors(descriptor);
  if (slots[slot].name != "count") return std::nullopt;
  return std::vector<uint32_t>(slots.front().desc->sizes.size(), 1);
}

std::vector<uint32_t*> dimensionCounts(Descriptor& descriptor) {
  std::vector<uint32_t*> counts;
  forEachCount(descriptor, [&](const auto& count) { counts.push_back(&count.value); });
  return counts;
}

std::vector<uint32_t> dimensionCounts(const Descriptor& descriptor) {
  std::vector<uint32_t> counts;
  forEachCount(descriptor, [&](const auto& count) { counts.push_back(count.value); });
  return counts;
}

std::vector<uint32_t> defaultDimensionCounts(const Descriptor& descriptor) {
  std::vector<uint32_t> counts;
  forEachCount(descriptor, [&](const auto& count) {
    counts.push_back(count.of ? static_cast<uint32_t>(count.of->sizes.size()) : 0);
  });
  return counts;
}

std::optional<size_t> indicesSlot(const Descriptor& descriptor) {
  const auto slots = tensors(descriptor);
  const auto found = std::ranges::find(slots, "indices", &TensorSlot::name);
  return found == slots.end() ? std::nullopt : std::optional<size_t>(found - slots.begin());
}

bool hasIndices(const Descriptor& descriptor) { return indicesSlot(descriptor).has_value(); }

}  // namespace dmlcts
