// gather_nd level=2.1 input=i8:3 indices=u32:1 output=1 expect=reject(gather_nd.rank-2.1)
//
// Rules that it exercises:
//   gather_nd.rank-2.1 (documented): At level 2.1 every tensor has exactly 4 dimensions.
//   [GATHER_ND, Tensor support, 2.1]
//
// Asks CreateOperator alone. Exits with 1 where the fault shows, with 0 where not, with 2 where
// DirectML could not be asked. HEADERS are Microsoft's DirectX-Headers (Debian: directx-headers-dev
// 1.619); for Wine add -DWINE_SHIM.
//   cl /std:c++20 /EHsc reproducer.cpp
//   x86_64-w64-mingw32-g++ -std=c++20 -static -isystem HEADERS reproducer.cpp -o reproducer.exe

#define INITGUID
#define DML_TARGET_VERSION_USE_LATEST
#include <windows.h>
#ifndef _Maybenull_
#define _Maybenull_  // MinGW's sal.h lacks it
#endif
#if __has_include(<directx/DirectML.h>)
#include <directx/DirectML.h>
#else
#include <d3d12.h>
#include <DirectML.h>
#endif
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <vector>

const GUID kDmlDevice{0x6dbd6437, 0x96fd, 0x423f, {0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f}};
const GUID kDmlOperator{0x26caae7a, 0x3081, 0x4633, {0x95, 0x81, 0x22, 0x6f, 0xbe, 0x57, 0x69, 0x5d}};

const UINT kInputTensorSizes[] = {3};
const DML_BUFFER_TENSOR_DESC kInputTensorBuffer{
    DML_TENSOR_DATA_TYPE_INT8, DML_TENSOR_FLAG_NONE, 1, kInputTensorSizes, nullptr,
    4u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kInputTensor{DML_TENSOR_TYPE_BUFFER, &kInputTensorBuffer};
const UINT kIndicesTensorSizes[] = {1};
const DML_BUFFER_TENSOR_DESC kIndicesTensorBuffer{
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 1, kIndicesTensorSizes, nullptr,
    4u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kIndicesTensor{DML_TENSOR_TYPE_BUFFER, &kIndicesTensorBuffer};
const UINT kOutputTensorSizes[] = {1};
const DML_BUFFER_TENSOR_DESC kOutputTensorBuffer{
    DML_TENSOR_DATA_TYPE_INT8, DML_TENSOR_FLAG_NONE, 1, kOutputTensorSizes, nullptr,
    4u /* TotalTensorSizeInBytes */, 0 /* GuaranteedBaseOffsetAlignment */};
const DML_TENSOR_DESC kOutputTensor{DML_TENSOR_TYPE_BUFFER, &kOutputTensorBuffer};
const DML_GATHER_ND_OPERATOR_DESC kDesc{
    &kInputTensor, &kIndicesTensor, &kOutputTensor, 1 /* InputDimensionCount */, 1 /* IndicesDimensionCount */};
const DML_OPERATOR_DESC kOperator{DML_OPERATOR_GATHER_ND, &kDesc};

[[noreturn]] void leave(int status) {
  std::fflush(stdout);
  TerminateProcess(GetCurrentProcess(), status);  // some drivers crash while they are unloaded
  for (;;) {}
}
void check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  std::printf("%s failed: 0x%08x\n", call, static_cast<unsigned>(result));
  leave(2);
}
template <class Interface>
void** out(Interface*& pointer) { return reinterpret_cast<void**>(&pointer); }
template <class Function>
Function* function(const char* dll, const char* name) {
  const HMODULE module = LoadLibraryA(dll);
  const auto found = module ? GetProcAddress(module, name) : nullptr;
  if (!found) std::printf("no %s with %s\n", dll, name), leave(2);
  return reinterpret_cast<Function*>(reinterpret_cast<void*>(found));
}
#ifdef WINE_SHIM  // for Wine alone, whose Direct3D 12 cannot enumerate metacommands: there are none
HRESULT STDMETHODCALLTYPE noMetacommands(void*, UINT* count, void*) { return *count = 0, S_OK; }
void shim(ID3D12Device* device) {
  void** const method = *reinterpret_cast<void***>(device) + 59;  // ID3D12Device5's
  DWORD old = 0;
  VirtualProtect(method, sizeof *method, PAGE_READWRITE, &old);
  *method = reinterpret_cast<void*>(&noMetacommands);
}
#else
void shim(ID3D12Device*) {}
#endif

int main() {
  ID3D12Device* device = nullptr;
  check(function<HRESULT WINAPI(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**)>(
            "d3d12.dll", "D3D12CreateDevice")(nullptr, D3D_FEATURE_LEVEL_11_0, IID_ID3D12Device,
                                              out(device)),
        "D3D12CreateDevice");
  shim(device);
  IDMLDevice* dml = nullptr;
  check(function<decltype(DMLCreateDevice1)>("DirectML.dll", "DMLCreateDevice1")(
            device, DML_CREATE_DEVICE_FLAG_NONE, DML_FEATURE_LEVEL_2_1, kDmlDevice, out(dml)),
        "DMLCreateDevice1");
  IDMLOperator* op = nullptr;
  const HRESULT created = dml->CreateOperator(&kOperator, kDmlOperator, out(op));
  std::printf("CreateOperator: 0x%08x, expected: a failure\n", static_cast<unsigned>(created));
  leave(SUCCEEDED(created) ? 1 : 0);
}
