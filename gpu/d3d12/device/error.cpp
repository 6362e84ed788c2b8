#include "gpu/d3d12/device/error.h"

#include <fmt/format.h>

namespace dmlcts::gpu {

namespace {

struct NamedResult {
  uint32_t value;
  const char* name;
};

constexpr size_t kMostMessageBytes = 4096;

constexpr uint32_t kRemoved = 0x887A0005;
constexpr uint32_t kHung = 0x887A0006;
constexpr uint32_t kReset = 0x887A0007;

constexpr NamedResult kNames[] = {
    {0x80004001, "E_NOTIMPL"},
    {0x80004002, "E_NOINTERFACE"},
    {0x80004003, "E_POINTER"},
    {0x80004005, "E_FAIL"},
    {0x8000FFFF, "E_UNEXPECTED"},
    {0x8007000E, "E_OUTOFMEMORY"},
    {0x80070057, "E_INVALIDARG"},
    {0x887A0001, "DXGI_ERROR_INVALID_CALL"},
    {0x887A0002, "DXGI_ERROR_NOT_FOUND"},
    {0x887A0004, "DXGI_ERROR_UNSUPPORTED"},
    {kRemoved, "DXGI_ERROR_DEVICE_REMOVED"},
    {kHung, "DXGI_ERROR_DEVICE_HUNG"},
    {kReset, "DXGI_ERROR_DEVICE_RESET"},
    {0x887A0020, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"},
    {0x887A002D, "DXGI_ERROR_SDK_COMPONENT_MISSING"},
};

void append(std::string& text, const std::string& more) {
  if (!more.empty()) text += "; " + more;
}

}  // namespace

std::string hresultText(HRESULT result) {
  const auto value = static_cast<uint32_t>(result);
  for (const NamedResult& named : kNames) {
    if (named.value == value) return fmt::format("{} (0x{:08X})", named.name, value);
  }
  return fmt::format("0x{:08X}", value);
}

D3D12Error::D3D12Error(const std::string& call, const char* how, HRESULT result)
    : std::runtime_error(call + how + hresultText(result)), result_(result) {}

void check(HRESULT result, const char* call) {
  if (SUCCEEDED(result)) return;
  const auto value = static_cast<uint32_t>(result);
  if (value == kRemoved || value == kHung || value == kReset) throw DeviceRemoved(call, result);
  throw D3D12Error(call, result);
}

Answer failedAnswer(const std::exception& error, const Device& device,
                    const std::function<void()>& checkRemoved) {
  Answer answer;
  answer.status = Status::Failed;
  answer.message = error.what();
  if (const auto* call = dynamic_cast<const D3D12Error*>(&error)) answer.hresult = call->result();
  if (dynamic_cast<const DeviceRemoved*>(&error)) answer.status = Status::DeviceRemoved;
  try {
    checkRemoved();
  } catch (const DeviceRemoved& removed) {
    answer.status = Status::DeviceRemoved;
    if (removed.result() != answer.hresult) append(answer.message, removed.what());
    answer.hresult = removed.result();
  }
  if (answer.status == Status::DeviceRemoved) {
    append(answer.message, platform::removalDetails(device.get()));
  }
  if (answer.message.size() > kMostMessageBytes) answer.message.resize(kMostMessageBytes);
  return answer;
}

}  // namespace dmlcts::gpu
