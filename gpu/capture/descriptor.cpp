#include "gpu/capture/descriptor.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "conformance/inputs/problems.h"
#include "conformance/language/case_string.h"
#include "conformance/language/operator_syntax.h"
#include "gpu/directml/operators.h"
#include "reference/rules.h"

namespace dmlcts::gpu {
namespace {

constexpr UINT kMostDimensions = 64;  // of a case string

// Every operator's structure is its tensors, then its counts.
constexpr size_t kTensorsOfEach = 3;
static_assert(offsetof(dml::GatherNdDesc, inputDimensionCount) == kTensorsOfEach * sizeof(void*));
static_assert(sizeof(dml::NonzeroCoordinatesDesc) == kTensorsOfEach * sizeof(void*));
static_assert(offsetof(dml::GatherNd1Desc, batchDimensionCount) ==
              kTensorsOfEach * sizeof(void*) + 2 * sizeof(UINT));

std::optional<Descriptor> emptyDescriptor(uint32_t type) {
  for (std::string_view name : operatorNames()) {
    Descriptor descriptor = makeOperator(name).value();
    if (visitEntry(kDirectMl, descriptor,
                   [type](const auto& entry, const auto&) { return entry.type == type; })) {
      return descriptor;
    }
  }
  return std::nullopt;
}

std::optional<TensorDesc> tensorOf(const dml::TensorDesc* tensor) {
  if (!tensor || tensor->type != dml::kTensorTypeBuffer || !tensor->desc) return std::nullopt;
  const auto& buffer = *static_cast<const dml::BufferTensorDesc*>(tensor->desc);
  if (buffer.dataType >= kDataTypes.size() || buffer.dimensionCount > kMostDimensions ||
      (!buffer.sizes && buffer.dimensionCount > 0)) {
    return std::nullopt;
  }
  const auto list = [&](const UINT* numbers) {
    return std::vector<uint32_t>(numbers, numbers + buffer.dimensionCount);
  };
  TensorDesc desc{static_cast<DataType>(buffer.dataType),
                  list(buffer.sizes),
                  std::nullopt,
                  buffer.totalTensorSizeInBytes,
                  buffer.guaranteedBaseOffsetAlignment,
                  buffer.flags};
  if (buffer.strides) desc.strides = list(buffer.strides);
  return desc;
}

// A case binds its inputs at execution.
std::string bindAtExecution(const Descriptor& descriptor, std::span<TensorDesc* const> descs) {
  std::string owned;
  const auto slots = tensors(descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].isOutput || descs[i]->flags != kOwnedByDml) continue;
    descs[i]->flags = 0;
    owned += (owned.empty() ? "" : ",") + std::string(slots[i].name);
  }
  return owned;
}

}  // namespace

std::string RecordedOperator::text() const {
  std::string text = caseString(testCase);
  if (!owned.empty()) text += "  # OWNED_BY_DML: " + owned;
  return problem.empty() ? text : "# " + text + "  # cannot run: " + problem;
}

std::optional<RecordedOperator> recordedOperator(const dml::OperatorDesc& desc, Level level) {
  auto descriptor = emptyDescriptor(desc.type);
  if (!descriptor || !desc.desc) return std::nullopt;
  const auto* tensors = static_cast<const dml::TensorDesc* const*>(desc.desc);
  const auto descs = mutableTensors(*descriptor);
  for (size_t i = 0; i < descs.size(); ++i) {
    auto tensor = tensorOf(tensors[i]);
    if (!tensor) return std::nullopt;
    *descs[i] = std::move(*tensor);
  }
  const auto* counts = reinterpret_cast<const UINT*>(tensors + descs.size());
  for (uint32_t* count : dimensionCounts(*descriptor)) *count = *counts++;

  RecordedOperator recorded;
  recorded.owned = bindAtExecution(*descriptor, descs);
  Case& testCase = recorded.testCase;
  testCase.level = level;
  if (const auto indices = indicesSlot(*descriptor)) {
    if (info(descs[*indices]->type).isSigned) testCase.index.kind = IndexKind::Negative;
  } else {
    testCase.fill.kind = FillKind::Mixed;
  }
  for (const BrokenRule& broken : check(*descriptor, level)) {
    if (broken.rule->checked != Checked::ByRejecting) continue;
    testCase.expect = Expect::Reject;
    testCase.rejectBy = broken.rule->id;
    break;
  }
  testCase.descriptor = std::move(*descriptor);
  recorded.problem = caseProblem(testCase).value_or("");
  return recorded;
}

}  // namespace dmlcts::gpu
