#include "gpu/d3d12/pipelines.h"

#include <directx/d3dx12.h>
#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <string>

#include "gpu/d3d12/device/error.h"

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

Pipelines::Pipelines(Device& device, std::optional<ShaderModel> model,
                     std::optional<Shader> truncated)
    : device_(device), truncated_(truncated), root_(makeRootSignature(device)) {
  if (model.value_or(ShaderModel::Sm6_0) == ShaderModel::Sm6_0) {
    const bool reports = device.reports(D3D_SHADER_MODEL_6_0);
    if (reports && device.reportsWaves()) {
      model_ = ShaderModel::Sm6_0;
    } else {
      const std::string whyNot = fmt::format(
          "{} on {} {}", device.facts().runtime, device.facts().adapter.name,
          reports ? "reports that shader model, but no wave operations"
                  : "does not report that shader model; our kernels run there with 5.1");
      if (model) throw std::invalid_argument("--shader-model 6.0: " + whyNot);
      if (reports) whyNotDxil_ = whyNot;
    }
  }
}

ID3D12PipelineState* Pipelines::get(Shader shader) {
  ComPtr<ID3D12PipelineState>& state = states_[static_cast<size_t>(shader)];
  if (!state) {
    std::span<const uint8_t> bytecode = bytecodeOf(model_, name(shader));
    if (shader == truncated_) bytecode = bytecode.first(4);
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

}  // namespace dmlcts::gpu
