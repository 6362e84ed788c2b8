#include "gpu/process/start_windows.h"

#include <cwchar>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace dmlcts::gpu {

void fail(const std::string& what, DWORD error) {
  throw std::runtime_error(what + ": " + std::system_category().message(static_cast<int>(error)));
}

std::wstring wide(const std::string& utf8) {
  const int length = static_cast<int>(utf8.size());
  if (length == 0) return {};
  const int size = MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, nullptr, 0);
  std::wstring result(static_cast<size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, utf8.data(), length, result.data(), size);
  return result;
}
namespace {

// Quotes for the C runtime's rules, by which backslashes count only before a quote.
void appendQuoted(std::wstring& line, const std::wstring& argument) {
  if (!line.empty()) line += L' ';
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == std::wstring::npos) {
    line += argument;
    return;
  }
  line += L'"';
  size_t backslashes = 0;
  for (wchar_t c : argument) {
    if (c == L'\\') {
      ++backslashes;
    } else {
      if (c == L'"') line.append(backslashes + 1, L'\\');
      backslashes = 0;
    }
    line += c;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

struct NameLess {  // environment variables ignore case
  bool operator()(const std::wstring& a, const std::wstring& b) const {
    return CompareStringOrdinal(a.data(), static_cast<int>(a.size()), b.data(),
                                static_cast<int>(b.size()), TRUE) == CSTR_LESS_THAN;
  }
};

}  // namespace

std::wstring commandLine(const std::vector<std::string>& argv) {
  // Windows requires its own separators in a program's path.
  std::wstring line;
  appendQuoted(line, std::filesystem::path(wide(argv.front())).make_preferred().wstring());
  for (size_t i = 1; i < argv.size(); ++i) appendQuoted(line, wide(argv[i]));
  return line;
}

std::wstring mergedEnvironment(const std::map<std::string, std::string>& added) {
  std::map<std::wstring, std::wstring, NameLess> merged;
  wchar_t* own = GetEnvironmentStringsW();
  for (const wchar_t* entry = own; entry && *entry; entry += std::wcslen(entry) + 1) {
    const std::wstring_view text(entry);
    const size_t equals = text.find(L'=', 1);  // the first may be part of the name: "=C:=C:\"
    if (equals == std::wstring_view::npos) continue;
    merged[std::wstring(text.substr(0, equals))] = text.substr(equals + 1);
  }
  FreeEnvironmentStringsW(own);
  for (const auto& [name, value] : added) merged[wide(name)] = wide(value);
  std::wstring block;
  for (const auto& [name, value] : merged) block += name + L'=' + value + L'\0';
  return block + L'\0';
}

Handle makeJob() {
  Handle job(CreateJobObjectW(nullptr, nullptr));
  if (!job.open()) fail("cannot make a job", GetLastError());
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags =
      JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
  if (!SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits,
                               sizeof limits)) {
    fail("cannot limit a job", GetLastError());
  }
  return job;
}

StartAttributes::StartAttributes(std::vector<HANDLE> handles, HANDLE job)
    : handles_(std::move(handles)), job_(job) {
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 2, 0, &size);
  memory_.resize(size);
  if (!InitializeProcThreadAttributeList(get(), 2, 0, &size)) {
    fail("cannot prepare a worker's start", GetLastError());
  }
  set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(), handles_.size() * sizeof(HANDLE));
  set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &job_, sizeof job_);
}

void StartAttributes::set(DWORD_PTR attribute, void* value, SIZE_T size) {
  if (!UpdateProcThreadAttribute(get(), 0, attribute, value, size, nullptr, nullptr)) {
    fail("cannot prepare a worker's start", GetLastError());
  }
}

}  // namespace dmlcts::gpu
