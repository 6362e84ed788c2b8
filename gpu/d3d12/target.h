#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpu/operators/plan.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/target.h"

// The target that runs our HLSL kernels on a Direct3D 12 device.

namespace dmlcts::gpu {

struct D3D12Options {
  std::string adapter;                     // "": the default; see selectAdapter
  bool debugLayer = false;                 // its messages go to stderr
  PlanLimits limits;                       // tests use lower ones
  std::string modeMutant;                  // "" or one of kModeMutants
  std::optional<ShaderModel> shaderModel;  // by default the device's
  std::optional<Shader> truncated;         // tests of a kernel that the device refuses
};

// Throws std::invalid_argument for an unknown mutant or a shader model that the device lacks, and
// std::runtime_error if the adapter does not exist or the device cannot be created.
std::unique_ptr<Target> makeD3D12Target(const D3D12Options& options);

}  // namespace dmlcts::gpu
