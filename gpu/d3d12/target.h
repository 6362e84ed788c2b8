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
  Level maxLevel = Level::L6_4;            // everything above it is NotSupported
  bool debugLayer = false;                 // its messages go to stderr
  PlanLimits limits;                       // tests use lower ones
  std::string modeMutant;                  // "" or one of kModeMutants
  std::string bytecode;                    // "" or a folder of replacement bytecode: see Pipelines
  std::optional<ShaderModel> shaderModel;  // by default the device's
};

// Throws std::invalid_argument for an unknown mutant or a shader model that device or folder lacks,
// and std::runtime_error if the adapter does not exist or the device cannot be created.
std::unique_ptr<Target> makeD3D12Target(const D3D12Options& options);

}  // namespace dmlcts::gpu
