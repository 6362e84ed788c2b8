#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/compare/diff.h"
#include "reports/compare/version.h"
#include "reports/summary/summary.h"
#include "reports/text/document.h"

// Configurations (versions, drivers, options of a run) side by side: what each says of every
// operator and rule, what changes from one to the next, and since which version a finding is there.

namespace dmlcts {

// A column of the matrix. Without a report, `problem` says why there is none.
struct Configuration {
  std::string name;
  std::optional<Report> report = {};
  std::string problem = {};
};

// Why nothing that a report says can be a claim here: it is incomplete, was stopped or filtered, or
// follows another specification edition than this suite's. "" where it can.
std::string doubtOf(const Report& report);

// What a configuration says of a row. Conforms only without a doubt.
struct MatrixCell {
  Compliance status = Compliance::NotRun;
  uint64_t count = 0;          // of `of` cases: those that the statement counts
  uint64_t of = 0;             // cases of the row that the configuration ran
  std::string statement = {};  // "conforms", "broken in 3 of 120 cases"
  double seconds = 0;          // that the row's cases took; 0 of rules
};

struct MatrixLine {
  std::string op;
  std::string level;  // "" of all levels together, and of rules
  std::string rule;   // "" of operators
  std::vector<MatrixCell> cells;
  // Whether two configurations that ran cases of it say other things of it.
  bool differs = false;
};

// One configuration and the next that has a report, by their place.
struct Neighbours {
  size_t before = 0;
  size_t after = 0;
  Diff diff;
};

// What a finding is on one driver, from the oldest to the newest version there.
struct FindingOnDriver : VersionSpan {
  std::string driver;  // adapter, driver, runtime, shader model and mode
};

// A cause of failures, or a rule that is not kept without a failure, of a target.
struct MatrixFinding {
  std::string target;
  std::string query;  // "" of rules, and of what no query tells
  std::string rule;   // "" of causes
  std::string headline;
  std::string shortest;           // the shortest failing case; "" of rules
  std::string message;            // what is wrong with it
  std::vector<MatrixCell> cells;  // count: cases that show it; of: that could have
  std::vector<FindingOnDriver> drivers;
};

// Points into the configurations that it was made of.
struct Matrix {
  std::span<const Configuration> configurations;
  std::vector<Neighbours> neighbours;
  std::vector<MatrixLine> operators;  // over all levels
  std::vector<MatrixLine> levels;
  std::vector<MatrixLine> rules;
  std::vector<MatrixFinding> findings;  // by target, then by number of cases
};

Matrix makeMatrix(std::span<const Configuration> configurations);

// "2 of 5 configurations as expected; 1 did not start"
std::string headlineOf(const Matrix& matrix);

ReportDocument toDocument(const Matrix& matrix);
// Plain text of such a document, for the terminal.
std::string matrixText(const ReportDocument& matrix);

}  // namespace dmlcts
