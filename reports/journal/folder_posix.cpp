#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "reports/journal/folder.h"
#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

struct Folder::Handle {
  explicit Handle(int opened) : fd(opened) {}
  ~Handle() { ::close(fd); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  int fd;
};

Folder::Folder(const fs::path& path) : path_(path) {
  std::error_code error;
  const bool isNew = !path.empty() && fs::create_directories(path, error);
  const int fd = ::open(path.empty() ? "." : path.c_str(), kFolder);
  if (fd < 0) {
    throw std::system_error(error ? error : std::error_code(errno, std::generic_category()),
                            path.string() + ": cannot be opened as a folder");
  }
  handle_ = std::make_shared<Handle>(fd);
  if (!isNew) return;
  const int parent = ::openat(fd, "..", kFolder);
  if (parent < 0) return;
  ::fsync(parent);
  ::close(parent);
}

std::optional<Folder> Folder::openFolder(const std::string& name) const {
  const int fd = ::openat(handle_->fd, name.c_str(), kFolder | O_NOFOLLOW);
  if (fd >= 0) return Folder(path_ / name, std::make_shared<Handle>(fd));
  if (errno == ENOENT) return std::nullopt;
  if (errno == ENOTDIR || errno == ELOOP) {
    throw InputError((path_ / name).string() + ": is a link or a file, not a folder");
  }
  fail(name, errno, "cannot be opened");
}

bool Folder::makeFolder(const std::string& name) const {
  if (::mkdirat(handle_->fd, name.c_str(), 0777) == 0) return true;
  if (errno != EEXIST) fail(name, errno, "cannot be created");
  return false;
}

int Folder::openFile(const std::string& name, bool isNew) const {
  const int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_APPEND;
  return ::openat(handle_->fd, name.c_str(), flags | (isNew ? O_CREAT | O_EXCL : 0), 0666);
}

bool Folder::isAt(const std::string& name, int file) const {
  struct stat opened{};
  struct stat named{};
  return ::fstat(file, &opened) == 0 &&
         ::fstatat(handle_->fd, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool Folder::exists(const std::string& name) const {
  struct stat status{};
  if (::fstatat(handle_->fd, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  if (errno != ENOENT) fail(name, errno, "cannot be looked at");
  return false;
}

void Folder::move(const std::string& from, const Folder& to, const std::string& name) const {
  if (::renameat(handle_->fd, from.c_str(), to.handle_->fd, name.c_str()) != 0) {
    to.fail(name, errno, "cannot be replaced");
  }
}

bool Folder::removeFile(const std::string& name) const {
  if (::unlinkat(handle_->fd, name.c_str(), 0) == 0) return true;
  if (errno == ENOENT || errno == EISDIR) return false;
  fail(name, errno, "cannot be deleted");
}

void Folder::removeTree(const std::string& name) const {
  if (removeFile(name)) return;
  const std::optional<Folder> folder = openFolder(name);
  if (!folder) return;
  for (const std::string& each : folder->names()) folder->removeTree(each);
  if (::unlinkat(handle_->fd, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    fail(name, errno, "cannot be deleted");
  }
}

std::vector<std::string> Folder::names() const {
  const int fd = ::openat(handle_->fd, ".", kFolder);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fd < 0 ? nullptr : ::fdopendir(fd), ::closedir);
  if (!stream) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    fail("", error, "cannot be listed");
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) fail("", errno, "cannot be listed");
  std::ranges::sort(names);
  return names;
}

void Folder::sync() const { ::fsync(handle_->fd); }

std::shared_ptr<const Folder::Handle> Folder::lock(const std::string& name) const {
  const int fd = ::openat(handle_->fd, name.c_str(), kFolder | O_NOFOLLOW);
  if (fd < 0) return nullptr;
  auto handle = std::make_shared<Handle>(fd);
  // A file system without locks is fine.
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return nullptr;
  return isAt(name, fd) ? handle : nullptr;
}

namespace descriptor {

int64_t write(int file, const char* data, size_t size) { return ::write(file, data, size); }
int64_t read(int file, char* data, size_t size) { return ::read(file, data, size); }
int64_t seek(int file, int64_t offset) { return ::lseek(file, offset, SEEK_SET); }
int64_t size(int file) {
  struct stat status{};
  return ::fstat(file, &status) == 0 ? status.st_size : -1;
}
int truncate(int file, int64_t size) { return ::ftruncate(file, size); }
int sync(int file) { return ::fsync(file); }
int lock(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK || errno == EINTR ? -1 : 0;  // a file system without locks is fine
}
int close(int file) { return ::close(file); }
int64_t links(int file) {
  struct stat status{};
  const bool isPlain = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  return isPlain ? static_cast<int64_t>(status.st_nlink) : -1;
}

}  // namespace descriptor
}  // namespace dmlcts
