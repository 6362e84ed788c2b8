#include "reports/journal/replace_file.h"

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include <fcntl.h>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

fs::path partialOf(const fs::path& path) { return fs::path(path).concat(kPartial); }

// Ignores file systems that cannot promise it.
void bringToDisk(const fs::path& path) {
#ifdef _WIN32
  const int descriptor = _wopen(path.c_str(), _O_RDWR | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) return;
  _commit(descriptor);
  _close(descriptor);
#else
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
#endif
}

std::error_code writePartial(const NewFile& file) {
  std::vector<char> buffer(1 << 20);
  std::ofstream out;
  out.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  errno = 0;
  out.open(partialOf(file.path), std::ios::binary | std::ios::trunc);
  if (out) file.write(out);
  out.close();
  if (!out) return {errno == 0 ? EIO : errno, std::generic_category()};
  bringToDisk(partialOf(file.path));
  return {};
}

}  // namespace

void replaceFiles(const std::vector<NewFile>& files) {
  const auto check = [&](const NewFile& file, std::error_code error) {
    if (!error) return;
    std::error_code ignored;
    for (const NewFile& each : files) fs::remove(partialOf(each.path), ignored);
    throw std::system_error(error, file.path.string() + ": cannot be written");
  };
  for (const NewFile& file : files) check(file, writePartial(file));
  for (const NewFile& file : files) {
    std::error_code error;
    fs::rename(partialOf(file.path), file.path, error);
    check(file, error);
  }
}

}  // namespace dmlcts
