#include "conformance/run/replay/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "conformance/facts/rules_of.h"
#include "conformance/language/case_string.h"
#include "conformance/language/npy.h"
#include "conformance/language/operator_syntax.h"
#include "conformance/run/replay/dxdispatch.h"
#include "conformance/run/target_identity.h"
#include "dmlcts_version.h"
#include "reference/rules.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

std::span<const uint8_t> tensorIn(const gpu::BufferImage& image,
                                  const std::vector<uint8_t>& buffer) {
  return std::span(buffer).subspan(image.offset, image.size);
}

// Returns the case with the bundle's own files, so that it can be replayed in the bundle's folder.
Case ofBundle(Case testCase) {
  const auto slots = tensors(testCase.descriptor);
  const auto nameFile = [&](NpyFill& npy, size_t slot) {
    npy.file = std::string(slots[slot].name) + ".npy";
  };
  if (testCase.fill.kind == FillKind::Npy) nameFile(testCase.fill.npy, 0);
  if (testCase.index.kind == IndexKind::Npy) {
    nameFile(testCase.index.npy, *indicesSlot(testCase.descriptor));
  }
  return testCase;
}

// The rest of a README.md is code: text of unknown origin is no Markdown there.

std::string expectedText(const Case& testCase) {
  switch (testCase.expect) {
    case Expect::Execute:
      return "The descriptor is accepted, and the outputs hold OUTPUT.expected.npy.";
    case Expect::Accept:
      return "The descriptor is accepted.";
    case Expect::Reject:
      return "CreateOperator() rejects the descriptor, which breaks " +
             markdownCode(testCase.rejectBy) + ".";
  }
  return "";
}

std::string sizesText(const std::vector<uint32_t>& sizes) {
  return fmt::format("{{{}}}", fmt::join(sizes, ", "));
}

std::string descriptorText(const Case& testCase, const Descriptor& descriptor) {
  std::string text = fmt::format("`{}` at feature level {}\n\n", operatorConstant(descriptor),
                                 name(testCase.level));
  text += markdownRow({"tensor", "DataType", "Sizes", "Strides", "TotalTensorSizeInBytes", "Flags",
                       "GuaranteedBaseOffsetAlignment"});
  text += markdownRow({"---", "---", "---", "---", "---", "---", "---"});
  for (const TensorSlot& slot : tensors(descriptor)) {
    const TensorDesc& tensor = *slot.desc;
    text += markdownRow(
        {std::string(slot.dmlName), std::string(info(tensor.type).dmlName), sizesText(tensor.sizes),
         tensor.strides ? sizesText(*tensor.strides) : "nullptr", std::to_string(tensor.totalBytes),
         tensor.flags & kOwnedByDml ? "OWNED_BY_DML" : "NONE",
         std::to_string(tensor.baseOffsetAlignment)});
  }
  text += "\n";
  for (const AttributeSlot& each : attributes(descriptor)) {
    text += fmt::format("- `{}` = {}\n", each.dmlName, each.value);
  }
  return text;
}

std::string rulesText(const Bundle& bundle) {
  const auto line = [](const Rule& rule) {
    return fmt::format("- `{}` ({}): {} [{}]\n", rule.id, name(rule.standing), rule.wording,
                       rule.source);
  };
  std::string text = fmt::format("Rules of the specification edition {}. ", kSpecificationEdition);
  if (bundle.judgement.violated.empty()) {
    text += "Which rule is broken is not known. The case exercises:\n\n";
    for (std::string_view id : rulesOf(*bundle.prepared.testCase)) text += line(*findRule(id));
    return text;
  }
  text += "Broken:\n\n";
  for (const std::string& id : bundle.judgement.violated) text += line(*findRule(id));
  return text;
}

std::string identityText(const gpu::Identity& identity) {
  std::string text = markdownRow({"what", "which"}) + markdownRow({"---", "---"});
  const auto row = [&](const std::string& what, const std::string& which) {
    if (!which.empty()) text += markdownRow({markdownCode(what), markdownCode(which)});
  };
  for (const auto& [name, value] : identityFacts(identity)) row(name, value);
  for (const auto& [limit, value] : identity.limits) row("limit " + limit, value);
  row("suite", fmt::format("{} {}", kSuiteVersion, kSuiteCommit));
  return text;
}

