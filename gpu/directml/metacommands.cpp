#include "gpu/directml/metacommands.h"

#include <algorithm>

namespace dmlcts::gpu {

namespace {

constexpr size_t kEnumerateSlot = 59;  // ID3D12Device5::EnumerateMetaCommands

// The minimum length of an object's method table, given its newest interface.
struct Interface {
  GUID id;
  size_t methods;
};

HRESULT STDMETHODCALLTYPE enumerateNone(ID3D12Device5*, UINT* count, D3D12_META_COMMAND_DESC*) {
  if (!count) return E_INVALIDARG;
  *count = 0;
  return S_OK;
}

bool has(ID3D12Device* device, const GUID& id) {
  ComPtr<IUnknown> found;
  if (FAILED(device->QueryInterface(id, &found))) return false;
  return static_cast<void*>(found.Get()) == static_cast<void*>(device);
}

size_t methodCount(ID3D12Device* device) {
  const Interface interfaces[] = {
      {uuidof<ID3D12Device10>(), 79}, {uuidof<ID3D12Device9>(), 76}, {uuidof<ID3D12Device8>(), 73},
      {uuidof<ID3D12Device7>(), 68},  {uuidof<ID3D12Device6>(), 66}, {uuidof<ID3D12Device5>(), 65},
  };
  for (const Interface& candidate : interfaces) {
    if (has(device, candidate.id)) return candidate.methods;
  }
  return 0;
}

}  // namespace

NoMetacommands::NoMetacommands(ID3D12Device* device) : device_(device) {
  ComPtr<ID3D12Device5> device5;
  if (FAILED(device->QueryInterface(uuidof<ID3D12Device5>(), &device5))) return;
  UINT count = 0;
  if (device5->EnumerateMetaCommands(&count, nullptr) != E_NOTIMPL) return;
  const size_t methods = methodCount(device);
  if (methods == 0) return;  // another object implements the newer interfaces

  void**& table = *reinterpret_cast<void***>(device);
  original_ = table;
  table_ = std::make_unique<void*[]>(methods);
  std::copy_n(original_, methods, table_.get());
  table_[kEnumerateSlot] = reinterpret_cast<void*>(&enumerateNone);
  table = table_.get();
}

NoMetacommands::~NoMetacommands() {
  if (table_) *reinterpret_cast<void***>(device_) = original_;
}

}  // namespace dmlcts::gpu
