#include "gpu/d3d12/removal.h"

#include "gpu/d3d12/error.h"

namespace dmlcts::gpu {

namespace {

constexpr size_t kMostBytes = 4096;

void append(std::string& text, const std::string& more) {
  if (!more.empty()) text += "; " + more;
}

}  // namespace

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
  if (answer.status == Status::DeviceRemoved) append(answer.message, device.removalDetails());
  if (answer.message.size() > kMostBytes) answer.message.resize(kMostBytes);
  return answer;
}

}  // namespace dmlcts::gpu
