#pragma once

#include <string>

#include "gpu/d3d12/platform.h"

// Device Removed Extended Data: what Direct3D 12 itself keeps of a device's last moments, where it
// was told to and can.

namespace dmlcts::gpu {

// Turns it on for devices made from now on, by what the runtime's D3D12GetDebugInterface gives.
void enableDred(ID3D12DeviceRemovedExtendedDataSettings* settings);

// One line each of what the lists were at and of the address that nothing lay at; empty where the
// runtime kept nothing. At most about 2 KiB.
std::string describe(const D3D12_DRED_AUTO_BREADCRUMBS_OUTPUT& breadcrumbs);
std::string describe(const D3D12_DRED_PAGE_FAULT_OUTPUT& pageFault);

// Both, of a removed device.
std::string dredOf(ID3D12Device* device);

}  // namespace dmlcts::gpu
