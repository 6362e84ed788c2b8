#include <algorithm>
#include <array>
#include <future>
#include <sstream>
#include <system_error>

#include "reports/journal/folder.h"
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

}  // namespace

void writeReportFiles(const Folder& folder, const Report& report) {
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
    files.push_back(textFile(kReportFiles[i].name, texts[i].get()));
  }
  folder.replace(files);
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

void removeReportFiles(const Folder& folder) {
  for (const ReportFile& file : kReportFiles) folder.remove(file.name);
}

}  // namespace dmlcts
