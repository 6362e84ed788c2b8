#pragma once

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "reports/compare/bench_results.h"
#include "reports/compare/diff.h"
#include "reports/compare/matrix.h"
#include "reports/compare/series.h"
#include "reports/summary/findings.h"
#include "reports/summary/summary.h"

// The renderings of a report. Members and elements are described in reports/README.md. All output
// is UTF-8; strings of unknown origin are escaped for the format they go into. The stream writers
// leave errors in the stream's state.

namespace dmlcts {

inline constexpr int kReportVersion = 3;  // "version" of report.json

// report.json: everything but the cases that neither failed nor broke the harness.
void writeReportJson(std::ostream& out, const Report& report);

// junit.xml: one test suite per family, one test case per case; before them one of the run itself.
void writeJUnit(std::ostream& out, const Report& report);

// A single page that needs no network; opens from a file.
void writeHtml(std::ostream& out, const Report& report);

// Pages of the same kind for everything else that is made from journals and benchmarks.
void writeDiffHtml(std::ostream& out, const Diff& diff);
void writeSeriesHtml(std::ostream& out, const Series& series);
void writeBenchHtml(std::ostream& out, const BenchResults& results);

// The page of a matrix. It links to NAME/index.html of each configuration, and to
// NAME/from-PREVIOUS.html, the page of the diff.
void writeMatrixHtml(std::ostream& out, const ReportDocument& matrix);

// The same in short, with links to the same pages.
void writeMatrixMarkdown(std::ostream& out, const ReportDocument& matrix);

// GitHub-flavoured Markdown for the summary of a CI job, at most some 200 KB.
void writeMarkdown(std::ostream& out, const Report& report);

// Files that show a finding without this suite, by its id, as the page is to link to them.
using FindingFiles = std::map<std::string, std::vector<std::string>>;

// reports/findings.md.
void writeFindings(std::ostream& out, const Findings& findings, const FindingFiles& files);

// At most some 40 lines of plain text, each ended by a newline.
std::string terminalSummary(const Report& report);

// Writes report.json, junit.xml, index.html and summary.md into `folder`, which is created when
// missing. Each file is replaced as a whole or, on std::system_error naming it, not at all.
void writeReportFiles(const std::filesystem::path& folder, const Report& report);

// Which of these files a folder holds.
std::vector<std::filesystem::path> reportFilesIn(const std::filesystem::path& folder);

// Deletes these files, and what a kill left of new ones. Throws std::system_error naming the file.
void removeReportFiles(const std::filesystem::path& folder);

}  // namespace dmlcts
