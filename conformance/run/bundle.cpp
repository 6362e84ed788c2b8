#include "conformance/run/bundle.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "conformance/cases/case_string.h"
#include "conformance/run/dxdispatch.h"
#include "conformance/run/npy.h"
#include "conformance/run/reproducer.h"
#include "dmlcts_version.h"
#include "reports/journal/replace_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

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

std::string caseText(const Bundle& bundle) {
  const std::string name = caseString(*bundle.prepared.testCase);
  std::string text =
      fmt::format("{}\n\n{}\n\n{}: {}\n", name, replayLine(bundle.replayArguments, name),
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
      "runtime {}\nimplementation {}\nshader model {}\nkernel variant {}\nlevel {}\n",
      kSuiteVersion, kSuiteCommit, plainLine(identity.target), plainLine(identity.adapter),
      identity.vendorId, identity.deviceId, plainLine(identity.driver), plainLine(identity.runtime),
      plainLine(identity.implementation), plainLine(identity.shaderModel),
      plainLine(identity.kernelVariant), name(identity.maxLevel));
  for (const auto& [limit, value] : identity.limits) {
    text += fmt::format("limit {} {}\n", plainLine(limit), plainLine(value));
  }
  return text;
}

void writeFiles(const std::filesystem::path& folder, const Bundle& bundle) {
  writeText(folder / "case.txt", caseText(bundle));
  writeText(folder / "environment.txt", environmentText(bundle.identity));
  writeText(folder / "dxdispatch.json", *dxDispatchModel(bundle.prepared, Literal::Small));

  const gpu::Request& request = bundle.prepared.requests.front();
  if (request.descriptor == bundle.prepared.testCase->descriptor) {  // ordinary execution mode
    try {
      writeText(folder / "reproducer.cpp",
                reproducer(*bundle.prepared.testCase, {bundle.judgement.violated}));
    } catch (const std::invalid_argument&) {
      // Not every case has a reproducer (reproducer.h).
    }
  }
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
