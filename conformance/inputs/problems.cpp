#include "conformance/inputs/problems.h"

#include <algorithm>

#include "conformance/inputs/inputs.h"
#include "conformance/language/operator_syntax.h"
#include "reference/counted.h"
#include "reference/element.h"
#include "reference/rules.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

// The suite never asks a device for more; a typing error might.
constexpr uint64_t kMaxElements = uint64_t{1} << 33;
constexpr uint64_t kMaxBytes = uint64_t{1} << 35;
// Elements that share addresses cost time without memory, which --timeout does not bound.
constexpr uint64_t kMostUnboundedElements = uint64_t{1} << 26;
constexpr uint64_t kMostElementsPerByte = 16;

std::optional<std::string> outputProblem(const TensorSlot& slot) {
  if (slot.desc->totalBytes <= kMaxBytes) return std::nullopt;
  return std::string(slot.name) + " is too large: at most " + std::to_string(kMaxBytes) +
         " bytes are executed";
}

std::optional<std::string> sharingProblem(const Case& testCase) {
  uint64_t bytes = 0;
  const auto slots = tensors(testCase.descriptor);
  for (const TensorSlot& slot : slots) bytes += slot.desc->totalBytes;
  for (const TensorSlot& slot : slots) {
    const uint64_t count = elementCount(slot.desc->sizes).value_or(0);
    if (count <= kMostUnboundedElements || count / kMostElementsPerByte <= bytes) continue;
    return std::string(slot.name) + " has " + counted(count, "element") +
           ", too many for tensors that have " + counted(bytes, "byte") + " together";
  }
  return std::nullopt;
}

std::optional<std::string> tensorProblem(const TensorSlot& slot) {
  const TensorDesc& tensor = *slot.desc;
  const std::string name(slot.name);
  if (info(tensor.type).bytes == 0) return name + " has no data type";
  const auto count = elementCount(tensor.sizes);
  const auto minimum = minimumTotalBytes(tensor);
  if (!count || !minimum || *count > kMaxElements || tensor.totalBytes > kMaxBytes) {
    return name + " is too large: at most " + std::to_string(kMaxElements) + " elements and " +
           std::to_string(kMaxBytes) + " bytes are filled";
  }
  if (*count == 0) return name + " has a dimension of size 0";
  if (tensor.totalBytes < *minimum) return name + " has elements behind its total size";
  return std::nullopt;
}

std::optional<std::string> indexProblem(const Case& testCase) {
  const Descriptor& descriptor = testCase.descriptor;
  const auto slot = indicesSlot(descriptor);
  if (!slot) return std::nullopt;
  if (auto problem = withGather(descriptor, [](const Gather& op) { return indexProblem(op); })) {
    return problem;
  }
  const auto slots = tensors(descriptor);
  const DataTypeInfo& type = info(slots[*slot].desc->type);
  if (type.isFloat) return "indices are of a floating point type";
  const IndexKind kind = testCase.index.kind;
  const bool negative = kind == IndexKind::Negative || kind == IndexKind::AllNegative;
  if (negative && !type.isSigned) {
    return "index=" + std::string(info(kind).name) + " needs a signed index type";
  }
  const uint64_t limit = type.bytes >= 4 ? UINT32_MAX : (uint64_t{1} << (8 * type.bytes)) - 1;
  for (uint32_t size : slots[0].desc->sizes) {
    if (size > (type.isSigned && type.bytes < 8 ? limit / 2 : limit)) {
      return "a dimension of size " + std::to_string(size) + " is too long for the index type";
    }
  }
  return std::nullopt;
}

// Returns the problem of an offset or alignment at which nothing can be bound.
std::optional<std::string> offsetProblem(const Case& testCase) {
  const auto slots = tensors(testCase.descriptor);
  for (size_t i = 0; i < slots.size(); ++i) {
    const uint32_t multiple =
        std::max(kMinimumBufferTensorAlignment, slots[i].desc->baseOffsetAlignment);
    if (multiple > kMostAlignment) {
      return std::string(slots[i].name) + " is aligned to more than 64 MiB, too much to execute";
    }
    if (testCase.offsets[i].value_or(0) % multiple == 0) continue;
    return "offset." + std::string(slots[i].name) + " is not a multiple of " +
           std::to_string(multiple);
  }
  return std::nullopt;
}

