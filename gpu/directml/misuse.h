#pragma once

#include "gpu/directml/library.h"
#include "gpu/misuse.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Uses an operator wrong, as Target::misuse says. NotSupported where the operator has nothing that
// could be used so. Throws D3D12Error or DeviceRemoved where what comes before the misuse fails.
Answer misuse(const DirectMlDevice& device, const MisusedOperator& misused);

}  // namespace dmlcts::gpu
