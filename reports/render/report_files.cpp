#include <array>
#include <exception>
#include <future>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "reports/journal/folder.h"
#include "reports/render/writers.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

struct ReportFile {
  const char* name;
  void (*write)(std::ostream&, const Report&);  // null: made for the folder
};

constexpr const char* kIndexPage = "index.html";
// In the order in which they are replaced, the page last.
constexpr std::array<ReportFile, 5> kReportFiles{{{"report.json", writeReportJson},
                                                  {"junit.xml", writeJUnit},
                                                  {"summary.md", writeMarkdown},
                                                  {kStatementFile, nullptr},
                                                  {kIndexPage, nullptr}}};

}  // namespace

void writeReportFiles(const Folder& folder, const Report& report) {
  report.coverage();  // the writers share it
  std::promise<std::string> page;
  std::vector<NewFile> files;
  for (const ReportFile& file : kReportFiles) {
    files.push_back({file.name, [&, name = file.name, write = file.write](std::ostream& out) {
                       if (write) {
                         write(out, report);
                       } else if (name == std::string_view(kIndexPage)) {
                         out << page.get_future().get();
                       } else {
                         writeStatement(out, report, folder.path());
                       }
                     }});
  }
  // A finished run waits for the page, so the other files are written beside it. Here, where the
  // summary was made: another thread would not reuse its memory.
  std::future<void> written = std::async(std::launch::async, [&] { folder.replace(files); });
  try {
    std::ostringstream out;
    writeHtml(out, report);
    page.set_value(std::move(out).str());
  } catch (...) {
    page.set_exception(std::current_exception());
  }
  written.get();
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
