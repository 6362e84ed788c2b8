#pragma once

#include <string>
#include <string_view>

#include "reports/summary/summary.h"

// The files of deqp-runner (Mesa), for tools made for it:
// https://gitlab.freedesktop.org/mesa/deqp-runner, src/runner_results.rs.

namespace dmlcts {

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
