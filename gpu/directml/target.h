#pragma once

#include <memory>
#include <string>

#include "gpu/target.h"

// The target that runs Microsoft's DirectML on a Direct3D 12 device. Windows or Wine only.

namespace dmlcts::gpu {

struct DirectMlOptions {
  std::string adapter;      // "": the default; see selectAdapter
  std::string library;      // path of DirectML.dll; "": the one that Windows finds
  bool debugLayer = false;  // Direct3D 12's
  std::string modeMutant;   // "" or one of kModeMutants
};

// Throws std::runtime_error if the library cannot be loaded or a device cannot be created.
std::unique_ptr<Target> makeDirectMlTarget(const DirectMlOptions& options);

}  // namespace dmlcts::gpu
