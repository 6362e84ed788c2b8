#include "conformance/run/replay/dxdispatch.h"

#include <cctype>
#include <nlohmann/json.hpp>
#include <span>

namespace dmlcts {
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
