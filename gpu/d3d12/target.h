#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gpu/operators/plan.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/shaders/variants.h"
#include "gpu/target.h"

// Our HLSL kernels on a Direct3D 12 device, as a target.

namespace dmlcts::gpu {

struct D3D12Options {
  std::string adapter;                     // "" the default; see selectAdapter
  Level maxLevel = Level::L6_4;            // above it everything is NotSupported
  bool debugLayer = false;                 // its messages go to stderr
  PlanLimits limits;                       // lower than the default for tests
  std::string modeMutant;                  // "" or the name of one of kModeMutants
  std::string bytecode;                    // "" or a folder of bytecode instead: see Pipelines
  std::optional<ShaderModel> shaderModel;  // what the device has when there is none
  const KernelVariant* kernelVariant = nullptr;

  // For tests of the kernels' use of memory.
  bool poisonTemporaries = false;  // fill temporaries with ones before each batch
  bool serial = false;             // requests of a batch one after another, in the same temporaries
};

// Throws std::invalid_argument for an unknown mutant, a shader model that the device has not or of
// which the folder has no bytecode, a variant that is not made, and std::runtime_error when there
// is no such adapter or the device cannot be created.
std::unique_ptr<Target> makeD3D12Target(const D3D12Options& options);

}  // namespace dmlcts::gpu
