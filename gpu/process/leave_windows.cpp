#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <cstdio>
#include <cstdlib>

#include "gpu/process/leave.h"

namespace dmlcts::gpu {
namespace {

// Little stack may be left, and locks may be held.
LONG WINAPI reportAndTerminate(EXCEPTION_POINTERS* exception) {
  const EXCEPTION_RECORD& record = *exception->ExceptionRecord;
  char line[96];
  const int length =
      std::snprintf(line, sizeof line, "exception 0x%08lX at address %p\n",
                    static_cast<unsigned long>(record.ExceptionCode), record.ExceptionAddress);
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, static_cast<DWORD>(length), &written, nullptr);
  TerminateProcess(GetCurrentProcess(), record.ExceptionCode);
  return EXCEPTION_EXECUTE_HANDLER;
}

}  // namespace

void installCrashHandler() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  SetUnhandledExceptionFilter(reportAndTerminate);
}

void leave(int status) {
  std::fflush(nullptr);
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));
  std::abort();  // not reached
}

}  // namespace dmlcts::gpu
