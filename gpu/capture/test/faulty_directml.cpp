#include "gpu/capture/hook.h"
#include "gpu/d3d12/platform/module_windows.h"
#include "gpu/directml/abi.h"

// Test only: a DirectML.dll that forwards to the DirectML.faultless.dll beside it, except that
// GATHER_ND1 with batches uses the first index for all: indices of equal values do not show it.

namespace dmlcts::gpu {
namespace {

HRESULT STDMETHODCALLTYPE createOperator(dml::Device* self, const dml::OperatorDesc* desc,
                                         const GUID& id, void** object);
Hook<decltype(&createOperator)> createOperatorHook(8, &createOperator);

HRESULT STDMETHODCALLTYPE createOperator(dml::Device* self, const dml::OperatorDesc* desc,
                                         const GUID& id, void** object) {
  const auto real = createOperatorHook.original(self);
  if (!desc || desc->type != dml::kOperatorGatherNd1) return real(self, desc, id, object);
  dml::GatherNd1Desc gather = *static_cast<const dml::GatherNd1Desc*>(desc->desc);
  if (gather.batchDimensionCount == 0) return real(self, desc, id, object);
  dml::BufferTensorDesc indices = *static_cast<const dml::BufferTensorDesc*>(gather.indices->desc);
  const UINT zeros[8]{};
  indices.strides = zeros;
  const dml::TensorDesc tensor{gather.indices->type, &indices};
  gather.indices = &tensor;
  const dml::OperatorDesc faulty{desc->type, &gather};
  return real(self, &faulty, id, object);
}

}  // namespace
}  // namespace dmlcts::gpu

extern "C" {

// The exports' other function: none of the test's applications calls it.
HRESULT STDMETHODCALLTYPE DMLCreateDevice() { return E_NOTIMPL; }

HRESULT STDMETHODCALLTYPE DMLCreateDevice1(ID3D12Device* device, uint32_t flags, uint32_t level,
                                           const GUID& id, void** object) {
  using namespace dmlcts::gpu;
  HMODULE own = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<const wchar_t*>(&DMLCreateDevice), &own);
  const auto file = fileOf(own).parent_path() / L"DirectML.faultless.dll";
  const HMODULE real = LoadLibraryExW(file.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  const auto create = real ? function<dml::CreateDevice1>(real, "DMLCreateDevice1") : nullptr;
  const HRESULT result = create ? create(device, flags, level, id, object) : E_FAIL;
  if (SUCCEEDED(result) && object) createOperatorHook.install(*object);
  return result;
}
}
