#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "gpu/target.h"

// Microsoft's DirectML on a Direct3D 12 device, as a target. Windows only, or Wine.

namespace dmlcts::gpu {

// DML_EXECUTION_FLAGS.
struct ExecutionFlag {
  std::string_view name;
  uint32_t value;
};
inline constexpr ExecutionFlag kExecutionFlags[] = {
    {"half-precision", 1},   // ALLOW_HALF_PRECISION_COMPUTATION
    {"no-metacommands", 2},  // DISABLE_METACOMMANDS
    {"volatile", 4},         // DESCRIPTORS_VOLATILE
};

struct DirectMlOptions {
  std::string adapter;          // "" the default; see selectAdapter
  std::string library;          // path of DirectML.dll; "" for the one that Windows finds
  bool debugLayer = false;      // Direct3D 12's
  uint32_t executionFlags = 0;  // DML_EXECUTION_FLAGS for every operator
  std::string wayMutant;        // "" or the name of one of kWayMutants
};

// Throws std::runtime_error when the library cannot be loaded or a device cannot be created.
std::unique_ptr<Target> makeDirectMlTarget(const DirectMlOptions& options);

}  // namespace dmlcts::gpu
