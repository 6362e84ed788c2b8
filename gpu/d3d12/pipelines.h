#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "gpu/d3d12/device/device.h"
#include "gpu/operators/plan.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/shaders/variants.h"

namespace dmlcts::gpu {

// The root signature of bindings.hlsli and the pipelines that share it. Creates each pipeline on
// first use: a driver may take a tenth of a second for one.
class Pipelines {
 public:
  // Root parameters.
  static constexpr uint32_t kConstantsAt = 0;  // one 32-bit constant
  static constexpr uint32_t kTable = 1;        // the constants' view, then kRegisters views
  static constexpr uint32_t kTableSize = 1 + kRegisters;

  // `folder`: "" or one whose files NAME.dxbc or NAME.dxil replace shaders. `variant`: null, or
  // replaces `folder`. `model`: by default the highest with bytecode that the device reports and
  // that passes the checks of wave_probe.h. Throws std::invalid_argument if the device lacks the
  // model or the folder has no bytecode of it. Throws as folderOf() does.
  explicit Pipelines(Device& device, std::string folder = {}, std::optional<ShaderModel> model = {},
                     const KernelVariant* variant = nullptr);

  ShaderModel shaderModel() const { return model_; }
  // Returns why a device that reports 6.0 got 5.1 by default; "" if it did not.
  const std::string& whyNotReported() const { return whyNotReported_; }
  // True if that is a fault of the driver, and not a capability that it lacks.
  bool avoidsFault() const { return avoidsFault_; }
  // Returns the threads per wave of kernels with wave operations; else 0.
  uint32_t waveLanes() const { return waveLanes_; }
  ID3D12RootSignature* rootSignature() const { return root_.Get(); }
  ID3D12PipelineState* get(Shader shader);

 private:
  std::string whyNotDxil(const KernelVariant& variant);
  bool folderHas(ShaderModel model) const;

  Device& device_;
  ShaderModel model_ = ShaderModel::Sm5_1;
  std::string whyNotReported_;
  bool avoidsFault_ = false;
  uint32_t waveLanes_ = 0;
  std::filesystem::path folder_;
  bool whole_;  // the folder replaces all shaders
  ComPtr<ID3D12RootSignature> root_;
  std::array<ComPtr<ID3D12PipelineState>, kShaderNames.size()> states_;
};

// Returns the folder of a variant's bytecode, as built by gpu/shaders/variants:
// build/kernel-variants/NAME in a folder above this program. Throws std::invalid_argument, with the
// command to type, if it is missing or built from sources other than this program's.
std::filesystem::path folderOf(const KernelVariant& variant);

}  // namespace dmlcts::gpu
