#pragma once

#include <array>
#include <optional>
#include <string>

#include "gpu/d3d12/device/device.h"
#include "gpu/operators/plan.h"
#include "gpu/shaders/bytecode.h"

namespace dmlcts::gpu {

// The root signature of bindings.hlsli and the pipelines that share it. Creates each pipeline on
// first use: a driver may take a tenth of a second for one.
class Pipelines {
 public:
  // Root parameters.
  static constexpr uint32_t kConstantsAt = 0;  // one 32-bit constant
  static constexpr uint32_t kTable = 1;        // the constants' view, then kRegisters views
  static constexpr uint32_t kTableSize = 1 + kRegisters;

  // `model`: by default the highest that the device reports, with wave operations. Throws
  // std::invalid_argument if the device lacks it. `truncated`: a kernel for tests, whose pipeline
  // cannot be created.
  explicit Pipelines(Device& device, std::optional<ShaderModel> model = {},
                     std::optional<Shader> truncated = {});

  ShaderModel shaderModel() const { return model_; }
  // Returns why a device that reports 6.0 got 5.1 by default; "" if it did not.
  const std::string& whyNotDxil() const { return whyNotDxil_; }
  ID3D12RootSignature* rootSignature() const { return root_.Get(); }
  ID3D12PipelineState* get(Shader shader);

 private:
  Device& device_;
  ShaderModel model_ = ShaderModel::Sm5_1;
  std::string whyNotDxil_;
  std::optional<Shader> truncated_;
  ComPtr<ID3D12RootSignature> root_;
  std::array<ComPtr<ID3D12PipelineState>, kShaderNames.size()> states_;
};

}  // namespace dmlcts::gpu
