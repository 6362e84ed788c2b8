#pragma once

#include <string>
#include <string_view>

#include "reports/summary/summary.h"

// What deqp-runner (Mesa) writes and reads, for tools that were made for it:
// https://gitlab.freedesktop.org/mesa/deqp-runner, src/runner_results.rs.

namespace dmlcts {

// A case string as a name without spaces and commas: these become "/" and ";", and what could be
// mistaken (these two, "%", controls, bytes beyond ASCII, a first "#") "%" and two hex digits.
std::string deqpName(std::string_view caseString);

// Text files, each line ended by a newline, sorted by name; all but the first begin with a comment.
// What no case stands for has the name "worker-failure/N".
struct DeqpFiles {
  std::string results;  // results.csv: "name,status,seconds" for each case
  std::string fails;    // a baseline: "name,status" for each that did not succeed, expected or not
  std::string flakes;   // a regular expression for the name of each flake
  std::string skips;    // the same of each that was skipped
};

DeqpFiles deqpFiles(const Report& report);

}  // namespace dmlcts
