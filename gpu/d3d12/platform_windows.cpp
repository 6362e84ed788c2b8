#define INITGUID
#include "gpu/d3d12/platform.h"

#include <dxgi1_4.h>

#include <charconv>
#include <stdexcept>

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu::platform {

namespace {

// DXGI's interfaces are not in dxguids.h.
// {770AAE78-F26F-4DBA-A829-253C83D1B387}
constexpr GUID kFactory1Id = {
    0x770aae78, 0xf26f, 0x4dba, {0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87}};
// {54EC77FA-1377-44E6-8C32-88FD5F44C84C}: IDXGIDevice, whose version is the driver's
constexpr GUID kDxgiDeviceId = {
    0x54ec77fa, 0x1377, 0x44e6, {0x8c, 0x32, 0x88, 0xfd, 0x5f, 0x44, 0xc8, 0x4c}};

std::string narrow(const wchar_t* text) {
  std::string result;
  for (; *text; ++text) result += *text < 0x80 ? static_cast<char>(*text) : '?';
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

bool isWanted(const std::string& wanted, size_t index, const std::string& name) {
  if (wanted.empty()) return true;
  size_t number = 0;
  const char* end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) return number == index;
  return name.find(wanted) != std::string::npos;
}

}  // namespace

ComPtr<ID3D12Device> createDevice(const std::string& adapter, bool debugLayer,
                                  AdapterFacts& facts) {
  if (debugLayer) {
    ComPtr<ID3D12Debug> debug;
    check(D3D12GetDebugInterface(uuidof<ID3D12Debug>(), debug.putVoid()), "D3D12GetDebugInterface");
    debug->EnableDebugLayer();
  }
  ComPtr<IDXGIFactory1> factory;
  check(CreateDXGIFactory1(kFactory1Id, factory.putVoid()), "CreateDXGIFactory1");
  std::string names;
  ComPtr<IDXGIAdapter1> candidate;
  for (UINT i = 0; SUCCEEDED(factory->EnumAdapters1(i, candidate.put())); ++i) {
    DXGI_ADAPTER_DESC1 desc{};
    check(candidate->GetDesc1(&desc), "IDXGIAdapter1::GetDesc1");
    facts.name = narrow(desc.Description);
    if (!isWanted(adapter, i, facts.name)) {
      names += (names.empty() ? "" : ", ") + facts.name;
      continue;
    }
    facts.vendorId = desc.VendorId;
    facts.deviceId = desc.DeviceId;
    facts.driver = driverVersion(candidate.get());
    facts.runtime = "d3d12.dll";
    ComPtr<ID3D12Device> device;
    check(D3D12CreateDevice(candidate.get(), D3D_FEATURE_LEVEL_11_0, uuidof<ID3D12Device>(),
                            device.putVoid()),
          "D3D12CreateDevice");
    return device;
  }
  throw std::runtime_error("no adapter is, or is named like, '" + adapter +
                           "'; there are: " + names);
}

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
