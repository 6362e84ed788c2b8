#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace dmlcts {

// A file of lines that only grows, by whole lines: each is handed to the operating system in a
// single write, and a line that a full disk cut is removed again. One process at a time may
// have it open. All errors are std::system_error whose text names the file.
class AppendFile {
 public:
  enum class Mode {
    CreateNew,  // an existing file is an error
    Append,     // creates the file, or continues it
  };

  // Opens and locks the file. What is in it stays as it is until the first line is appended.
  AppendFile(const std::filesystem::path& path, Mode mode);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Appends `line` and a newline; the first time, removes a cut last line before. The line survives
  // the death of this process at once, and the loss of power after at most a second. When it cannot
  // be written whole, the file ends where it ended before.
  void appendLine(std::string_view line);

  // Empties the file, which stays locked.
  void clear();

  // Makes all lines so far survive a loss of power.
  void sync();

  // Closes the file, and deletes it when it did not exist before.
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
  int64_t size_ = 0;     // where the last whole line ends
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace dmlcts
