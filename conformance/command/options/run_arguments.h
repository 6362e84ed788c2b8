#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/targets/targets.h"
#include "conformance/run/runner.h"

// The arguments of `dmlcts run`, for it and for commands that start it.

namespace dmlcts {

struct RunArguments {
  RunOptions options;
  TargetOptions target;
  std::vector<std::string> queries;  // see queriesOf()
  std::string folder = "report";
  std::string cases;  // see addCasesOption()
  std::string expectations;
  std::string shard;
  std::string fromEnvironment;  // options that the environment stands for, set by completeRun()
  std::string mode;
  std::string lastFailed;  // "last", or a journal; "" without the option
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  std::function<bool()> targetIsDefault;  // true if neither --target nor --worker was given
};

// Adds --mode, the cases' execution mode.
void addModeOption(CLI::App& command, std::string& mode);

// Adds --tier.
inline constexpr const char* kTierNames = "smoke|default|large|huge";
CLI::Option* addTierOption(CLI::App& command, std::string& tier);

// Adds the positional queries that choose cases: see queriesOf().
void addQueries(CLI::App& command, std::vector<std::string>& queries);

// Reads the file of cases, if there is one, into the schedule. Throws InputError.
void readGiven(const std::string& cases, ScheduleOptions& schedule);

// `arguments` must outlive the command.
void addRunArguments(CLI::App& command, RunArguments& arguments);

// Fills in `options` from the other arguments; conductRun() adds what belongs to the process:
// command line, interruption, callbacks that print. Throws UsageError, InputError, and
// std::invalid_argument as workerCommand does.
void completeRun(RunArguments& arguments);

}  // namespace dmlcts
