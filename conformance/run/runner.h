#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "conformance/run/lane/lane.h"
#include "conformance/run/schedule.h"
#include "reports/summary/summary.h"

// A run: chooses cases (schedule.h), has lanes run them (lane/lane.h), makes the journal line of
// each outcome (journaling.h), applies expectations to it, and writes it and the reports
// (run_folder.h). In go options, out come a folder and a RunResult. `dmlcts run` and dmlcts-gtest
// call it.
//
//   RunOptions options;
//   options.lane.command.argv = {"dmlcts-worker", "--target", "d3d12"};
//   options.folder = "report";
//   const RunResult result = runConformance(options);

namespace dmlcts {

struct RunOptions {
  ScheduleOptions schedule;
  LaneOptions lane;
  uint32_t jobs = 1;
  std::filesystem::path folder;        // for journal, reports and bundles
  std::filesystem::path expectations;  // or empty
  bool resume = false;
  bool overwrite = false;
  bool failFast = false;         // stop at the first verdict or worker failure that fails the run
  bool showProgress = false;     // a line on stderr, rewritten in place
  bool measureOverhead = false;  // against the bare API, afterwards
  uint32_t bundles = 10;         // this many causes get a bundle, of their shortest case
  std::string failedOf;          // the journal that ScheduleOptions::only comes of, or ""
  std::string chosenBy;          // else ScheduleOptions::only is by this option
  std::string commandLine;
  std::string worker;           // the command line of --worker, or ""
  std::string replayArguments;  // that name the target, the mode and the flags to `dmlcts replay`
  // Called once the cases are chosen, before any runs.
  std::function<void(const Schedule& schedule)> onChosen = {};
  // Called once it is known that no worker starts, before the journal and reports are written.
  std::function<void(const std::string& why)> onNoWorker = {};
};

// A mistake of the user; the command exits with status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RunResult {
  Report report;
  double seconds = 0;     // wall clock, from the first case to the last
  uint64_t casesRun = 0;  // in this session, without earlier ones of a resumed journal
  TimeSpent spent;        // of all lanes together
  uint32_t lanes = 1;
  // The harness's rate over that of the bare API's loop, of each turn; empty if not measured.
  std::vector<double> overBareLoop;
  std::vector<std::string> warnings;
  // Why the run ended before its last case, or "": no worker could be started, too many were lost
  // in a row, a signal, failFast. `resume` continues it.
  std::string stopped;
  bool noWorker = false;       // it never had one
  bool anotherTarget = false;  // workers of its command are not of one target: it cannot go on
};

// When a worker cannot be started, at the beginning or after a worker failure, or is another than
// before, the next case of the schedule gets the verdict InternalError with the worker's message,
// and the run ends. It also ends, with what it knows, after LaneOptions::mostLost lost workers in a
// row and when LaneOptions::cancel is set. Throws UsageError, SyntaxError, Interrupted where it is
// cancelled before there is a journal, and std::system_error when a file cannot be written; the
// journal then holds every verdict so far.
RunResult runConformance(const RunOptions& options);

}  // namespace dmlcts
