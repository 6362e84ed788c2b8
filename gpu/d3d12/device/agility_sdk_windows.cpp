// Exports that d3d12.dll reads from a program with its own Direct3D 12: see
// cmake/agility-sdk.cmake.

extern "C" {
__declspec(dllexport) extern const unsigned int D3D12SDKVersion;
__declspec(dllexport) extern const char* const D3D12SDKPath;

const unsigned int D3D12SDKVersion = DMLCTS_AGILITY_SDK_VERSION;
const char* const D3D12SDKPath = ".\\D3D12\\";
}
