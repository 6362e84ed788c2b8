#pragma once

#include <exception>
#include <functional>

#include "gpu/d3d12/device.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// Returns the answer to a request in which a call failed with `error`. After a removal any call may
// fail, with any error, so `checkRemoved` throws DeviceRemoved if the device is gone. The message
// then includes removalDetails().
Answer failedAnswer(const std::exception& error, const Device& device,
                    const std::function<void()>& checkRemoved);

}  // namespace dmlcts::gpu
