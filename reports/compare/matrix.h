#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/diff.h"
#include "reports/compare/version.h"
#include "reports/summary/summary.h"
#include "reports/text/escape.h"

// Compares configurations (versions, drivers, options): results for every operator and rule,
// changes from one to the next, and the versions that have a finding.

namespace dmlcts {

// A column of the matrix. Without a report, `problem` gives the reason.
struct Configuration {
  std::string name;
  std::optional<Report> report = {};
  std::string problem = {};
};

// Return the version and the driver by which findings are dated.
std::string versionOf(const JournalHeader& run);
std::string driverOf(const JournalHeader& run);

// Returns why nothing in this report can be a claim, or "". Examples: it is incomplete, filtered,
// has conflicts, or follows another specification edition than this suite.
std::string whyUnproven(const Report& report);

// A configuration's result for one row. It conforms only if nothing is in doubt.
struct MatrixCell {
  Compliance status = Compliance::NotRun;
  uint64_t count = 0;          // cases that the statement counts, out of `of`
  uint64_t of = 0;             // cases of the row that ran
  std::string statement = {};  // "conforms", "broken in 3 of 120 cases"
  double seconds = 0;          // time of the row's cases; 0 for rules
};

struct MatrixLine {
  std::string op;
  std::string level;  // "" for all levels together, and for rules
  std::string rule;   // "" for operators
  std::vector<MatrixCell> cells;
  // True if two configurations that ran the row have different statuses.
  bool differs = false;
};

// A configuration and the next one with a report, by index.
struct Neighbours {
  size_t before = 0;
  size_t after = 0;
  Diff diff;
};

// A finding on one driver, from the oldest to the newest version.
struct FindingOnDriver : VersionSpan {
  std::string driver;  // adapter, driver, runtime, shader model, kernel variant and mode
};

// A cause of a target's failures, or a rule that it does not keep without failing.
struct MatrixFinding {
  std::string target;
  std::string query;  // "" for rules, and for cases that no query explains
  std::string rule;   // "" for causes
  std::string headline;
  std::string shortest;           // shortest failing case; "" for rules
  std::string message;            // of the shortest case
  std::vector<MatrixCell> cells;  // count: cases that show it; of: cases that could
  std::vector<FindingOnDriver> drivers;
};

// Points into the configurations that it was made from.
struct Matrix {
  std::span<const Configuration> configurations;
  std::vector<Neighbours> neighbours;
  std::vector<MatrixLine> operators;  // all levels together
  std::vector<MatrixLine> levels;
  std::vector<MatrixLine> rules;
  std::vector<MatrixFinding> findings;  // per target: causes by number of cases, then rules by id
};

Matrix makeMatrix(std::span<const Configuration> configurations);

// "2 of 5 configurations as expected; 1 did not start"
std::string headlineOf(const Matrix& matrix);

ReportDocument toDocument(const Matrix& matrix);
// Reads a document's member "totals". Throws InputError for an unknown verdict.
Totals totalsIn(const ReportDocument& document);
// Returns the document as plain text for the terminal.
std::string matrixText(const ReportDocument& matrix);

}  // namespace dmlcts
