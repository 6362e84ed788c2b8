#include <cerrno>
#include <fstream>
#include <system_error>

#include "reports/writers.h"

namespace dmlcts {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::error_code error) {
  throw std::system_error(error, path.string() + ": cannot be written");
}

void replaceFile(const std::filesystem::path& path, const Report& report,
                 void (*write)(std::ostream&, const Report&)) {
  std::filesystem::path partial = path;
  partial += ".partial";
  errno = 0;
  std::ofstream out(partial, std::ios::binary | std::ios::trunc);
  if (out) write(out, report);
  out.close();
  std::error_code error;
  if (out) {
    std::filesystem::rename(partial, path, error);
  } else {
    error.assign(errno == 0 ? EIO : errno, std::generic_category());
  }
  if (!error) return;
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  fail(path, error);
}

}  // namespace

void writeReportFiles(const std::filesystem::path& folder, const Report& report) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(folder, error);
  replaceFile(folder / "report.json", report, writeReportJson);
  replaceFile(folder / "junit.xml", report, writeJUnit);
  replaceFile(folder / "summary.md", report, writeMarkdown);
  replaceFile(folder / "index.html", report, writeHtml);
}

}  // namespace dmlcts
