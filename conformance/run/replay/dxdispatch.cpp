#include "conformance/run/replay/dxdispatch.h"

#include <cctype>
#include <nlohmann/json.hpp>
#include <span>

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

constexpr uint64_t kMostLiteral = 1024;

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

// Returns the values of a resource, or the file with them if they are too large for a literal.
ordered_json initialValues(const PreparedCase& prepared, const TensorSlot& slot, size_t input) {
  const gpu::Request& request = prepared.requests.front();
  if (slot.isOutput || !request.execute) {
    return ordered_json{{"valueCount", slot.desc->totalBytes}, {"value", 0}};
  }
  const gpu::BufferImage& image = request.inputs[input];
  if (image.size > kMostLiteral) {
    return ordered_json{{"sourcePath", std::string(slot.name) + ".bytes.npy"}};
  }
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

std::string dxDispatchModel(const PreparedCase& prepared) {
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
    resources[name] = {{"initialValuesDataType", "UINT8"},
                       {"initialValues", initialValues(prepared, slot, input)}};
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
