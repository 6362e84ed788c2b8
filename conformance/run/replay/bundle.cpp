#include "conformance/run/replay/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "conformance/cases/language/case_string.h"
#include "conformance/cases/language/npy.h"
#include "conformance/cases/language/operator_syntax.h"
#include "conformance/run/replay/reproducer.h"
#include "conformance/run/required_target.h"
#include "dmlcts_version.h"
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

std::string caseText(const Bundle& bundle) {
  const std::string name = caseString(ofBundle(*bundle.prepared.testCase));
  std::string text =
      fmt::format("{}\n\n{}\n\n{}: {}\n", name, replayLine(bundle.replayArguments, name),
                  dmlcts::name(bundle.judgement.verdict), plainLine(bundle.judgement.message));
  for (const Difference& each : bundle.judgement.differences) {
    text += "  " + plainLine(each.text()) + "\n";
  }
  if (!bundle.shrunkFrom.empty()) text += "\nshrunk from\n" + bundle.shrunkFrom + "\n";
  return text;
}

std::string environmentText(const gpu::Identity& identity) {
  std::string text = fmt::format("suite {} {}\n", kSuiteVersion, kSuiteCommit);
  for (const auto& [name, value] : identityFacts(identity)) {
    text += fmt::format("{} {}\n", plainLine(name), plainLine(value));
  }
  for (const auto& [limit, value] : identity.limits) {
    text += fmt::format("limit {} {}\n", plainLine(limit), plainLine(value));
  }
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
  std::vector<NewFile> files{
      textFile("case.txt", caseText(bundle)),
      textFile("environment.txt", environmentText(bundle.identity)),
      textFile("dxdispatch.json", *dxDispatchModel(bundle.prepared, Literal::Small))};
  if (request.descriptor == bundle.prepared.testCase->descriptor) {  // not asked another way
    try {
      files.push_back(textFile("reproducer.cpp",
                               reproducer(*bundle.prepared.testCase, {bundle.judgement.violated})));
    } catch (const std::invalid_argument&) {
      // Not every case has a reproducer (reproducer.h).
    }
  }
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
  if (!std::filesystem::exists(folder / "case.txt")) return false;
  return std::ranges::none_of(std::filesystem::directory_iterator(folder), [](const auto& each) {
    return each.is_regular_file() && each.file_size() == 0;
  });
}

namespace {

using nlohmann::ordered_json;

constexpr uint64_t kMostLiteral = 1024;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

ordered_json tensorJson(const TensorDesc& tensor) {
  ordered_json json{{"DataType", info(tensor.type).dmlName}, {"Sizes", tensor.sizes}};
  if (tensor.strides) json["Strides"] = *tensor.strides;
  json["TotalTensorSizeInBytes"] = tensor.totalBytes;
  if (tensor.flags & kOwnedByDml) json["Flags"] = "OWNED_BY_DML";
  if (tensor.baseOffsetAlignment != 0) {
    json["GuaranteedBaseOffsetAlignment"] = tensor.baseOffsetAlignment;
  }
  return json;
}

// Returns the values of a resource, or nothing if they are too large for a literal.
std::optional<ordered_json> literalValues(const PreparedCase& prepared, const TensorSlot& slot,
                                          size_t input) {
  const gpu::Request& request = prepared.requests.front();
  if (slot.isOutput || !request.execute) {
    return ordered_json{{"valueCount", slot.desc->totalBytes}, {"value", 0}};
  }
  const gpu::BufferImage& image = request.inputs[input];
  if (image.size > kMostLiteral) return std::nullopt;
  const auto bytes = std::span(image.bytes).subspan(image.offset, image.size);
  return ordered_json(std::vector<uint8_t>(bytes.begin(), bytes.end()));
}

}  // namespace

std::string operatorConstant(const Descriptor& descriptor) {
  std::string text = "DML_OPERATOR_";
  for (char c : operatorName(descriptor)) {
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

std::optional<std::string> dxDispatchModel(const PreparedCase& prepared, Literal literal) {
  const Descriptor& descriptor = prepared.requests.front().descriptor;
  ordered_json resources = ordered_json::object();
  ordered_json desc = ordered_json::object();
  ordered_json bindings = ordered_json::object();
  ordered_json commands = ordered_json::array();
  size_t input = 0;
  for (const TensorSlot& slot : tensors(descriptor)) {
    const std::string name(slot.name);
    desc[std::string(slot.dmlName)] = tensorJson(*slot.desc);
    bindings[std::string(slot.dmlName)] = name;
    std::optional<ordered_json> values = literalValues(prepared, slot, input);
    const bool allowed = values && slot.desc->totalBytes <= kMostBytes;
    if (literal == Literal::All && !allowed) return std::nullopt;
    if (!values) values = ordered_json{{"sourcePath", name + ".bytes.npy"}};
    resources[name] = {{"initialValuesDataType", "UINT8"}, {"initialValues", *std::move(values)}};
    if (!slot.isOutput) {
      ++input;
    } else {
      commands.push_back({{"type", "print"}, {"resource", name}});
      commands.push_back(
          {{"type", "writeFile"}, {"resource", name}, {"targetPath", name + ".dxdispatch.npy"}});
    }
  }
  for (const AttributeSlot& each : attributes(descriptor)) {
    desc[std::string(each.dmlName)] = each.value;
  }
  commands.insert(commands.begin(),
                  {{"type", "dispatch"}, {"dispatchable", "case"}, {"bindings", bindings}});
  const ordered_json model{
      {"resources", resources},
      {"dispatchables", {{"case", {{"type", operatorConstant(descriptor)}, {"desc", desc}}}}},
      {"commands", commands}};
  return model.dump(2) + "\n";
}

}  // namespace dmlcts
