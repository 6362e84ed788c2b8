#include "reports/journal/append_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <io.h>
#include <share.h>
#else
#include <sys/file.h>
#include <unistd.h>
#endif

#include "reports/journal/replace_file.h"

namespace dmlcts {
namespace {

// The few calls that differ between systems. All return -1 and set errno on failure.
namespace os {
#ifdef _WIN32
int open(const std::filesystem::path& path, bool exclusive) {
  int descriptor = -1;
  const int flags = _O_RDWR | _O_CREAT | _O_APPEND | _O_BINARY | _O_NOINHERIT;
  const errno_t error = _wsopen_s(&descriptor, path.c_str(), flags | (exclusive ? _O_EXCL : 0),
                                  _SH_DENYWR, _S_IREAD | _S_IWRITE);
  if (error != 0) errno = error;
  return descriptor;
}
int lock(int) { return 0; }  // _SH_DENYWR has done it
int64_t seek(int descriptor, int64_t offset) { return _lseeki64(descriptor, offset, SEEK_SET); }
int64_t size(int descriptor) { return _filelengthi64(descriptor); }
int64_t read(int descriptor, char* data, size_t count) {
  return _read(descriptor, data, static_cast<unsigned>(count));
}
int64_t write(int descriptor, const char* data, size_t count) {
  return _write(descriptor, data, static_cast<unsigned>(std::min<size_t>(count, 1u << 30)));
}
int truncate(int descriptor, int64_t length) {
  const errno_t error = _chsize_s(descriptor, length);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
int sync(int descriptor) { return _commit(descriptor); }
int close(int descriptor) { return _close(descriptor); }
void closeAndRemove(int descriptor, const std::filesystem::path& path) {
  _close(descriptor);
  _wremove(path.c_str());
}
bool isAt(int, const std::filesystem::path&) { return true; }  // open files cannot be deleted
#else
int open(const std::filesystem::path& path, bool exclusive) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (exclusive ? O_EXCL : 0),
                0666);
}
int lock(int descriptor) {
  // A killed process holds its lock until the system has ended it.
  for (int tries = 0; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return 0;  // a file system without locks is fine
    if (tries == 20) return -1;
    ::usleep(10'000);
  }
  return 0;
}
int64_t seek(int descriptor, int64_t offset) { return ::lseek(descriptor, offset, SEEK_SET); }
int64_t size(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? status.st_size : 0;
}
int64_t read(int descriptor, char* data, size_t count) { return ::read(descriptor, data, count); }
int64_t write(int descriptor, const char* data, size_t count) {
  return ::write(descriptor, data, count);
}
int truncate(int descriptor, int64_t length) { return ::ftruncate(descriptor, length); }
int sync(int descriptor) { return ::fsync(descriptor); }
int close(int descriptor) { return ::close(descriptor); }
void closeAndRemove(int descriptor, const std::filesystem::path& path) {
  ::unlink(path.c_str());  // while locked, so that no other process uses it yet
  ::close(descriptor);
}
bool isAt(int descriptor, const std::filesystem::path& path) {
  struct stat opened{};
  struct stat named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}
#endif
}  // namespace os

}  // namespace

AppendFile::AppendFile(const std::filesystem::path& path, Mode mode)
    : path_(path), synced_(std::chrono::steady_clock::now()) {
  for (int tries = 0; tries < 100; ++tries) {
    open(mode);
    if (!replaced()) {
      if (created_) bringToDisk(path_.parent_path());
      return;
    }
    os::close(descriptor_);
  }
  descriptor_ = -1;
  fail(EBUSY, "is replaced again and again");
}

void AppendFile::open(Mode mode) {
  descriptor_ = os::open(path_, true);
  created_ = descriptor_ >= 0;
  if (!created_ && errno == EEXIST && mode == Mode::Append) descriptor_ = os::open(path_, false);
  if (descriptor_ < 0) fail(errno, "cannot be opened for writing");
  try {
    if (os::lock(descriptor_) != 0) fail(errno, "is being written by another process");
    size_ = os::size(descriptor_);
    if (size_ < 0) fail(errno, "has no readable size");
  } catch (...) {
    os::close(descriptor_);
    throw;
  }
}

// True if the file was deleted between opening and locking, so that the lock is on a nameless file.
bool AppendFile::replaced() const { return !os::isAt(descriptor_, path_); }

AppendFile::~AppendFile() {
  if (descriptor_ < 0) return;
  os::sync(descriptor_);
  os::close(descriptor_);
}

void AppendFile::discard() {
  if (descriptor_ < 0) return;
  if (created_) {
    os::closeAndRemove(descriptor_, path_);
  } else {
    os::close(descriptor_);
  }
  descriptor_ = -1;
}

void AppendFile::fail(int error, std::string_view doing) const {
  throw std::system_error(error, std::generic_category(),
                          path_.string() + ": " + std::string(doing));
}

void AppendFile::removeCutLine() {
  std::array<char, 4096> block;
  int64_t end = size_;  // from here on, a cut line
  while (end > 0) {
    const int64_t begin = std::max<int64_t>(0, end - static_cast<int64_t>(block.size()));
    if (os::seek(descriptor_, begin) < 0) fail(errno, "cannot be read");
    const int64_t count = os::read(descriptor_, block.data(), static_cast<size_t>(end - begin));
    if (count != end - begin) fail(count < 0 ? errno : EIO, "cannot be read");
    const std::string_view text(block.data(), static_cast<size_t>(count));
    const size_t newline = text.rfind('\n');
    if (newline != std::string_view::npos) {
      end = begin + static_cast<int64_t>(newline) + 1;
      break;
    }
    end = begin;
  }
  if (end == size_) return;
  if (os::truncate(descriptor_, end) != 0) fail(errno, "the cut last line cannot be removed");
  size_ = end;
}

void AppendFile::appendLine(std::string_view line) {
  if (broken_) fail(EIO, "ends in a half-written line that could not be removed");
  if (!begun_) removeCutLine();
  begun_ = true;
  std::string text(line);
  text += '\n';
  size_t done = 0;
  while (done < text.size()) {
    const int64_t count = os::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = count < 0 ? errno : ENOSPC;
      broken_ = done > 0 && os::truncate(descriptor_, size_) != 0;
      fail(error, "a line cannot be written");
    }
    done += static_cast<size_t>(count);
  }
  size_ += static_cast<int64_t>(text.size());
  syncOnceASecond();
}

void AppendFile::clear() {
  if (os::truncate(descriptor_, 0) != 0) fail(errno, "cannot be emptied");
  size_ = 0;
}

void AppendFile::syncOnceASecond() {
  const auto now = std::chrono::steady_clock::now();
  if (now - synced_ < std::chrono::seconds(1)) return;
  synced_ = now;
  sync();
}

void AppendFile::sync() {
  // EINVAL: a pipe or the like, which is on no disk.
  if (os::sync(descriptor_) != 0 && errno != EINVAL) fail(errno, "cannot be flushed to the disk");
}

}  // namespace dmlcts
