#pragma once

#include <exception>
#include <functional>

#include "gpu/d3d12/device.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

// The answer to a request in which a call failed with `error`. A call fails in many ways once the
// device is gone, and seldom says why it was removed: `checkRemoved` throws DeviceRemoved if it
// was. Then the message holds whatever the system knows about that.
Answer failedAnswer(const std::exception& error, const Device& device,
                    const std::function<void()>& checkRemoved);

}  // namespace dmlcts::gpu
