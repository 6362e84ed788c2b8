#pragma once

#include <string>

#include "gpu/d3d12/platform.h"

// Device Removed Extended Data: what Direct3D 12 itself records of a device's last moments, where
// it is turned on and supported.

namespace dmlcts::gpu {

// Turns it on for devices made from now on, by what the runtime's D3D12GetDebugInterface gives.
void enableDred(ID3D12DeviceRemovedExtendedDataSettings* settings);

// A line for what each list was doing, and one for the address that faulted; empty where the
// runtime kept nothing. At most about 2 KiB.
std::string describe(const D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT& breadcrumbs);
std::string describe(const D3D12_DRED_PAGE_FAULT_OUTPUT& pageFault);

// Both, of a removed device.
std::string dredOf(ID3D12Device* device);

}  // namespace dmlcts::gpu
