#include "gpu/capture/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>

#include "gpu/d3d12/platform/module_windows.h"

namespace dmlcts::gpu {
namespace {

constexpr uint32_t kMostLines = 10'000;
constexpr uint32_t kAtOnce = 64;  // calls that are written one by one, then together
constexpr int kMostFiles = 1000;  // of one name: process ids repeat
constexpr uint64_t kMostStored = uint64_t{256} << 20;

std::atomic<CaptureLog*> theLog;

// Returns at most 8 digits, so that the text has one length.
uint32_t count(uint32_t number) { return std::min(number, 99'999'999u); }

std::string numbersOf(const RecordedLine& line) {
  const std::string created =
      fmt::format("process {}, number {}, HRESULT {:#010x}, created {:8}", GetCurrentProcessId(),
                  line.number, static_cast<uint32_t>(line.result), count(line.created));
  if (line.isOther) return created + '\n';
  return created + fmt::format(", flags {:#010x}, compiled {:8}, in graphs {:8}, dispatched {:8}\n",
                               line.flags, count(line.compiled), count(line.graphs),
                               count(line.dispatched));
}

std::filesystem::path folder() {
  std::wstring name(32768, L'\0');
  name.resize(GetEnvironmentVariableW(L"DMLCTS_CAPTURE", name.data(), 32768));
  return name;
}

HANDLE createFile(const std::wstring& stem) {
  HANDLE file = INVALID_HANDLE_VALUE;
  for (int i = 1; i <= kMostFiles && file == INVALID_HANDLE_VALUE; ++i) {
    const std::wstring number = i == 1 ? L"" : L"-" + std::to_wstring(i);
    const auto path = folder() / (stem + number + L".cases");
    file = CreateFileW(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                       CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS) break;
  }
  return file;
}

}  // namespace

CaptureLog& CaptureLog::get() {
  static CaptureLog& log = *(theLog = new CaptureLog());
  return log;
}

CaptureLog::CaptureLog() {
  const std::filesystem::path program = fileOf(nullptr);
  file_ = createFile(program.stem().wstring() + L"-" + std::to_wstring(GetCurrentProcessId()));
  const std::u8string name = program.u8string();
  remark("DirectML operators of " + std::string(name.begin(), name.end()));
}

RecordedLine* CaptureLog::created(const std::string& text, HRESULT result) {
  const std::scoped_lock lock(mutex_);
  RecordedLine*& line = byText_[text];
  if (!line) {
    if (full()) {
      byText_.erase(text);
      return nullptr;
    }
    line = &lines_.emplace_back();
    line->number = static_cast<uint32_t>(lines_.size());
    const std::string start = text + "  # ";
    line->offset = end_ + start.size();
    line->result = result;
    line->created = 1;
    line->isOther = text.starts_with("# operator type");
    write(end_, start + numbersOf(*line));
  } else {
    line->result = result;
    counted(*line, ++line->created);
  }
  return line;
}

void CaptureLog::compiled(RecordedLine& line, HRESULT result, uint32_t flags,
                          uint32_t RecordedLine::* as) {
  const std::scoped_lock lock(mutex_);
  if (FAILED(result)) line.result = result;
  line.flags |= flags;
  counted(line, ++(line.*as));
}

void CaptureLog::dispatched(RecordedLine& line) {
  const std::scoped_lock lock(mutex_);
  counted(line, ++line.dispatched);
}

void CaptureLog::finish() {
  CaptureLog* const log = theLog;
  if (!log) return;
  const std::unique_lock lock(log->mutex_, std::try_to_lock);
  if (!lock) return;  // a thread was stopped while it wrote
  for (const RecordedLine& line : log->lines_) log->writeNumbers(line);
}

void CaptureLog::counted(const RecordedLine& line, uint32_t count) {
  if (count <= kAtOnce || count % kAtOnce == 0) writeNumbers(line);
}

void CaptureLog::values(const std::string& text, const std::string& comment, bool toRun) {
  const std::scoped_lock lock(mutex_);
  if (full()) return;
  const bool isCase = toRun && byText_.emplace(text, nullptr).second;
  write(end_, (isCase ? "" : "# ") + text + "  # " + comment + '\n');
}

void CaptureLog::store(const std::string& name, std::string_view content) {
  const std::scoped_lock lock(mutex_);
  if (files_.contains(name)) return;
  if (fileBytes_ + content.size() > kMostStored) {
    throw std::runtime_error("the files would have more than 256 MiB");
  }
  std::ofstream file(folder() / name, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + name);
  fileBytes_ += content.size();
  files_.insert(name);
}

void CaptureLog::remark(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  if (!full()) write(end_, "# " + text + '\n');
}

bool CaptureLog::full() {
  if (lineCount_ < kMostLines) return ++lineCount_, false;
  if (lineCount_ == kMostLines) {
    ++lineCount_;
    write(end_, fmt::format("# full: at most {} lines are recorded\n", kMostLines));
  }
  return true;
}

void CaptureLog::writeNumbers(const RecordedLine& line) { write(line.offset, numbersOf(line)); }

// One call per line: a process that is killed leaves whole lines.
void CaptureLog::write(uint64_t offset, const std::string& text) {
  OVERLAPPED at{};
  at.Offset = static_cast<DWORD>(offset);
  at.OffsetHigh = static_cast<DWORD>(offset >> 32);
  DWORD written = 0;
  if (!WriteFile(file_, text.data(), static_cast<DWORD>(text.size()), &written, &at)) return;
  if (offset == end_) end_ += text.size();
}

}  // namespace dmlcts::gpu
