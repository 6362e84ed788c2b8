#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <fcntl.h>
#include <fmt/format.h>
#include <io.h>
#include <windows.h>

#include <cstdio>
#include <ctime>

#include "conformance/run/environment.h"

namespace dmlcts {

std::string hostName() {
  // GetVersionEx reports only versions listed in the program's manifest; ntdll reports the real
  // one.
  using RtlGetVersion = LONG(WINAPI*)(OSVERSIONINFOW*);
  using WineVersion = const char*(__cdecl*)();
  const HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
  const auto function = [&](const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(ntdll, name));
  };
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  const auto getVersion = reinterpret_cast<RtlGetVersion>(function("RtlGetVersion"));
  if (getVersion) getVersion(&version);
  SYSTEM_INFO system{};
  GetNativeSystemInfo(&system);
  const bool arm = system.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64;
  std::string name =
      fmt::format("Windows {}.{}.{} {}", version.dwMajorVersion, version.dwMinorVersion,
                  version.dwBuildNumber, arm ? "aarch64" : "x86_64");
  const auto wine = reinterpret_cast<WineVersion>(function("wine_get_version"));
  return wine ? fmt::format("{} (Wine {})", name, wine()) : name;
}

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_s(&utc, &now);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::filesystem::path executablePath() {
  std::wstring name(32768, L'\0');
  name.resize(GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

std::filesystem::path executableFolder() { return executablePath().parent_path(); }

bool isProgram(const std::string& word) {
  return SearchPathW(nullptr, pathOf(word).c_str(), L".exe", 0, nullptr, nullptr) != 0;
}

namespace {

// True if the stream is a console that supports control sequences.
bool isConsole(DWORD stream) {
  const HANDLE console = GetStdHandle(stream);
  DWORD mode = 0;
  return GetConsoleMode(console, &mode) &&
         SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace

bool stdoutIsTerminal() { return isConsole(STD_OUTPUT_HANDLE); }

bool stderrIsTerminal() { return isConsole(STD_ERROR_HANDLE); }

uint64_t availableMemory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) ? status.ullAvailPhys : UINT64_MAX;
}

void prepareStandardStreams() {
  SetConsoleOutputCP(CP_UTF8);
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
}

}  // namespace dmlcts
