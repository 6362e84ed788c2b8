#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dmlcts {

// A file that only grows, by whole lines. Each line is written in a single call, and a line cut by
// a full disk is removed again. Only one process at a time can open it. All errors are
// std::system_error whose text names the file.
class AppendFile {
 public:
  enum class Mode {
    CreateNew,  // an existing file is an error
    Append,     // creates the file, or continues it
  };

  // Opens and locks the file. Its content stays unchanged until the first line is appended.
  AppendFile(const std::filesystem::path& path, Mode mode);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Appends `line` and a newline. The first call removes a cut last line before. The line survives
  // the death of this process at once, and a loss of power after at most a second. If it cannot be
  // written whole, the file keeps its former end.
  void appendLine(std::string_view line);

  // Empties the file, which stays locked.
  void clear();

  // Makes all lines so far survive a loss of power.
  void sync();

  // Closes the file, and deletes it if this object created it.
  void discard();

 private:
  [[noreturn]] void fail(int error, std::string_view doing) const;
  void open(Mode mode);
  bool replaced() const;
  void removeCutLine();
  void syncOnceASecond();

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool created_ = false;
  bool begun_ = false;   // a line has been appended
  bool broken_ = false;  // a half-written line could not be taken back
  int64_t size_ = 0;     // end of the last whole line
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace dmlcts
