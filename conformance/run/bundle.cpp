#include "conformance/run/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "conformance/cases/case_string.h"
#include "conformance/run/npy.h"
#include "dmlcts_version.h"
#include "reports/journal/replace_file.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

using nlohmann::ordered_json;

void writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw std::system_error(errno, std::generic_category(), file.string());
}

std::span<const uint8_t> tensorIn(const gpu::BufferImage& image,
                                  const std::vector<uint8_t>& buffer) {
  return std::span(buffer).subspan(image.offset, image.size);
}

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

// DxDispatch's model of the case: microsoft/DirectML, DxDispatch/models/_schema.json.
std::string dxDispatchModel(const PreparedCase& prepared) {
  const Descriptor& descriptor = prepared.requests.front().descriptor;
  std::string type = "DML_OPERATOR_";
  for (char c : operatorName(descriptor)) {
    type += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  ordered_json resources = ordered_json::object();
  ordered_json desc = ordered_json::object();
  ordered_json bindings = ordered_json::object();
  ordered_json commands = ordered_json::array();
  for (const TensorSlot& slot : tensors(descriptor)) {
    const std::string name(slot.name);
    desc[std::string(slot.dmlName)] = tensorJson(*slot.desc);
    bindings[std::string(slot.dmlName)] = name;
    if (slot.isOutput) {
      resources[name] = {{"initialValuesDataType", "UINT8"},
                         {"initialValues", {{"valueCount", slot.desc->totalBytes}, {"value", 0}}}};
      commands.push_back({{"type", "print"}, {"resource", name}});
      commands.push_back(
          {{"type", "writeFile"}, {"resource", name}, {"targetPath", name + ".dxdispatch.npy"}});
    } else {
      resources[name] = {{"initialValuesDataType", "UINT8"},
                         {"initialValues", {{"sourcePath", name + ".bytes.npy"}}}};
    }
  }
  for (const AttributeSlot& each : attributes(descriptor)) {
    desc[std::string(each.dmlName)] = each.value;
  }
  commands.insert(commands.begin(),
                  {{"type", "dispatch"}, {"dispatchable", "case"}, {"bindings", bindings}});
  const ordered_json model{{"resources", resources},
                           {"dispatchables", {{"case", {{"type", type}, {"desc", desc}}}}},
                           {"commands", commands}};
  return model.dump(2) + "\n";
}

std::string caseText(const Bundle& bundle) {
  const std::string name = caseString(*bundle.prepared.testCase);
  std::string text =
      fmt::format("{}\n\ndmlcts replay {}'{}'\n\n{}: {}\n", name,
                  bundle.via.empty() ? "" : "--via " + bundle.via + " ", name,
                  dmlcts::name(bundle.judgement.verdict), plainLine(bundle.judgement.message));
  for (const std::string& line : bundle.judgement.differences) {
    text += "  " + plainLine(line) + "\n";
  }
  if (!bundle.shrunkFrom.empty()) text += "\nshrunk from\n" + bundle.shrunkFrom + "\n";
  return text;
}

std::string environmentText(const gpu::Identity& identity) {
  std::string text = fmt::format(
      "suite {} {}\ntarget {}\nadapter {}\nvendor 0x{:04x}\ndevice 0x{:04x}\ndriver {}\n"
      "runtime {}\nimplementation {}\nlevel {}\n",
      kSuiteVersion, kSuiteCommit, plainLine(identity.target), plainLine(identity.adapter),
      identity.vendorId, identity.deviceId, plainLine(identity.driver), plainLine(identity.runtime),
      plainLine(identity.implementation), name(identity.maxLevel));
  for (const auto& [limit, value] : identity.limits) {
    text += fmt::format("limit {} {}\n", plainLine(limit), plainLine(value));
  }
  return text;
}

void writeFiles(const std::filesystem::path& folder, const Bundle& bundle) {
  writeText(folder / "case.txt", caseText(bundle));
  writeText(folder / "environment.txt", environmentText(bundle.identity));
  writeText(folder / "dxdispatch.json", dxDispatchModel(bundle.prepared));

  const gpu::Request& request = bundle.prepared.requests.front();
  if (!request.execute) return;
  const auto byteCount = [](const gpu::BufferImage& image) {
    return std::vector<uint32_t>{static_cast<uint32_t>(image.size)};
  };
  size_t input = 0;
  size_t output = 0;
  for (const TensorSlot& slot : tensors(request.descriptor)) {
    const std::string name(slot.name);
    const TensorDesc& tensor = *slot.desc;
    if (!slot.isOutput) {
      const gpu::BufferImage& image = request.inputs[input++];
      const auto bytes = tensorIn(image, image.bytes);
      writeNpy(folder / (name + ".npy"), tensor.type, tensor.sizes, packedElements(tensor, bytes));
      writeNpy(folder / (name + ".bytes.npy"), DataType::UInt8, byteCount(image), bytes);
      continue;
    }
    writeNpy(folder / (name + ".expected.npy"), tensor.type, tensor.sizes,
             packedElements(tensor, bundle.prepared.expected[output].bytes));
    const gpu::BufferImage& image = request.outputs[output];
    if (bundle.answer && output < bundle.answer->outputs.size() &&
        bundle.answer->outputs[output].size() == image.bytes.size()) {
      writeNpy(folder / (name + ".actual.npy"), tensor.type, tensor.sizes,
               packedElements(tensor, tensorIn(image, bundle.answer->outputs[output])));
    }
    ++output;
  }
}

}  // namespace

void writeBundle(const std::filesystem::path& folder, const Bundle& bundle) {
  const auto partial = std::filesystem::path(folder).concat(kPartial);
  std::filesystem::remove_all(partial);
  std::filesystem::create_directories(partial);
  writeFiles(partial, bundle);
  std::filesystem::remove_all(folder);
  std::filesystem::rename(partial, folder);
}

}  // namespace dmlcts
