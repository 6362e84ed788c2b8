#pragma once

#include <string>

#include "gpu/d3d12/platform/platform.h"

// Device Removed Extended Data: Direct3D 12's record of a device's last moments, if it is enabled
// and supported.

namespace dmlcts::gpu {

// Enables it for devices created from now on. `settings` comes from D3D12GetDebugInterface.
void enableDred(ID3D12DeviceRemovedExtendedDataSettings* settings);

// Returns a line per unfinished list and one for the faulting address; empty without data. At most
// about 2 KiB.
std::string describe(const D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT& breadcrumbs);
std::string describe(const D3D12_DRED_PAGE_FAULT_OUTPUT& pageFault);

// Returns both texts for a removed device.
std::string dredOf(ID3D12Device* device);

}  // namespace dmlcts::gpu
