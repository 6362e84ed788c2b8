#include "gpu/directml/library.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/platform/module_windows.h"

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

DirectMlLibrary::DirectMlLibrary(const std::string& path) {
  HMODULE module = nullptr;
  if (path.empty()) {
    module = LoadLibraryW(L"DirectML.dll");
  } else {
    // MinGW's library accepts UTF-8 only as char8_t.
    const std::filesystem::path file =
        std::filesystem::absolute(std::u8string(path.begin(), path.end()));
    module = LoadLibraryExW(file.c_str(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
  }
  if (!module) {
    throw std::runtime_error(fmt::format("cannot load {} (Windows error {})",
                                         path.empty() ? "DirectML.dll" : path, GetLastError()));
  }
  file_ = fileOf(module).string();
  version_ = versionOf(module);
  createDevice_ = function<dml::CreateDevice1>(module, "DMLCreateDevice1");
  if (!createDevice_) {
    throw std::runtime_error(file_ + " has no DMLCreateDevice1: it is older than DirectML 1.1");
  }
}

DirectMlDevice::DirectMlDevice(const DirectMlLibrary& library, Device& device)
    : device_(device), noMetacommands_(device.get()) {
  check(library.createDevice()(device.get(), 0, dml::kLevel1_0, dml::kDeviceId, &dml_),
        "DMLCreateDevice1");
  dml_->SetName(L"dmlcts DirectML device");
  check(dml_->CreateCommandRecorder(dml::kCommandRecorderId, &recorder_),
        "IDMLDevice::CreateCommandRecorder");

  std::vector<uint32_t> levels;
  for (Level level : kLevels) levels.push_back(static_cast<uint32_t>(level));
  const dml::FeatureLevelsQuery query{static_cast<UINT>(levels.size()), levels.data()};
  uint32_t newest = 0;
  check(
      dml_->CheckFeatureSupport(dml::kFeatureLevels, sizeof query, &query, sizeof newest, &newest),
      "IDMLDevice::CheckFeatureSupport(DML_FEATURE_FEATURE_LEVELS)");
  for (Level level : kLevels) {
    if (static_cast<uint32_t>(level) <= newest) maxLevel_ = level;
  }
}

bool DirectMlDevice::supports(DataType type) const {
  const auto query = static_cast<uint32_t>(type);
  BOOL supported = FALSE;
  const HRESULT result = dml_->CheckFeatureSupport(dml::kFeatureTensorDataTypeSupport, sizeof query,
                                                   &query, sizeof supported, &supported);
  return SUCCEEDED(result) && supported;
}

void DirectMlDevice::checkRemoved(const char* call) const {
  device_.checkRemoved(call);
  const HRESULT reason = dml_->GetDeviceRemovedReason();
  if (FAILED(reason)) throw DeviceRemoved(std::string(call) + ": DirectML", reason);
}

}  // namespace dmlcts::gpu
