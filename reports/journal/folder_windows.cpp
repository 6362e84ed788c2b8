#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "reports/journal/folder.h"
#include "reports/journal/input_file.h"

// Refuses links by looking before each call: Windows has no calls relative to an open folder.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// Junctions, too: they are neither files nor folders here.
bool isLink(const fs::path& path) {
  std::error_code none;
  const fs::file_type type = fs::symlink_status(path, none).type();
  return type != fs::file_type::not_found && type != fs::file_type::regular &&
         type != fs::file_type::directory;
}

}  // namespace

struct Folder::Handle {
  explicit Handle(HANDLE opened) : handle(opened) {}
  ~Handle() { ::CloseHandle(handle); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  HANDLE handle;
};

Folder::Folder(const fs::path& path) : path_(path) {
  std::error_code error;
  if (!path.empty()) fs::create_directories(path, error);
  std::error_code none;
  if (path.empty() || fs::is_directory(path, none)) return;
  if (!error) error = std::make_error_code(std::errc::not_a_directory);
  throw std::system_error(error, path.string() + ": cannot be opened as a folder");
}

std::optional<Folder> Folder::openFolder(const std::string& name) const {
  const fs::path path = path_ / name;
  std::error_code none;
  const fs::file_type type = fs::symlink_status(path, none).type();
  if (type == fs::file_type::not_found) return std::nullopt;
  if (type != fs::file_type::directory) {
    throw InputError(path.string() + ": is a link or a file, not a folder");
  }
  return Folder(path, nullptr);
}

bool Folder::makeFolder(const std::string& name) const {
  if (exists(name)) return false;
  std::error_code error;
  const bool isNew = fs::create_directory(path_ / name, error);
  if (error) fail(name, error.value(), "cannot be created");
  return isNew;
}

int Folder::openFile(const std::string& name, bool isNew) const {
  const fs::path path = path_ / name;
  if (isLink(path)) {
    errno = ELOOP;
    return -1;
  }
  int file = -1;
  const int flags = _O_RDWR | _O_APPEND | _O_BINARY | _O_NOINHERIT;
  const errno_t error = _wsopen_s(&file, path.c_str(), flags | (isNew ? _O_CREAT | _O_EXCL : 0),
                                  _SH_DENYWR, _S_IREAD | _S_IWRITE);
  if (error != 0) errno = error;
  return file;
}

bool Folder::isAt(const std::string&, int) const { return true; }  // open files cannot be deleted

bool Folder::exists(const std::string& name) const {
  std::error_code none;
  return fs::symlink_status(path_ / name, none).type() != fs::file_type::not_found;
}

void Folder::move(const std::string& from, const Folder& to, const std::string& name) const {
  std::error_code error;
  fs::rename(path_ / from, to.path_ / name, error);
  if (error) throw std::system_error(error, (to.path_ / name).string() + ": cannot be replaced");
}

bool Folder::removeFile(const std::string& name) const {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path_ / name, error))) return false;
  const bool removed = fs::remove(path_ / name, error);
  if (error) throw std::system_error(error, (path_ / name).string() + ": cannot be deleted");
  return removed;
}

void Folder::removeTree(const std::string& name) const {
  const fs::path path = path_ / name;
  std::error_code error;
  if (isLink(path)) {
    fs::remove(path, error);
  } else {
    fs::remove_all(path, error);
  }
  if (error) throw std::system_error(error, path.string() + ": cannot be deleted");
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path_.empty() ? "." : path_, error)) {
    names.push_back(entry.path().filename().string());
  }
  if (error) throw std::system_error(error, path_.string() + ": cannot be listed");
  std::ranges::sort(names);
  return names;
}

void Folder::sync() const {}

// Opens a file in it that only one process can write. The folder itself stays open to all, since
// Windows lists and removes no folder that a handle keeps to itself.
std::shared_ptr<const Folder::Handle> Folder::lock(const std::string& name) const {
  if (!fs::is_directory(fs::symlink_status(path_ / name))) return nullptr;
  HANDLE opened = ::CreateFileW((path_ / name / "lock").c_str(), GENERIC_WRITE, FILE_SHARE_DELETE,
                                nullptr, OPEN_ALWAYS, FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
  if (opened == INVALID_HANDLE_VALUE) return nullptr;
  return std::make_shared<Handle>(opened);
}

namespace descriptor {

int64_t write(int file, const char* data, size_t size) {
  return _write(file, data, static_cast<unsigned>(std::min<size_t>(size, 1u << 30)));
}
int64_t read(int file, char* data, size_t size) {
  return _read(file, data, static_cast<unsigned>(size));
}
int64_t seek(int file, int64_t offset) { return _lseeki64(file, offset, SEEK_SET); }
int64_t size(int file) { return _filelengthi64(file); }
int truncate(int file, int64_t size) {
  const errno_t error = _chsize_s(file, size);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
int sync(int file) { return _commit(file); }
int lock(int) { return 0; }  // _SH_DENYWR has done it
int close(int file) { return _close(file); }
int64_t links(int) { return 1; }

}  // namespace descriptor
}  // namespace dmlcts