std::string readmeText(const Bundle& bundle, const Descriptor& descriptor) {
  const Judgement& judgement = bundle.judgement;
  const gpu::Identity& identity = bundle.identity;
  const std::string name = caseString(ofBundle(*bundle.prepared.testCase));
  std::string actual =
      fmt::format("{}: {}\n", dmlcts::name(judgement.verdict), plainLine(judgement.message));
  for (const Difference& each : judgement.differences) {
    actual += "  " + plainLine(each.text()) + "\n";
  }
  std::string text = fmt::format(
      "# {}: {}\n\n", operatorName(descriptor),
      markdownText(judgement.message.empty() ? std::string(dmlcts::name(judgement.verdict))
                                             : judgement.message));
  text += markdownBlock(name) + "\n";
  if (!bundle.shrunkFrom.empty()) {
    text += "Shrunk from\n\n" + markdownBlock(bundle.shrunkFrom) + "\n";
  }
  text += "## Target\n\n" + identityText(identity) + "\n";
  text += "## Descriptor\n\n" + descriptorText(*bundle.prepared.testCase, descriptor) + "\n";
  text += "## Expected\n\n" + expectedText(*bundle.prepared.testCase) + "\n\n";
  text += "## Actual\n\n" + markdownBlock(actual) + "\n";
  text += "## Why that is expected\n\n" + rulesText(bundle) + "\n";
  text += "## Replay\n\nWith Microsoft's DxDispatch, in this folder:\n\n" +
          markdownBlock("dxdispatch dxdispatch.json") + "\nWith dmlcts, in this folder:\n\n" +
          markdownBlock(replayLine(bundle.replayArguments, name));
  return text;
}

// The arguments must live until the file is written.
NewFile arrayFile(const std::string& name, const TensorDesc& tensor,
                  std::span<const uint8_t> bytes) {
  return {name, [&tensor, bytes](std::ostream& out) {
            writeNpy(out, tensor.type, tensor.sizes, packedElements(tensor, bytes));
          }};
}

std::vector<NewFile> filesOf(const Bundle& bundle, const gpu::Request& request) {
  std::vector<NewFile> files{textFile("README.md", readmeText(bundle, request.descriptor)),
                             textFile("dxdispatch.json", dxDispatchModel(bundle.prepared))};
  if (!request.execute) return files;
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const std::string name(slot.name);
    const TensorDesc& tensor = *slot.desc;
    if (!slot.isOutput) {
      const gpu::BufferImage& image = request.inputs[input++];
      const auto bytes = tensorIn(image, image.bytes);
      files.push_back(arrayFile(name + ".npy", tensor, bytes));
      files.push_back({name + ".bytes.npy", [bytes](std::ostream& out) {
                         const std::vector<uint32_t> count{static_cast<uint32_t>(bytes.size())};
                         writeNpy(out, DataType::UInt8, count, bytes);
                       }});
      continue;
    }
    files.push_back(
        arrayFile(name + ".expected.npy", tensor, bundle.prepared.expected[output].bytes));
    const gpu::BufferImage& image = request.outputs[output];
    if (bundle.answer && output < bundle.answer->outputs.size() &&
        bundle.answer->outputs[output].size() == image.bytes.size()) {
      files.push_back(
          arrayFile(name + ".actual.npy", tensor, tensorIn(image, bundle.answer->outputs[output])));
    }
    ++output;
  }
  return files;
}

}  // namespace

void writeBundle(const Folder& folder, const std::filesystem::path& path, const Bundle& bundle) {
  folder.replaceFolder(path, filesOf(bundle, bundle.prepared.requests.front()));
}

bool isWholeBundle(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / "README.md")) return false;
  return std::ranges::none_of(std::filesystem::directory_iterator(folder), [](const auto& each) {
    return each.is_regular_file() && each.file_size() == 0;
  });
}

}  // namespace dmlcts
