#include "reports/journal/append_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>

#include "reports/journal/input_file.h"

namespace dmlcts {

AppendFile::AppendFile(const Folder& folder, const std::string& name, Mode mode)
    : folder_(folder), name_(folder.checked(name)) {
  for (int tries = 0; tries < 100; ++tries) {
    open(mode);
    // Deleted between opening and locking, so that the lock is on a nameless file.
    if (folder_.isAt(name_, descriptor_)) {
      if (created_) folder_.sync();
      return;
    }
    descriptor::close(descriptor_);
  }
  descriptor_ = -1;
  fail(EBUSY, "is replaced again and again");
}

void AppendFile::open(Mode mode) {
  descriptor_ = folder_.openFile(name_, true);
  created_ = descriptor_ >= 0;
  if (!created_ && errno == EEXIST && mode != Mode::CreateNew) {
    descriptor_ = folder_.openFile(name_, false);
  }
  if (descriptor_ < 0 && errno == ELOOP) refuse("is a link");
  if (descriptor_ < 0) fail(errno, "cannot be opened for writing");
  try {
    const int64_t links = descriptor::links(descriptor_);
    if (links < 0) refuse("is not a file");
    if (links > 1 && mode != Mode::Replace) refuse("has a further name (a hard link)");
    // A killed process holds its lock until the system has ended it.
    for (int tries = 0; descriptor::lock(descriptor_) != 0; ++tries) {
      if (tries == 20) refuse("is being written by another process");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    size_ = descriptor::size(descriptor_);
    if (size_ < 0) fail(errno, "has no readable size");
  } catch (...) {
    descriptor::close(descriptor_);
    descriptor_ = -1;
    throw;
  }
}

AppendFile::~AppendFile() {
  if (descriptor_ < 0) return;
  descriptor::sync(descriptor_);
  close();
}

void AppendFile::close() {
  syncing_ = {};  // ends it
  descriptor::close(descriptor_);
  descriptor_ = -1;
}

void AppendFile::discard() {
  if (descriptor_ < 0) return;
#ifdef _WIN32
  close();  // before, since Windows deletes no open file
  if (created_) folder_.remove(name_);
#else
  // While it is locked, so that no other process uses it yet.
  if (created_ && folder_.isAt(name_, descriptor_)) folder_.removeTree(name_);
  close();
#endif
}

void AppendFile::fail(int error, std::string_view doing) const {
  folder_.fail(name_, error, doing);
}

void AppendFile::refuse(const char* why) const {
  throw InputError((folder_.path() / name_).string() + ": " + why);
}

void AppendFile::removeCutLine() {
  std::array<char, 4096> block;
  int64_t end = size_;  // from here on, a cut line
  while (end > 0) {
    const int64_t begin = std::max<int64_t>(0, end - static_cast<int64_t>(block.size()));
    if (descriptor::seek(descriptor_, begin) < 0) fail(errno, "cannot be read");
    const int64_t count =
        descriptor::read(descriptor_, block.data(), static_cast<size_t>(end - begin));
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
  if (descriptor::truncate(descriptor_, end) != 0)
    fail(errno, "the cut last line cannot be removed");
  size_ = end;
}

void AppendFile::appendLine(std::string_view line) {
  if (broken_) fail(EIO, "ends in a half-written line that could not be removed");
  requireInPlace();
  if (!begun_) removeCutLine();
  begun_ = true;
  std::string text(line);
  text += '\n';
  if (const int error = descriptor::writeAll(descriptor_, text)) {
    broken_ = descriptor::truncate(descriptor_, size_) != 0;
    fail(error, "a line cannot be written");
  }
  size_ += static_cast<int64_t>(text.size());
  const std::lock_guard lock(mutex_);
  if (syncError_ != 0) fail(syncError_, "cannot be flushed to the disk");
  if (!syncing_.joinable())
    syncing_ = std::jthread([this](const std::stop_token& stop) { syncWhenIdle(stop); });
  if (!unsynced_) changed_.notify_one();
  unsynced_ = true;
}

void AppendFile::clear() {
  if (descriptor::links(descriptor_) > 1) {
    const int old = descriptor_;  // locked until the new one is
    folder_.removeFile(name_);
    open(Mode::CreateNew);
    descriptor::close(old);
    folder_.sync();
  } else if (descriptor::truncate(descriptor_, 0) != 0) {
    fail(errno, "cannot be emptied");
  }
  size_ = 0;
}

// Runs on a thread of its own from the first line on.
void AppendFile::syncWhenIdle(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return unsynced_; })) {
    changed_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    if (stop.stop_requested()) return;
    unsynced_ = false;
    lock.unlock();
    const int error = descriptor::sync(descriptor_) == 0 ? 0 : errno;
    lock.lock();
    if (error != 0) syncError_ = error;
  }
}

void AppendFile::requireInPlace() const {
  if (folder_.isAt(name_, descriptor_)) return;
  throw std::runtime_error((folder_.path() / name_).string() +
                           ": was moved, deleted or replaced while it was being written");
}

void AppendFile::sync() {
  requireInPlace();
  if (descriptor::sync(descriptor_) != 0) fail(errno, "cannot be flushed to the disk");
}

}  // namespace dmlcts
