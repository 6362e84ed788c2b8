#include "reports/journal/replace_file.h"

#include <cerrno>
#include <fstream>
#include <set>
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

std::error_code writeFile(const fs::path& path, const NewFile& file) {
  std::vector<char> buffer(1 << 20);
  std::ofstream out;
  out.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  errno = 0;
  out.open(path, std::ios::binary | std::ios::trunc);
  if (out) file.write(out);
  out.close();
  if (!out) return {errno == 0 ? EIO : errno, std::generic_category()};
  bringToDisk(path);
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
  for (const NewFile& file : files) check(file, writeFile(partialOf(file.path), file));
  for (const NewFile& file : files) {
    std::error_code error;
    fs::rename(partialOf(file.path), file.path, error);
    check(file, error);
  }
  std::set<fs::path> folders;
  for (const NewFile& file : files) folders.insert(file.path.parent_path());
  for (const fs::path& folder : folders) bringToDisk(folder);
}

void replaceFolder(const fs::path& folder, const std::vector<NewFile>& files) {
  const fs::path partial = partialOf(folder);
  fs::remove_all(partial);
  fs::create_directories(partial);
  for (const NewFile& file : files) {
    const fs::path path = partial / file.path;
    if (const std::error_code error = writeFile(path, file)) {
      throw std::system_error(error, path.string() + ": cannot be written");
    }
  }
  bringToDisk(partial);
  const fs::path old = fs::path(folder).concat(".old").concat(kPartial);
  fs::remove_all(old);
  if (fs::exists(folder)) fs::rename(folder, old);
  fs::rename(partial, folder);
  bringToDisk(folder.parent_path());
  bringToDisk(folder.parent_path().parent_path());  // where the parent may be new
  fs::remove_all(old);
}

void removeFolder(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  fs::remove_all(partialOf(folder));
  fs::rename(folder, partialOf(folder));
  bringToDisk(folder.parent_path());
  fs::remove_all(partialOf(folder));
}

void bringToDisk(const fs::path& path) {
#ifdef _WIN32
  const int descriptor = _wopen(path.c_str(), _O_RDWR | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) return;
  _commit(descriptor);
  _close(descriptor);
#else
  const int descriptor = ::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
#endif
}

}  // namespace dmlcts
