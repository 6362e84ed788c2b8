#include "reference/element_wise_identity.h"

#include <array>
#include <string>

#include "reference/checker.h"
#include "reference/element.h"
#include "reference/tensor.h"

namespace dmlcts {
namespace {

constexpr std::array kRules{
    Rule{.id = "element_wise_identity.available",
         .wording = "The operator exists from level 4.0 on.",
         .source = "this test",
         .through = Level::L3_1},
    Rule{.id = "element_wise_identity.rank",
         .wording = "Both tensors have 1 to 8 dimensions.",
         .source = "this test"},
    Rule{.id = "element_wise_identity.data-types",
         .wording = "InputTensor is of a type that all operators have.",
         .source = "this test"},
    Rule{.id = "element_wise_identity.output-type",
         .wording = "OutputTensor has the data type of InputTensor.",
         .source = "this test"},
    Rule{.id = "element_wise_identity.output-sizes",
         .wording = "OutputTensor has the sizes of InputTensor.",
         .source = "this test"},
    Rule{.id = "element_wise_identity.copy",
         .wording = "Each output element has the bits of the input element at its coordinates.",
         .source = "this test",
         .checked = Checked::ByExecuting},
};

}  // namespace

std::span<const Rule> identityRules() { return kRules; }

std::vector<BrokenRule> checkIdentity(const ElementWiseIdentity& op, Level level) {
  Checker checker(level);
  if (!checker.require("element_wise_identity.available", level >= Level::L4_0,
                       [] { return std::string("no such operator"); })) {
    return checker.takeBroken();
  }
  for (const TensorSlot& slot : op.tensors()) {
    checker.requireTensor(slot);
    const size_t rank = slot.desc->sizes.size();
    checker.require("element_wise_identity.rank", rank >= 1 && rank <= 8, [&] {
      return std::string(slot.dmlName) + " has DimensionCount " + std::to_string(rank);
    });
  }
  checker.require("element_wise_identity.data-types", isDocumentedDataType(op.input.type),
                  [&] { return "InputTensor is of " + std::string(info(op.input.type).dmlName); });
  checker.require("element_wise_identity.output-type", op.output.type == op.input.type, [&] {
    return "OutputTensor is of " + std::string(info(op.output.type).dmlName);
  });
  checker.require("element_wise_identity.output-sizes", op.output.sizes == op.input.sizes,
                  [&] { return "OutputTensor.Sizes are " + braced(op.output.sizes); });
  return checker.takeBroken();
}

std::vector<ReferenceOutput> evaluateIdentity(const ElementWiseIdentity& op,
                                              std::span<const std::vector<uint8_t>> inputs) {
  const uint32_t width = info(op.input.type).bytes;
  const auto from = elementStrides(op.input).value();
  const auto to = elementStrides(op.output).value();
  ReferenceOutput output{std::vector<uint8_t>(op.output.totalBytes),
                         ByteStatuses(op.output.totalBytes, width)};
  ElementWalk source(op.input.sizes, from);
  ElementWalk destination(op.output.sizes, to);
  do {
    storeBits(output.bytes, destination.offset() * width, width,
              loadBits(inputs[0], source.offset() * width, width));
    output.status.elements()[destination.offset()] = ByteStatus::Defined;
  } while (source.next() && destination.next());
  return {output};
}

std::vector<std::string_view> explainIdentity(const ElementWiseIdentity& /*op*/,
                                              const Execution& /*execution*/) {
  return {};  // every rule is documented
}

}  // namespace dmlcts
