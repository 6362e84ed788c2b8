#define INITGUID
#include "gpu/d3d12/platform/platform.h"
// after platform.h, and before its own GUIDs
#include <directx/dxcore_interface.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <stdexcept>

#include "gpu/d3d12/device/dred.h"
#include "gpu/d3d12/device/error.h"

// Direct3D 12 in the Windows Subsystem for Linux: Microsoft's libd3d12.so and libdxcore.so, over
// the Windows host's driver. Loaded at run time, so that the build needs no import library.

namespace dmlcts::gpu::platform {

namespace {

// Also tries the folder where WSL mounts the host's libraries, which some loaders do not search.
void* open(const char* file) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen((std::string("/usr/lib/wsl/lib/") + file).c_str(), RTLD_NOW);
  if (!library) {
    throw std::runtime_error(fmt::format("cannot load {}, which WSL 2 has: {}", file, dlerror()));
  }
  return library;
}

template <class Function>
Function function(const char* file, const char* name) {
  void* found = dlsym(open(file), name);
  if (!found) throw std::runtime_error(fmt::format("{} has no {}", file, name));
  return reinterpret_cast<Function>(found);
}

constexpr const char* kD3D12 = "libd3d12.so";
constexpr const char* kDxCore = "libdxcore.so";

using CreateFactory = HRESULT (*)(REFIID, void**);
using CreateDevice = HRESULT (*)(IUnknown*, D3D_FEATURE_LEVEL, REFIID, void**);
using GetDebugInterface = HRESULT (*)(REFIID, void**);
using SerializeRootSignature = HRESULT (*)(const D3D12_ROOT_SIGNATURE_DESC*,
                                           D3D_ROOT_SIGNATURE_VERSION, ID3DBlob**, ID3DBlob**);

template <class Value>
Value property(IDXCoreAdapter* adapter, DXCoreAdapterProperty which) {
  Value value{};
  if (adapter->IsPropertySupported(which)) adapter->GetProperty(which, sizeof value, &value);
  return value;
}

std::string description(IDXCoreAdapter* adapter) {
  size_t size = 0;
  if (FAILED(adapter->GetPropertySize(DXCoreAdapterProperty::DriverDescription, &size))) return {};
  std::string text(size, '\0');
  adapter->GetProperty(DXCoreAdapterProperty::DriverDescription, size, text.data());
  return text.c_str();  // up to the terminating zero
}

Adapter factsOf(IDXCoreAdapter* adapter) {
  const auto luid = property<LUID>(adapter, DXCoreAdapterProperty::InstanceLuid);
  const auto hardware = property<DXCoreHardwareID>(adapter, DXCoreAdapterProperty::HardwareID);
  const auto version = property<uint64_t>(adapter, DXCoreAdapterProperty::DriverVersion);
  return {description(adapter),
          fmt::format("0x{:08x}{:08x}", static_cast<uint32_t>(luid.HighPart),
                      static_cast<uint32_t>(luid.LowPart)),
          hardware.vendorID, hardware.deviceID,
          fmt::format("{}.{}.{}.{}", version >> 48, (version >> 32) & 0xFFFF,
                      (version >> 16) & 0xFFFF, version & 0xFFFF)};
}

struct Candidate {
  Adapter facts;
  ComPtr<IDXCoreAdapter> dxCore;
};

std::vector<Candidate> candidates() {
  ComPtr<IDXCoreAdapterFactory> factory;
  check(function<CreateFactory>(kDxCore, "DXCoreCreateAdapterFactory")(IID_IDXCoreAdapterFactory,
                                                                       &factory),
        "DXCoreCreateAdapterFactory");
  ComPtr<IDXCoreAdapterList> list;
  const GUID computes = DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE;
  check(factory->CreateAdapterList(1, &computes, IID_IDXCoreAdapterList, &list),
        "IDXCoreAdapterFactory::CreateAdapterList");
  std::vector<Candidate> found(list->GetAdapterCount());
  for (uint32_t i = 0; i < found.size(); ++i) {
    check(list->GetAdapter(i, IID_IDXCoreAdapter, &found[i].dxCore),
          "IDXCoreAdapterList::GetAdapter");
    found[i].facts = factsOf(found[i].dxCore.Get());
  }
  return found;
}

std::vector<Adapter> factsOf(const std::vector<Candidate>& all) {
  std::vector<Adapter> facts;
  for (const Candidate& candidate : all) facts.push_back(candidate.facts);
  return facts;
}

int descriptorOf(HANDLE handle) { return static_cast<int>(reinterpret_cast<intptr_t>(handle)); }

}  // namespace

ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer,
                                  AdapterFacts& facts) {
  if (debugLayer) throw std::runtime_error("WSL's Direct3D 12 has no debug layer");
  const std::vector<Candidate> all = candidates();
  facts.count = all.size();
  facts.index = selectAdapter(adapter, factsOf(all));
  const Candidate& chosen = all[facts.index];
  facts.adapter = chosen.facts;
  facts.runtime = "WSL libd3d12.so";
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> dred;
  if (SUCCEEDED(function<GetDebugInterface>(kD3D12, "D3D12GetDebugInterface")(
          uuidof<ID3D12DeviceRemovedExtendedDataSettings>(), &dred))) {
    enableDred(dred.Get());
    facts.extendedData = true;
  }
  ComPtr<ID3D12Device> device;
  check(function<CreateDevice>(kD3D12, "D3D12CreateDevice")(
            chosen.dxCore.Get(), D3D_FEATURE_LEVEL_11_0, uuidof<ID3D12Device>(), &device),
        "D3D12CreateDevice");
  return device;
}

void printDebugMessages(ID3D12Device*) {}

std::string removalDetails(ID3D12Device* device) { return dredOf(device); }

HRESULT serializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC& desc, ID3DBlob** blob,
                               ID3DBlob** messages) {
  return function<SerializeRootSignature>(kD3D12, "D3D12SerializeRootSignature")(
      &desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, messages);
}

// Fences signal an eventfd here.
Event::Event() : handle_(nullptr) {
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) throw std::runtime_error("cannot make an eventfd");
  handle_ = reinterpret_cast<HANDLE>(static_cast<intptr_t>(fd));
}

Event::~Event() { close(descriptorOf(handle_)); }

bool Event::wait(uint32_t milliseconds) const {
  pollfd waited{descriptorOf(handle_), POLLIN, 0};
  uint64_t count = 0;
  return poll(&waited, 1, static_cast<int>(milliseconds)) == 1 &&
         read(waited.fd, &count, sizeof count) == sizeof count;
}

}  // namespace dmlcts::gpu::platform

namespace dmlcts::gpu {

std::vector<Adapter> adapters() { return platform::factsOf(platform::candidates()); }

}  // namespace dmlcts::gpu
