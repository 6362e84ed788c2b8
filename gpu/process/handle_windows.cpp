#include "gpu/process/handle_windows.h"

#include <stdexcept>
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

}  // namespace dmlcts::gpu
