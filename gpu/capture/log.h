#pragma once

#include <windows.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace dmlcts::gpu {

// The calls about one operator, a line of the log.
struct RecordedLine {
  uint64_t offset = 0;  // of its numbers in the file
  uint32_t number = 0;
  bool isOther = false;   // no operator of this suite: only its creations are counted
  HRESULT result = S_OK;  // of CreateOperator, or of a compilation that failed
  uint32_t flags = 0;     // all DML_EXECUTION_FLAGS it was compiled with
  uint32_t created = 0, compiled = 0, graphs = 0, dispatched = 0;
};

// A file of cases with a line per distinct operator of this process. Its numbers have a fixed width
// and are overwritten in place, so that the file is complete whenever the process dies; a count may
// lack the last 63 calls. Failures to write are ignored: the application must not notice.
// Thread-safe.
class CaptureLog {
 public:
  // The process's log, in the folder that DMLCTS_CAPTURE names, or else the current one. Created by
  // the first call; never destroyed, since other DLLs call until the process has ended.
  static CaptureLog& get();

  // Counts a creation. Returns the line that begins with that text; null if the log is full.
  RecordedLine* created(const std::string& text, HRESULT result);

  // Counts a compilation as one of these.
  void compiled(RecordedLine& line, HRESULT result, uint32_t flags, uint32_t RecordedLine::* as);

  void dispatched(RecordedLine& line);

  // Writes all numbers, if there is a log. To be called as the process ends.
  static void finish();

  // Appends a line about a dispatch with these values: the case, if it is to run and new, or else a
  // comment.
  void values(const std::string& text, const std::string& comment, bool toRun);

  // Stores a file beside the log, once. Throws std::runtime_error if that is impossible, or if the
  // files would have more than 256 MiB.
  void store(const std::string& name, std::string_view content);

  // Appends a comment, unless the log is full.
  void remark(const std::string& text);

 private:
  CaptureLog();
  // Writes the line's numbers, unless many such calls were counted: writing takes as long as a
  // call.
  void counted(const RecordedLine& line, uint32_t count);
  void writeNumbers(const RecordedLine& line);
  void write(uint64_t offset, const std::string& text);
  bool full();

  std::mutex mutex_;
  HANDLE file_ = INVALID_HANDLE_VALUE;
  uint64_t end_ = 0;  // of the file
  uint32_t lineCount_ = 0;
  std::deque<RecordedLine> lines_;
  std::unordered_map<std::string, RecordedLine*> byText_;  // null for lines with values
  std::unordered_set<std::string> files_;                  // that are stored
  uint64_t fileBytes_ = 0;
};

}  // namespace dmlcts::gpu
