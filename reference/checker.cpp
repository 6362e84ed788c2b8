#include "reference/checker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "tensor.sizes-nonzero",
         .wording = "Every size of every tensor is at least 1.",
         .source = "DML_BUFFER_TENSOR_DESC, Sizes"},
    Rule{.id = "tensor.total-bytes-aligned",
         .wording = "TotalTensorSizeInBytes is a multiple of 4.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes"},
    Rule{.id = "tensor.total-bytes-cover",
         .wording = "TotalTensorSizeInBytes reaches the end of the element with the highest "
                    "address, rounded up to 4 bytes.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes",
         .note = "Sizes and strides whose addresses do not fit 64 bits can never be covered and "
                 "break this rule."},
    Rule{.id = "tensor.output-no-overlap",
         .wording = "No two elements of an output tensor share an address.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides"},
    Rule{.id = "tensor.strides",
         .wording = "The element at a coordinate lies at the sum of coordinate times stride, in "
                    "elements; without strides the tensor is packed, last dimension fastest.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.input-overlap",
         .wording = "Elements of an input tensor may share addresses: a stride of 0 broadcasts, "
                    "other short strides make overlapping windows.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.untouched",
         .wording = "Bytes of an output tensor that belong to no element, between strided "
                    "elements or behind the last one, keep what they held.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides and TotalTensorSizeInBytes",
         .checked = Checked::ByExecuting,
         .note = "The document leaves this implicit; an operator that wrote there would destroy "
                 "the neighbours that strides exist to make room for."},
    Rule{.id = "tensor.total-bytes-excess",
         .wording = "TotalTensorSizeInBytes may be larger than the elements need.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.strides-per-dimension",
         .wording = "Strides, where present, have one entry for each dimension.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides",
         .checked = Checked::NotAtAll,
         .note = "The API passes a bare pointer, so no application can break it in a way that an "
                 "implementation could notice; case strings refuse it."},
};

}  // namespace

std::span<const Rule> tensorRules() { return kRules; }

void Checker::report(std::string_view ruleId, std::string message) {
  const Rule* rule = findRule(ruleId);
  if (rule->holdsAt(level_)) broken_.push_back({rule, std::move(message)});
}

void Checker::requireTensor(const TensorSlot& slot) {
  const TensorDesc& tensor = *slot.desc;
  const std::string name(slot.dmlName);

  if (!require("tensor.strides-per-dimension",
               !tensor.strides || tensor.strides->size() == tensor.sizes.size(), [&] {
                 return name + " has " + std::to_string(tensor.sizes.size()) +
                        " sizes and a different " + "number of strides";
               })) {
    return;
  }

  const bool sizesNonzero =
      require("tensor.sizes-nonzero", std::ranges::find(tensor.sizes, 0u) == tensor.sizes.end(),
              [&] { return name + ".Sizes " + braced(tensor.sizes) + " contain a 0"; });

  require("tensor.total-bytes-aligned", tensor.totalBytes % 4 == 0, [&] {
    return name + ".TotalTensorSizeInBytes " + std::to_string(tensor.totalBytes) +
           " is not a multiple of 4";
  });

  // A total that misses by less than 4 bytes is only misaligned and breaks the rule above alone.
  const auto minimum = minimumTotalBytes(tensor);
  const bool covered =
      minimum && (tensor.totalBytes >= *minimum || *minimum - tensor.totalBytes < 4);
  require("tensor.total-bytes-cover", covered, [&] {
    return name + ".TotalTensorSizeInBytes " + std::to_string(tensor.totalBytes) +
           (minimum ? " is less than the " + std::to_string(*minimum) + " that its elements need"
                    : " cannot cover addresses beyond 64 bits");
  });

  if (slot.isOutput && sizesNonzero) {
    require("tensor.output-no-overlap", !elementsOverlap(tensor), [&] {
      return name + ".Strides let two elements of sizes " + braced(tensor.sizes) +
             " share an address";
    });
  }
}

std::vector<BrokenRule> Checker::takeBroken() {
  // Rules of one ledger lie in one array; ledgers are ordered by rules().
  const auto position = [](const BrokenRule& broken) {
    const auto all = rules();
    return std::ranges::find(all, broken.rule->id, &Rule::id) - all.begin();
  };
  std::ranges::stable_sort(broken_, {}, position);
  return std::move(broken_);
}

std::string braced(const std::vector<uint32_t>& sizes) {
  std::string text = "{";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? "," : "") + std::to_string(sizes[i]);
  return text + "}";
}

bool isDocumentedDataType(DataType type) {
  switch (type) {
    case DataType::Float32:
    case DataType::Float16:
    case DataType::Int32:
    case DataType::Int16:
    case DataType::Int8:
    case DataType::UInt32:
    case DataType::UInt16:
    case DataType::UInt8:
      return true;
    default:
      return false;
  }
}

bool isIndexType(DataType type) {
  return type == DataType::Int64 || type == DataType::Int32 || type == DataType::UInt64 ||
         type == DataType::UInt32;
}

}  // namespace dmlcts
