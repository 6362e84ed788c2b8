#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Arguments of CreateProcessW for a worker.

namespace dmlcts::gpu {

// Throws std::runtime_error with the system's message for the error.
[[noreturn]] void fail(const std::string& what, DWORD error);

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }

  HANDLE get() const { return handle_; }
  bool open() const { return handle_ != nullptr; }
  void close() {
    if (handle_) CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_ = nullptr;
};

std::wstring wide(const std::string& utf8);

// Quotes the arguments for the C runtime's rules.
std::wstring commandLine(const std::vector<std::string>& argv);

// Returns this process's environment block with variables added or replaced.
std::wstring mergedEnvironment(const std::map<std::string, std::string>& added);

// Creates a job whose processes end when its last handle is closed, at the latest with this
// process.
Handle makeJob();

// Start attributes of a process: it inherits these handles only, as other threads also start
// workers. It is in the job from its first instruction.
class StartAttributes {
 public:
  StartAttributes(std::vector<HANDLE> handles, HANDLE job);
  ~StartAttributes() { DeleteProcThreadAttributeList(get()); }
  StartAttributes(const StartAttributes&) = delete;
  StartAttributes& operator=(const StartAttributes&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST get() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

 private:
  void set(DWORD_PTR attribute, void* value, SIZE_T size);

  std::vector<HANDLE> handles_;
  HANDLE job_;
  std::vector<std::byte> memory_;
};

}  // namespace dmlcts::gpu
