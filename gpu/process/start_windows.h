#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "gpu/process/handle_windows.h"

// What CreateProcessW needs to start a worker.

namespace dmlcts::gpu {

// Quoted such that the C runtime's rules give the arguments back.
std::wstring commandLine(const std::vector<std::string>& argv);

// This process's environment block with more variables, or other values.
std::wstring mergedEnvironment(const std::map<std::string, std::string>& added);

// Processes in it end when its last handle is closed, also by the end of this process.
Handle makeJob();

// What a process is given at its start: the handles that it inherits, and no others (other threads
// also start workers), and the job that it is in from its first instruction on.
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
