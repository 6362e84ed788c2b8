#include <algorithm>
#include <array>
#include <future>
#include <sstream>
#include <system_error>

#include "reports/journal/replace_file.h"
#include "reports/render/writers.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

struct ReportFile {
  const char* name;
  void (*write)(std::ostream&, const Report&);
};

// In the order in which they are replaced, the page last.
constexpr std::array<ReportFile, 4> kReportFiles{{{"report.json", writeReportJson},
                                                  {"junit.xml", writeJUnit},
                                                  {"summary.md", writeMarkdown},
                                                  {"index.html", writeHtml}}};

[[noreturn]] void fail(const fs::path& path, std::error_code error, const char* what) {
  throw std::system_error(error, path.string() + ": " + what);
}

}  // namespace

void writeReportFiles(const fs::path& folder, const Report& report) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder, error, "cannot be written");
  // Rendered in parallel, because a finished run waits for them.
  report.coverage();  // the writers share it
  std::vector<std::future<std::string>> texts;
  for (const ReportFile& file : kReportFiles) {
    texts.push_back(std::async(std::launch::async, [&] {
      std::ostringstream out;
      file.write(out, report);
      return std::move(out).str();
    }));
  }
  std::vector<NewFile> files;
  for (size_t i = 0; i < texts.size(); ++i) {
    files.push_back({folder / kReportFiles[i].name,
                     [text = texts[i].get()](std::ostream& out) { out << text; }});
  }
  replaceFiles(files);
}

std::vector<fs::path> reportFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const ReportFile& file : kReportFiles) {
    std::error_code error;
    const fs::path path = folder / file.name;
    if (fs::exists(fs::symlink_status(path, error))) files.push_back(path);
  }
  return files;
}

void removeReportFiles(const fs::path& folder) {
  for (const ReportFile& file : kReportFiles) {
    for (const char* suffix : {"", kPartial}) {
      std::error_code error;
      const fs::path path = (folder / file.name).concat(suffix);
      if (fs::remove(path, error); error) fail(path, error, "cannot be deleted");
    }
  }
}

}  // namespace dmlcts
