#include "gpu/process/pipe_windows.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

namespace dmlcts::gpu {
namespace {

constexpr DWORD kPipeBytes = 1024 * 1024;

}  // namespace

Pipe makePipe(bool weWrite) {
  static std::atomic<uint64_t> counter{0};
  const std::wstring name = L"\\\\.\\pipe\\dmlcts-" + std::to_wstring(GetCurrentProcessId()) +
                            L"-" + std::to_wstring(counter++) + L"-" +
                            std::to_wstring(GetTickCount64());
  Pipe pipe;
  pipe.ours = Handle(
      CreateNamedPipeW(name.c_str(),
                       (weWrite ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) |
                           FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                       PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS,
                       1, kPipeBytes, kPipeBytes, 0, nullptr));
  if (!pipe.ours.open()) fail("cannot make a pipe", GetLastError());
  SECURITY_ATTRIBUTES inheritable{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  pipe.theirs = Handle(CreateFileW(name.c_str(), weWrite ? GENERIC_READ : GENERIC_WRITE, 0,
                                   &inheritable, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!pipe.theirs.open()) fail("cannot open a pipe", GetLastError());
  return pipe;
}

void Channel::take(Handle pipe) {
  pipe_ = std::move(pipe);
  event_ = Handle(CreateEventW(nullptr, TRUE, FALSE, nullptr));
  if (!event_.open()) fail("cannot make an event", GetLastError());
  piece_.resize(kPieceBytes);
}

template <class Call>
void Channel::start(const Call& call) {
  overlapped_ = {};
  overlapped_.hEvent = event_.get();
  ResetEvent(event_.get());
  if (!call(&overlapped_)) {
    const DWORD error = GetLastError();
    if (error != ERROR_IO_PENDING) {
      broken_ = true;
      return;
    }
  }
  pending_ = true;
  settle();
}

void Channel::startRead() {
  if (!open() || pending_ || broken_ || begin_ < end_) return;
  begin_ = end_ = 0;
  start([this](OVERLAPPED* overlapped) {
    return ReadFile(pipe_.get(), piece_.data(), static_cast<DWORD>(piece_.size()), nullptr,
                    overlapped);
  });
}

size_t Channel::startWrite(std::span<const uint8_t> bytes) {
  if (!open() || pending_ || broken_) return 0;
  const size_t count = std::min(bytes.size(), piece_.size());
  std::copy_n(bytes.begin(), count, piece_.begin());
  start([&](OVERLAPPED* overlapped) {
    return WriteFile(pipe_.get(), piece_.data(), static_cast<DWORD>(count), nullptr, overlapped);
  });
  return broken_ ? 0 : count;
}

void Channel::settle() {
  if (!pending_ || WaitForSingleObject(event_.get(), 0) != WAIT_OBJECT_0) return;
  finish();
}

void Channel::close() {
  if (pending_) {
    // The system must release the buffer before it is destroyed.
    CancelIoEx(pipe_.get(), &overlapped_);
    finish();
  }
  pipe_.close();
}

void Channel::finish() {
  DWORD bytes = 0;
  if (GetOverlappedResult(pipe_.get(), &overlapped_, &bytes, TRUE)) {
    end_ = begin_ + bytes;
  } else {
    broken_ = true;
  }
  pending_ = false;
}

}  // namespace dmlcts::gpu
