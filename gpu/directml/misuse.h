#pragma once

#include "gpu/directml/library.h"
#include "gpu/misuse.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Misuses an operator as Target::misuse specifies. NotSupported if the operator has nothing to
// misuse this way. Throws D3D12Error or DeviceRemoved if a call before the misuse fails.
Answer misuse(const DirectMlDevice& device, const MisusedOperator& misused);

}  // namespace dmlcts::gpu
