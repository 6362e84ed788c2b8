#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include "gpu/d3d12/device/device.h"
#include "gpu/d3d12/platform/platform.h"
#include "gpu/target.h"

namespace dmlcts::gpu {

inline constexpr auto kOutOfMemory = static_cast<HRESULT>(0x8007000E);  // E_OUTOFMEMORY

// Returns "DXGI_ERROR_DEVICE_REMOVED (0x887A0005)"; only the number for unknown values.
std::string hresultText(HRESULT result);

// A failed call of the Direct3D 12 API.
class D3D12Error : public std::runtime_error {
 public:
  D3D12Error(const std::string& call, HRESULT result) : D3D12Error(call, " failed: ", result) {}
  HRESULT result() const { return result_; }

 protected:
  D3D12Error(const std::string& call, const char* how, HRESULT result);

 private:
  HRESULT result_;
};

// The device and everything on it are lost. `call` is the call that revealed it.
class DeviceRemoved : public D3D12Error {
 public:
  DeviceRemoved(const std::string& call, HRESULT reason)
      : D3D12Error(call, ": device removed: ", reason) {}
};

// Throws D3D12Error if the call failed, or DeviceRemoved if the result says so.
void check(HRESULT result, const char* call);

// Returns the answer to a request in which a call failed with `error`. After a removal any call may
// fail, with any error, so `checkRemoved` throws DeviceRemoved if the device is gone. The message
// then includes platform::removalDetails().
Answer failedAnswer(const std::exception& error, const Device& device,
                    const std::function<void()>& checkRemoved);

}  // namespace dmlcts::gpu
