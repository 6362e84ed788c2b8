#pragma once

#include <cstdint>
#include <optional>

#include "gpu/d3d12/device.h"
#include "gpu/shaders/bytecode.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// See Target::timeCopy. The destination is read back once: a copy that lost bytes is
// Status::Failed. NotSupported where one view cannot show that many bytes. Throws what a failing
// call throws. `model` as Pipelines has it.
CopyTiming timeCopy(Device& device, uint64_t bytes, uint32_t repetitions,
                    std::optional<ShaderModel> model = {});

}  // namespace dmlcts::gpu
