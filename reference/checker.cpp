#include "reference/checker.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr uint64_t kMostElements = UINT32_MAX;  // per tensor, by its total

constexpr std::array kRules{
    Rule{.id = "tensor.sizes-nonzero",
         .wording = "Every size of every tensor is at least 1.",
         .source = "DML_BUFFER_TENSOR_DESC, Sizes"},
    Rule{.id = "tensor.total-bytes-cover",
         .wording = "TotalTensorSizeInBytes reaches the end of the element with the highest "
                    "address, rounded up to 4 bytes.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes; DML helper functions, "
                   "DMLCalcBufferTensorSize",
         .note = "The printed helper computes the last element's index in 32 bits, which wraps; "
                 "this one in 64. Sizes and strides whose addresses do not fit 64 bits can never "
                 "be covered."},
    Rule{.id = "tensor.total-bytes-aligned",
         .wording = "A TotalTensorSizeInBytes that covers the elements is valid, also where it is "
                    "not a multiple of 4.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes; DML helper functions, "
                   "DMLCalcBufferTensorSize",
         .standing = Standing::Inferred,
         .checked = Checked::ByAccepting,
         .note = "The field's page bounds it from below and above. The helper's page asks for a "
                 "multiple of 4 of bound buffers only. DirectML 1.15.4 accepts it."},
    Rule{.id = "tensor.total-elements",
         .wording = "TotalTensorSizeInBytes is at most 2^32 - 1 elements.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes"},
    Rule{.id = "tensor.elements-past-32-bits",
         .wording =
             "A tensor whose sizes multiply to 2^32 elements or more is valid if strides of 0 "
             "keep its TotalTensorSizeInBytes within the limit.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes",
         .standing = Standing::Inferred,
         .checked = Checked::ByAccepting,
         .note =
             "The page limits the total, and counts it in elements; whether elements that share "
             "an address count, it does not say. DirectML 1.15.4 rejects such a tensor."},
    Rule{.id = "tensor.base-offset-alignment",
         .wording = "GuaranteedBaseOffsetAlignment is 0, or a power of two that is at least the "
                    "size of an element.",
         .source = "DML_BUFFER_TENSOR_DESC, GuaranteedBaseOffsetAlignment"},
    Rule{.id = "tensor.base-offset-alignment-below-16",
         .wording = "A GuaranteedBaseOffsetAlignment below DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, "
                    "16, is valid.",
         .source = "DML_BUFFER_TENSOR_DESC, GuaranteedBaseOffsetAlignment; Direct3D 12 constants "
                   "of DirectML",
         .standing = Standing::Inferred,
         .checked = Checked::ByAccepting,
         .note = "The field's page asks for the size of an element and no more; as every binding "
                 "is aligned to 16 bytes, less guarantees nothing. DirectML 1.15.4 rejects it."},
    Rule{.id = "tensor.flags",
         .wording = "DML_TENSOR_FLAG_OWNED_BY_DML is set on input tensors only.",
         .source = "DML_TENSOR_FLAGS, Constants"},
    Rule{.id = "tensor.output-no-overlap",
         .wording = "No two elements of an output tensor share an address.",
         .source = "IDMLBindingTable::BindOutputs, Description",
         .standing = Standing::Inferred,
         .note = "The page keeps the writable areas of two outputs apart; none says it of the "
                 "elements of one. Nor does any say which of two values such an address would "
                 "hold."},
    Rule{.id = "tensor.overlap-decided",
         .wording = "2^20 steps of search decide if two elements of an output share an address.",
         .source = "no page",
         .standing = Standing::Ours,
         .checked = Checked::NotAtAll,
         .note = "A limit of this suite: it refuses case strings beyond it. They have many axes "
                 "that interleave, and up to 2^32 - 1 addresses."},
    Rule{.id = "tensor.strides",
         .wording = "The element at a coordinate lies at the sum of coordinate times stride, in "
                    "elements; without strides the tensor is packed, last dimension fastest.",
         .source = "Using strides to express padding and memory layout; DML_BUFFER_TENSOR_DESC, "
                   "Strides",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.input-overlap",
         .wording = "Elements of an input tensor may share addresses: a stride of 0 broadcasts.",
         .source = "DML_BUFFER_TENSOR_DESC, Strides",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.input-windows",
         .wording = "Strides of an input tensor may make overlapping windows.",
         .source = "Using strides to express padding and memory layout, Broadcasting",
         .standing = Standing::Inferred,
         .checked = Checked::ByAccepting,
         .note = "The page calls broadcasting the usual case of overlap and names no other."},
    Rule{.id = "tensor.untouched",
         .wording = "Bytes inside an output's TotalTensorSizeInBytes that belong to no element, "
                    "between strided elements or behind the last one, keep what they held.",
         .source = "no page; DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes, says the contrary",
         .standing = Standing::Ours,
         .checked = Checked::ByExecuting,
         .note = "DirectML may write anywhere within the total. A target that keeps them makes "
                 "joining tensors in place possible; one that does not is observed, not failed."},
    Rule{.id = "tensor.no-write-outside-total",
         .wording = "Nothing is written to an output outside the TotalTensorSizeInBytes bytes "
                    "behind its offset.",
         .source = "UAV barriers and resource state barriers in DirectML, UAV barriers in "
                   "DirectML; IDMLBindingTable::BindOutputs, Description",
         .checked = Checked::Always,
         .note = "The total is the border, also where the bound range is longer."},
    Rule{.id = "tensor.inputs-unchanged",
         .wording = "No byte of an input changes.",
         .source = "UAV barriers and resource state barriers in DirectML, UAV barriers in DirectML",
         .checked = Checked::Always},
    Rule{.id = "tensor.total-bytes-excess",
         .wording = "TotalTensorSizeInBytes may be larger than the elements need.",
         .source = "DML_BUFFER_TENSOR_DESC, TotalTensorSizeInBytes",
         .checked = Checked::ByExecuting},
    Rule{.id = "tensor.strides-per-dimension",
         .wording = "Strides, where present, have one entry for each dimension.",
         .source = "DML_BUFFER_TENSOR_DESC, DimensionCount",
         .checked = Checked::NotAtAll,
         .note = "The API passes a bare pointer, so no application can break it in a way that an "
                 "implementation could notice; case strings refuse it."},
    Rule{.id = "call.repeatable",
         .wording = "The same operator with the same inputs leaves the same defined bytes.",
         .source = "the operators' descriptions",
         .checked = Checked::Always,
         .note = "What is defined has one value. Looked at with --repeat and in fuzzing."},
    Rule{.id = "call.undefined-repeats",
         .wording = "Undefined bytes that are written are the same each time.",
         .source = "no page",
         .standing = Standing::Ours,
         .checked = Checked::Always,
         .note = "Looked at with --repeat and in fuzzing."},
    Rule{.id = "call.s-ok",
         .wording = "A call that creates an operator returns S_OK or an error code: no other code "
                    "of success.",
         .source = "IDMLDevice::CreateOperator and CompileOperator, Return value",
         .checked = Checked::Always},
    Rule{.id = "call.level-gate",
         .wording = "A device that rejects a descriptor for its level alone rejects every such "
                    "descriptor.",
         .source = "DMLCreateDevice1, minimumFeatureLevel; the operators' Tensor support",
         .standing = Standing::Inferred,
         .checked = Checked::Always,
         .note = "The level is a minimum: nothing promises that a device rejects what the minimum "
                 "lacks."},
    Rule{.id = "call.e-invalidarg",
         .wording = "A descriptor that breaks a rule is rejected with E_INVALIDARG.",
         .source = "no page; Handling errors and device removal in DirectML calls it possible",
         .standing = Standing::Ours,
         .checked = Checked::Always,
         .note = "Any failing HRESULT rejects."},
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
  const size_t brokenBefore = broken_.size();

  if (!require("tensor.strides-per-dimension",
               !tensor.strides || tensor.strides->size() == tensor.sizes.size(), [&] {
                 return name + " has " + std::to_string(tensor.sizes.size()) +
                        " sizes and a different " + "number of strides";
               })) {
    return;
  }

  require("tensor.sizes-nonzero", std::ranges::find(tensor.sizes, 0u) == tensor.sizes.end(),
          [&] { return name + ".Sizes " + braced(tensor.sizes) + " contain a 0"; });

  const auto minimum = minimumTotalBytes(tensor);
  require("tensor.total-bytes-cover", minimum && tensor.totalBytes >= *minimum, [&] {
    return name + ".TotalTensorSizeInBytes " + std::to_string(tensor.totalBytes) +
           (minimum ? " is less than the " + std::to_string(*minimum) + " that its elements need"
                    : " cannot cover addresses beyond 64 bits");
  });
  const uint64_t width = std::max(1u, info(tensor.type).bytes);
  require("tensor.total-elements", tensor.totalBytes <= kMostElements * width, [&] {
    return name + ".TotalTensorSizeInBytes " + std::to_string(tensor.totalBytes) +
           " is more than 2^32 - 1 elements";
  });

  const uint32_t alignment = tensor.baseOffsetAlignment;
  require("tensor.base-offset-alignment",
          alignment == 0 || (std::has_single_bit(alignment) && alignment >= width), [&] {
            return name + ".GuaranteedBaseOffsetAlignment " + std::to_string(alignment) +
                   " is neither 0 nor a power of two of at least " + std::to_string(width);
          });
  require("tensor.flags", !slot.isOutput || !(tensor.flags & kOwnedByDml),
          [&] { return name + ".Flags has OWNED_BY_DML, and it is an output"; });

  // Only of a tensor that keeps the other rules: the search grows with its sizes.
  if (!slot.isOutput || broken_.size() > brokenBefore) return;
  const auto overlap = elementsOverlap(tensor);
  const auto strides = [&](std::string_view share) {
    return name + ".Strides let two elements of sizes " + braced(tensor.sizes) + std::string(share);
  };
  require("tensor.overlap-decided", overlap.has_value(), [&] {
    return strides(" share an address, or do not: " + std::to_string(kMostOverlapSteps) +
                   " steps of search found neither");
  });
  require("tensor.output-no-overlap", !overlap.value_or(false),
          [&] { return strides(" share an address"); });
}

std::vector<BrokenRule> Checker::takeBroken() {
  // A ledger is one array, and rules() puts the ledgers in order.
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
