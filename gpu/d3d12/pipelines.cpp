#include "gpu/d3d12/pipelines.h"

#include <directx/d3dx12.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/platform/wave_probe.h"
#include "gpu/identity/file_hash.h"
#include "gpu/identity/loaded_files.h"
#include "gpu/shaders/embedded.h"

namespace dmlcts::gpu {

namespace {

ComPtr<ID3D12RootSignature> makeRootSignature(Device& device) {
  // Mirrors bindings.hlsli, in the order of Register.
  const std::array ranges{
      CD3DX12_DESCRIPTOR_RANGE(D3D12_DESCRIPTOR_RANGE_TYPE_CBV, 1, 1),
      CD3DX12_DESCRIPTOR_RANGE(D3D12_DESCRIPTOR_RANGE_TYPE_SRV, 3, 0),
      CD3DX12_DESCRIPTOR_RANGE(D3D12_DESCRIPTOR_RANGE_TYPE_UAV, 6, 0),
  };
  std::array<CD3DX12_ROOT_PARAMETER, 2> parameters;
  parameters[Pipelines::kConstantsAt].InitAsConstants(1, 0);
  parameters[Pipelines::kTable].InitAsDescriptorTable(ranges.size(), ranges.data());
  const CD3DX12_ROOT_SIGNATURE_DESC desc(parameters.size(), parameters.data());
  ComPtr<ID3DBlob> blob;
  ComPtr<ID3DBlob> messages;
  check(platform::serializeRootSignature(desc, &blob, &messages), "D3D12SerializeRootSignature");
  ComPtr<ID3D12RootSignature> root;
  check(device.get()->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(),
                                          uuidof<ID3D12RootSignature>(), &root),
        "ID3D12Device::CreateRootSignature");
  root->SetName(L"dmlcts root signature");
  return root;
}

}  // namespace

Pipelines::Pipelines(Device& device, std::string folder, std::optional<ShaderModel> model,
                     const KernelVariant* variant)
    : device_(device),
      folder_(std::move(folder)),
      whole_(variant),
      root_(makeRootSignature(device)) {
  if (variant && !folder_.empty()) {
    throw std::invalid_argument("--kernel-variant: variants are of the right kernels alone");
  }
  if (variant) folder_ = folderOf(*variant);
  if (model.value_or(ShaderModel::Sm6_0) == ShaderModel::Sm6_0 &&
      (model || folder_.empty() || folderHas(ShaderModel::Sm6_0))) {
    model_ = ShaderModel::Sm6_0;
    const std::string whyNot = whyNotDxil(variant ? *variant : KernelVariant{});
    if (!whyNot.empty() && model) throw std::invalid_argument("--shader-model 6.0: " + whyNot);
    if (!whyNot.empty()) {
      model_ = ShaderModel::Sm5_1;
      states_ = {};
      if (device.reports(D3D_SHADER_MODEL_6_0)) whyNotReported_ = whyNot;
    }
  }
  if (!folder_.empty() && !folderHas(model_)) {
    throw std::invalid_argument(
        fmt::format("--bytecode {}: has no *{}, which shader model {} takes", folder_.string(),
                    extension(model_), name(model_)));
  }
}

// A runtime may accept DXIL that its driver does not, and wave operations may be wrong.
std::string Pipelines::whyNotDxil(const KernelVariant& variant) {
  const platform::AdapterFacts& facts = device_.facts();
  const std::string who = fmt::format("{} on {}", facts.runtime, facts.adapter.name);
  if (!device_.reports(D3D_SHADER_MODEL_6_0))
    return who + " does not report that shader model; our kernels run there with 5.1";
  if (variant.waves && !device_.reportsWaves())
    return who + " reports that shader model, but no wave operations";
  try {
    const WaveProbe probe = probeWaves(device_, *this, variant.groupThreads, variant.waves);
    if (!probe.wrong.empty()) {
      avoidsFault_ = true;
      return fmt::format("{} reports that shader model, but its wave operations are wrong: {}", who,
                         probe.wrong);
    }
    if (variant.waves) waveLanes_ = probe.lanes;
  } catch (const DeviceRemoved&) {
    throw;
  } catch (const D3D12Error& error) {
    avoidsFault_ = true;
    return fmt::format("{} reports that shader model, but {}", who, error.what());
  }
  return "";
}

bool Pipelines::folderHas(ShaderModel model) const {
  return std::ranges::any_of(std::filesystem::directory_iterator(folder_), [&](const auto& file) {
    return file.path().extension() == extension(model);
  });
}

ID3D12PipelineState* Pipelines::get(Shader shader) {
  ComPtr<ID3D12PipelineState>& state = states_[static_cast<size_t>(shader)];
  if (!state) {
    std::span<const uint8_t> bytecode = bytecodeOf(model_, name(shader));
    std::vector<uint8_t> replaced;
    const std::string file = fmt::format("{}{}", name(shader), extension(model_));
    if (whole_ || (!folder_.empty() && std::filesystem::exists(folder_ / file))) {
      // An unreadable file must not fall back to our bytecode: its folder would count as tested.
      replaced = bytecodeIn(folder_, model_, name(shader));
      bytecode = replaced;
    }
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc{};
    desc.pRootSignature = root_.Get();
    desc.CS = {bytecode.data(), bytecode.size()};
    const std::string call =
        "ID3D12Device::CreateComputePipelineState(" + std::string(name(shader)) + ")";
    check(device_.get()->CreateComputePipelineState(&desc, uuidof<ID3D12PipelineState>(), &state),
          call.c_str());
    const std::string_view text = name(shader);
    state->SetName(std::wstring(text.begin(), text.end()).c_str());
  }
  return state.Get();
}

namespace {

using Lines = std::set<std::string>;

// Returns lines in the format of `sha256sum`.
Lines ownSources() {
  Lines lines;
  for (const EmbeddedFile& file : shaderSources()) {
    Sha256 sum;
    sum.add({reinterpret_cast<const uint8_t*>(file.text.data()), file.text.size()});
    lines.insert(sum.digits() + "  " + std::string(file.name));
  }
  return lines;
}

Lines linesOf(const std::filesystem::path& file) {
  Lines lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

}  // namespace

std::filesystem::path folderOf(const KernelVariant& variant) {
  const std::filesystem::path program = ownFile();
  std::string problem = "is not made: no folder above this program has it";
  for (std::filesystem::path above = program.parent_path();; above = above.parent_path()) {
    std::filesystem::path folder = above / "build/kernel-variants" / variant.name;
    if (std::filesystem::exists(folder / "sources")) {
      if (linesOf(folder / "sources") == ownSources()) return folder;
      problem = "was made of other sources than this program's kernels";
      break;
    }
    if (above == above.parent_path()) break;
  }
  throw std::invalid_argument(
      fmt::format("--kernel-variant {0}: it {1}; in the source tree, run gpu/shaders/variants {0}",
                  variant.name, problem));
}

}  // namespace dmlcts::gpu