// True if the case's indices enumerate every element of a tensor in order, as packed UINT32.
bool countsThroughATensor(const Case& testCase) {
  const auto slot = indicesSlot(testCase.descriptor);
  if (!slot || testCase.index.kind != IndexKind::Identity) return false;
  const TensorDesc& indices = *tensors(testCase.descriptor)[*slot].desc;
  const uint64_t elements = elementCount(indices.sizes).value_or(0);
  if (indices.type != DataType::UInt32 || indices.strides ||
      indices.totalBytes != elements * sizeof(uint32_t)) {
    return false;
  }
  const auto dimensions = indexedDimensions(testCase.descriptor);
  uint64_t outermost = elements / dimensions.size();
  for (size_t i = 1; i < dimensions.size(); ++i) {
    if (outermost % dimensions[i] != 0) return false;
    outermost /= dimensions[i];
  }
  return outermost <= dimensions.front();
}

}  // namespace

std::optional<std::string> indexProblem(const Gather& gather) {
  if (gather.inputRank > gather.input.sizes.size() || gather.batchRank > gather.inputRank) {
    return "dims exceed the input's dimensions";
  }
  if (gather.indices.sizes.empty() || gather.tupleSize() > gather.inputRank - gather.batchRank) {
    return std::string("index tuples have more coordinates than the input has dimensions") +
           (gather.batchRank > 0 ? " behind the batches" : "");
  }
  return std::nullopt;
}

std::optional<std::string> modeProblem(const Case& testCase, const gpu::Modes& modes) {
  if (modes.empty()) return std::nullopt;
  if (testCase.expect != Expect::Execute) return "only a case that executes has a mode";
  if (modes.has(gpu::Mode::NonzeroGraph) && !countsThroughATensor(testCase)) {
    return "mode nonzero-graph needs packed UINT32 indices that are all coordinates of a tensor";
  }
  const auto isLarge = [](const TensorSlot& slot) { return slot.desc->totalBytes > 4096; };
  if (modes.has(gpu::Mode::Endurance) &&
      std::ranges::any_of(tensors(testCase.descriptor), isLarge)) {
    return "mode endurance needs tensors of at most 4 KiB";
  }
  return std::nullopt;
}

bool rejectedByLevelOnly(const Case& testCase, Level highest) {
  return testCase.expect == Expect::Reject && check(testCase.descriptor, highest).empty();
}

std::optional<std::string> inputProblem(const Case& testCase) {
  for (const TensorSlot& slot : tensors(testCase.descriptor)) {
    if (auto problem = slot.isOutput ? outputProblem(slot) : tensorProblem(slot)) return problem;
  }
  if (auto problem = sharingProblem(testCase)) return problem;
  if (auto problem = indexProblem(testCase)) return problem;
  if (auto problem = offsetProblem(testCase)) return problem;
  const auto broken = check(testCase.descriptor, kLevels.back());
  if (broken.empty()) return std::nullopt;
  return "the descriptor breaks " + std::string(broken.front().rule->id) + ": " +
         broken.front().message;
}

std::optional<std::string> caseProblem(const Case& testCase) {
  const auto broken = check(testCase.descriptor, testCase.level);
  const std::string level(name(testCase.level));
  if (testCase.expect == Expect::Reject) {
    if (std::ranges::any_of(
            broken, [&](const BrokenRule& each) { return each.rule->id == testCase.rejectBy; })) {
      return std::nullopt;
    }
    std::string text = "expect=reject(" + testCase.rejectBy + "), but at level " + level +
                       " the descriptor does not break that rule";
    for (const BrokenRule& each : broken) text += "; it breaks " + std::string(each.rule->id);
    return text;
  }
  if (!broken.empty()) {
    const std::string rule(broken.front().rule->id);
    std::string text =
        "at level " + level + " the descriptor breaks " + rule + ": " + broken.front().message;
    if (broken.front().rule->checked != Checked::ByRejecting) return text;
    return text + "; a case about that says expect=reject(" + rule + ")";
  }
  if (auto problem = modeProblem(testCase, testCase.modes)) return problem;
  return testCase.expect == Expect::Execute ? inputProblem(testCase) : std::nullopt;
}

}  // namespace dmlcts
