#define INITGUID
#include "gpu/d3d12/platform/platform.h"

#include <dxgi1_4.h>

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "gpu/d3d12/device/dred.h"
#include "gpu/d3d12/device/error.h"
#include "gpu/d3d12/platform/module_windows.h"

namespace dmlcts::gpu::platform {

namespace {

// dxguids.h lacks DXGI's interfaces.
// {770AAE78-F26F-4DBA-A829-253C83D1B387}
constexpr GUID kFactory1Id = {
    0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
// {54EC77FA-1377-44E6-8C32-88FD5F44C84C}: IDXGIDevice; its version is the driver's
constexpr GUID kDxgiDeviceId = {
    0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};

std::string utf8(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, result.data(), size, nullptr, nullptr);
  result.resize(result.size() - 1);  // the terminating zero
  return result;
}

std::string driverVersion(IDXGIAdapter1* adapter) {
  LARGE_INTEGER version{};
  if (FAILED(adapter->CheckInterfaceSupport(kDxgiDeviceId, &version))) return {};
  const auto part = [&](int shift) {
    return std::to_string((static_cast<uint64_t>(version.QuadPart) >> shift) & 0xFFFF);
  };
  return part(48) + "." + part(32) + "." + part(16) + "." + part(0);
}

struct Candidate {
  Adapter facts;
  ComPtr<IDXGIAdapter1> dxgi;
};

std::vector<Candidate> candidates() {
  ComPtr<IDXGIFactory1> factory;
  check(CreateDXGIFactory1(kFactory1Id, &factory), "CreateDXGIFactory1");
  std::vector<Candidate> found;
  for (UINT i = 0;; ++i) {
    Candidate candidate;
    if (FAILED(factory->EnumAdapters1(i, &candidate.dxgi))) return found;
    DXGI_ADAPTER_DESC1 desc{};
    check(candidate.dxgi->GetDesc1(&desc), "IDXGIAdapter1::GetDesc1");
    candidate.facts = {
        utf8(desc.Description),
        // Wine's LUIDs differ in each process.
        wineVersion().empty()
            ? fmt::format("0x{:08x}{:08x}", static_cast<uint32_t>(desc.AdapterLuid.HighPart),
                          static_cast<uint32_t>(desc.AdapterLuid.LowPart))
            : "",
        desc.VendorId, desc.DeviceId, driverVersion(candidate.dxgi.Get())};
    found.push_back(std::move(candidate));
  }
}

std::vector<Adapter> factsOf(const std::vector<Candidate>& all) {
  std::vector<Adapter> facts;
  for (const Candidate& candidate : all) facts.push_back(candidate.facts);
  return facts;
}

void enableDebugLayer() {
  ComPtr<ID3D12Debug> debug;
  const HRESULT result = D3D12GetDebugInterface(uuidof<ID3D12Debug>(), &debug);
  if (FAILED(result)) {
    throw std::runtime_error(
        "there is no Direct3D 12 debug layer here (D3D12GetDebugInterface: " + hresultText(result) +
        "); Windows has it in its optional feature Graphics Tools, the Agility "
        "SDK in d3d12SDKLayers.dll");
  }
  debug->EnableDebugLayer();
}

// Returns "d3d12.dll 10.0.26100.1", with the version of D3D12Core.dll if that is a separate file.
std::string runtimeVersion() {
  if (const std::string wine = wineVersion(); !wine.empty()) {
    return "Wine " + wine;  // its DLLs have no version resources of their own
  }
  std::string text = "d3d12.dll " + versionOf(GetModuleHandleW(L"d3d12.dll"));
  if (const HMODULE core = GetModuleHandleW(L"D3D12Core.dll")) {
    text += ", D3D12Core.dll " + versionOf(core);
  }
  return text;
}

}  // namespace

ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer,
                                  AdapterFacts& facts) {
  if (debugLayer) enableDebugLayer();
  const std::vector<Candidate> all = candidates();
  facts.count = all.size();
  facts.index = selectAdapter(adapter, factsOf(all));
  const Candidate& chosen = all[facts.index];
  facts.adapter = chosen.facts;
  ComPtr<ID3D12DeviceRemovedExtendedDataSettings> dred;
  if (SUCCEEDED(D3D12GetDebugInterface(uuidof<ID3D12DeviceRemovedExtendedDataSettings>(), &dred))) {
    enableDred(dred.Get());
    facts.extendedData = true;
  }
  ComPtr<ID3D12Device> device;
  check(
      D3D12CreateDevice(chosen.dxgi.Get(), D3D_FEATURE_LEVEL_11_0, uuidof<ID3D12Device>(), &device),
      "D3D12CreateDevice");
  // Wine unloads its Vulkan with the last adapter, while devices still call it.
  HMODULE pinned = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN, L"winevulkan.dll", &pinned);
  facts.runtime = runtimeVersion();
  return device;
}

void printDebugMessages(ID3D12Device* device) {
  ComPtr<ID3D12InfoQueue> queue;
  if (FAILED(device->QueryInterface(uuidof<ID3D12InfoQueue>(), &queue))) return;
  const UINT64 count = queue->GetNumStoredMessages();
  std::vector<uint64_t> memory;  // aligned for the message's structure
  for (UINT64 i = 0; i < count; ++i) {
    SIZE_T size = 0;
    if (FAILED(queue->GetMessage(i, nullptr, &size))) continue;
    memory.resize((size + 7) / 8);
    auto* message = reinterpret_cast<D3D12_MESSAGE*>(memory.data());
    if (FAILED(queue->GetMessage(i, message, &size))) continue;
    constexpr const char* kSeverities[] = {"corruption", "error", "warning", "info", "message"};
    const auto severity = static_cast<size_t>(message->Severity);
    std::fprintf(stderr, "Direct3D 12 %s %d: %s\n",
                 severity < 5 ? kSeverities[severity] : "message", static_cast<int>(message->ID),
                 message->pDescription);
  }
  queue->ClearStoredMessages();
  std::fflush(stderr);
}

std::string removalDetails(ID3D12Device* device) { return dredOf(device); }

HRESULT serializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC& desc, ID3DBlob** blob,
                               ID3DBlob** messages) {
  return D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, blob, messages);
}

Event::Event() : handle_(CreateEventW(nullptr, FALSE, FALSE, nullptr)) {
  if (!handle_) throw D3D12Error("CreateEventW", HRESULT_FROM_WIN32(GetLastError()));
}

Event::~Event() { CloseHandle(handle_); }

bool Event::wait(uint32_t milliseconds) const {
  return WaitForSingleObject(handle_, milliseconds) == WAIT_OBJECT_0;
}

}  // namespace dmlcts::gpu::platform

namespace dmlcts::gpu {

std::vector<Adapter> adapters() { return platform::factsOf(platform::candidates()); }

}  // namespace dmlcts::gpu
