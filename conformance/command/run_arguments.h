#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/targets.h"
#include "conformance/run/runner.h"

// The arguments of `dmlcts run`, for the command itself and for those that start it.

namespace dmlcts {

struct RunArguments {
  RunOptions options;
  TargetOptions target;
  std::vector<std::string> queries;  // arguments: see queriesOf()
  std::string folder = "report";
  std::string expectations;
  std::string shard;
  std::string mode;
  std::string lastFailed;  // "last", or a journal; "" without the option
  std::vector<std::string> costs;
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::function<bool()> targetIsDefault;  // neither --target nor --worker was given
};

// Which mode the cases are to take.
void addModeOption(CLI::App& command, std::string& mode);

// Which cases, as queriesOf() takes them.
void addQueries(CLI::App& command, std::vector<std::string>& queries);

// `arguments` outlives the command.
void addRunArguments(CLI::App& command, RunArguments& arguments);

// Fills in the options that the texts of the arguments ask for; not the command line. Throws
// UsageError, InputError, and std::invalid_argument as workerCommand does.
void completeRun(RunArguments& arguments);

// What `dmlcts run` does with complete arguments: runs the cases, prints the summary and sets the
// status.
RunResult conductRun(RunArguments& arguments, CommandContext& context);

}  // namespace dmlcts
