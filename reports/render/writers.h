#pragma once

#include <cstddef>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/compare/bench_results.h"
#include "reports/compare/comparison.h"
#include "reports/journal/folder.h"
#include "reports/summary/summary.h"
#include "reports/text/escape.h"

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

// Writes a single page that opens from a file and needs no network. Names the files in the failure
// bundles of the report's folder.
void writeHtml(std::ostream& out, const Report& report);

// Write pages of the same kind for other data.
void writeComparisonHtml(std::ostream& out, const RunComparison& comparison);
void writeBenchHtml(std::ostream& out, const BenchResults& results);

// Writes GitHub-flavoured Markdown for the summary of a CI job, at most some 200 KB.
void writeMarkdown(std::ostream& out, const Report& report);

// Returns at most some 40 lines of plain text, each ended by a newline.
std::string terminalSummary(const Report& report, const std::filesystem::path& folder = {});
inline void writeText(std::ostream& out, const Report& report) { out << terminalSummary(report); }

// Return a comparison as plain text with 20 cases of each change, and as JSON with `maxRows`.
std::string comparisonText(const RunComparison& comparison);
ReportDocument toDocument(const RunComparison& comparison, size_t maxRows);

void writeComparisonText(std::ostream& out, const RunComparison& comparison);
void writeComparisonJson(std::ostream& out, const RunComparison& comparison);
void writeComparisonMarkdown(std::ostream& out, const RunComparison& comparison);

inline void writeBenchText(std::ostream& out, const BenchResults& results) {
  out << benchText(results);
}
inline void writeBenchJson(std::ostream& out, const BenchResults& results) {
  out << toText(toDocument(results), 1) << '\n';
}

// The sheet that one signs: who was tested, with what, and the result.
inline constexpr const char* kStatementFile = "statement.txt";

// Returns its text, without the journals' hashes.
std::string statementText(const Report& report);

// Writes it for this folder, with the SHA-256 of each journal.
void writeStatement(std::ostream& out, const Report& report, const std::filesystem::path& folder);

struct StatementCheck {
  std::string text;        // a line for each journal
  bool unchanged = false;  // all of them have the hash that the statement has
};

// Compares the journals with the folder's statement. Throws InputError if it has none.
StatementCheck checkStatement(const std::filesystem::path& given);

// Writes report.json, junit.xml, index.html, summary.md and statement.txt. Throws std::system_error
// naming the file; each file is replaced whole or not at all.
void writeReportFiles(const Folder& folder, const Report& report);

// Returns the report files that the folder has.
std::vector<std::filesystem::path> reportFilesIn(const std::filesystem::path& folder);

// Deletes these files and their partial ones. Throws std::system_error naming the file.
void removeReportFiles(const Folder& folder);

// Returns the content of report.json, with details of the first `maxFailures` failures only.
ReportDocument toDocument(const Report& report, size_t maxFailures);

// Returns the parts that a program needs after starting a run: target, conclusion, totals,
// statements, gaps and causes. Leaves out the tables and the individual failures.
ReportDocument toSummaryDocument(const Report& report);

// The files of deqp-runner (Mesa), for tools made for it:
// https://gitlab.freedesktop.org/mesa/deqp-runner, src/runner_results.rs.

// Returns a case string as a name without spaces and commas, which become "/" and ";". These two,
// "%", controls, bytes beyond ASCII and a first "#" become "%" and two hex digits.
std::string deqpName(std::string_view caseString);

// Text files sorted by name, each line ended by a newline; all but the first begin with a comment.
// Worker failures are named "worker-failure/N", a shortfall of the run "run/…".
struct DeqpFiles {
  std::string results;  // results.csv: "name,status,seconds" for each name
  std::string fails;    // a baseline: "name,status" for each failure, expected or not
  std::string flakes;   // a regular expression for each flake's name
  std::string skips;    // a regular expression for each skipped name
};

DeqpFiles deqpFiles(const Report& report);

}  // namespace dmlcts
