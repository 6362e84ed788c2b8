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
#include "reports/journal/folder.h"
#include "reports/summary/findings.h"
#include "reports/summary/summary.h"

// The renderings of a report; reports/README.md describes members and elements. All output is
// UTF-8; strings of unknown origin are escaped for each format. The stream writers leave errors in
// the stream's state.

namespace dmlcts {

inline constexpr int kReportVersion = 3;  // "report" of report.json

// Writes report.json: everything but the cases that neither failed nor broke the harness.
void writeReportJson(std::ostream& out, const Report& report);

// Writes junit.xml: first a test suite for the run itself, then one per family with a test per
// case.
void writeJUnit(std::ostream& out, const Report& report);

// Writes a single page that opens from a file and needs no network.
void writeHtml(std::ostream& out, const Report& report);

// Write pages of the same kind for other data.
void writeDiffHtml(std::ostream& out, const Diff& diff);
void writeSeriesHtml(std::ostream& out, const Series& series);
void writeBenchHtml(std::ostream& out, const BenchResults& results);

// Writes the page of a matrix. It links to NAME/index.html of each configuration, and to
// NAME/from-PREVIOUS.html, the page of the diff.
void writeMatrixHtml(std::ostream& out, const ReportDocument& matrix);

// Writes the matrix in short, with links to the same pages.
void writeMatrixMarkdown(std::ostream& out, const ReportDocument& matrix);

// Writes GitHub-flavoured Markdown for the summary of a CI job, at most some 200 KB.
void writeMarkdown(std::ostream& out, const Report& report);

// Files that show a finding without this suite, by the finding's id, as paths to link to.
using FindingFiles = std::map<std::string, std::vector<std::string>>;

// reports/findings.md.
void writeFindings(std::ostream& out, const Findings& findings, const FindingFiles& files);

// Returns at most some 40 lines of plain text, each ended by a newline.
std::string terminalSummary(const Report& report);

// Writes report.json, junit.xml, index.html and summary.md. Throws std::system_error naming the
// file; each file is replaced whole or not at all.
void writeReportFiles(const Folder& folder, const Report& report);

// Returns the report files that the folder has.
std::vector<std::filesystem::path> reportFilesIn(const std::filesystem::path& folder);

// Deletes these files and their partial ones. Throws std::system_error naming the file.
void removeReportFiles(const Folder& folder);

}  // namespace dmlcts
