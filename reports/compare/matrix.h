#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/diff.h"
#include "reports/compare/findings.h"
#include "reports/summary/summary.h"
#include "reports/text/escape.h"

// Compares configurations (versions, drivers, options): results for every operator and rule,
// changes from one to the next, and the versions that have a finding.

namespace dmlcts {

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

// Points into the configurations that it was made from.
struct Matrix {
  std::span<const Configuration> configurations;
  std::vector<Neighbours> neighbours;
  std::vector<MatrixLine> operators;  // all levels together
  std::vector<MatrixLine> levels;
  std::vector<MatrixLine> rules;
  std::vector<Deviation> findings;
  std::vector<std::string> warnings;  // where another suite made a run than the one before it
};

// Reports without cases have no neighbours.
Matrix makeMatrix(std::span<const Configuration> configurations);

// Reads runs of the same thing over time, such as nightly runs, by start: one per journal, so each
// should be a whole run. Leaves out their cases, as there may be many runs.
std::vector<Configuration> readSeries(size_t journals, const ReadJournal& read);

// "2 of 5 configurations as expected; 1 did not start"
std::string headlineOf(const Matrix& matrix);

ReportDocument toDocument(const Matrix& matrix);
// Reads a document's member "totals". Throws InputError for an unknown verdict.
Totals totalsIn(const ReportDocument& document);
// Returns the document as plain text for the terminal.
std::string matrixText(const ReportDocument& matrix);

}  // namespace dmlcts
