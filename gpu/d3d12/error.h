#pragma once

#include <stdexcept>
#include <string>

#include "gpu/d3d12/platform.h"

namespace dmlcts::gpu {

// "DXGI_ERROR_DEVICE_REMOVED (0x887A0005)"; the number alone for values we have no name for.
std::string hresultText(HRESULT result);

// A call of the Direct3D 12 API that failed.
class D3D12Error : public std::runtime_error {
 public:
  D3D12Error(const std::string& call, HRESULT result) : D3D12Error(call, " failed: ", result) {}
  HRESULT result() const { return result_; }

 protected:
  D3D12Error(const std::string& call, const char* how, HRESULT result);

 private:
  HRESULT result_;
};

// The device is gone, with everything it held. `call` is what showed it.
class DeviceRemoved : public D3D12Error {
 public:
  DeviceRemoved(const std::string& call, HRESULT reason)
      : D3D12Error(call, ": device removed: ", reason) {}
};

// Throws D3D12Error, or DeviceRemoved where the result says so, unless the call succeeded.
void check(HRESULT result, const char* call);

}  // namespace dmlcts::gpu
