#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "reports/journal/folder.h"

namespace dmlcts {

// A file that only grows, by whole lines. Each line is written in a single call, and a line cut by
// a full disk is removed again. Only one process at a time can open it. Errors are
// std::system_error or InputError, whose text names the file.
class AppendFile {
 public:
  enum class Mode {
    CreateNew,  // an existing file is an error
    Append,     // creates the file, or continues it; a file with further hard links is an error
    Replace,    // like Append, but clear() comes before the first line
  };

  // Opens and locks the file. Its content stays unchanged until the first line is appended.
  AppendFile(const Folder& folder, const std::string& name, Mode mode);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Appends `line` and a newline. The first call removes a cut last line before. The line survives
  // the death of this process at once, and a loss of power after about a second, also where no
  // further line comes. If it cannot be written whole, the file keeps its former end. Throws
  // std::runtime_error once the file has been moved, deleted or replaced.
  void appendLine(std::string_view line);

  // Makes it empty, before the first line. What has the file by another name, a hard link, keeps
  // its text.
  void clear();

  // Makes all lines so far survive a loss of power. Throws like appendLine().
  void sync();

  // Closes the file, and deletes it if this object created it.
  void discard();

 private:
  [[noreturn]] void fail(int error, std::string_view doing) const;
  [[noreturn]] void refuse(const char* why) const;
  void open(Mode mode);
  void requireInPlace() const;
  void removeCutLine();
  void syncWhenIdle(const std::stop_token& stop);
  void close();

  Folder folder_;
  std::string name_;
  int descriptor_ = -1;
  bool created_ = false;
  bool begun_ = false;   // a line has been appended
  bool broken_ = false;  // a half-written line could not be taken back
  int64_t size_ = 0;     // end of the last whole line

  std::mutex mutex_;  // guards the members below
  std::condition_variable_any changed_;
  bool unsynced_ = false;
  int syncError_ = 0;
  std::jthread syncing_;
};

}  // namespace dmlcts
