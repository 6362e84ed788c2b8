#pragma once

#include <windows.h>

#include <exception>
#include <string>

#include "gpu/capture/log.h"

namespace dmlcts::gpu {

// Does what the application must not notice. Errors go to the log.
template <class Action>
void unnoticed(const char* call, const Action& action) {
  const DWORD error = GetLastError();
  try {
    action();
  } catch (const std::exception& failure) {
    try {
      CaptureLog::get().remark(std::string("not recorded: ") + call + ": " + failure.what());
    } catch (...) {  // no memory
    }
  }
  SetLastError(error);
}

}  // namespace dmlcts::gpu
