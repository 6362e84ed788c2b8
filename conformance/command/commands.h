#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/command/options/options.h"
#include "reports/journal/folder.h"
#include "reports/summary/summary.h"
#include "reports/text/escape.h"

// The subcommands of dmlcts. Each adds itself to the application and, when chosen, sets the exit
// status.

namespace dmlcts {

// Exit statuses.
inline constexpr int kAsExpected = 0;
inline constexpr int kConformanceFailure = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kHarnessFailure = 3;

struct RunArguments;  // options/run_arguments.h
struct RunResult;

struct CommandContext {
  std::string commandLine;  // for journals
  std::string resumeLine;   // resumes what commandLine began
  int status = kAsExpected;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  // Wall clock since the command began.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

// Builds the context from a program's name and its argv.
CommandContext contextOf(std::string_view program, std::span<char* const> words);

// Parses the command line, which runs the chosen command, and prints errors. Returns the exit
// status.
int runApplication(CLI::App& app, int argc, char** argv, CommandContext& context);

void addTargetsCommand(CLI::App& app, CommandContext& context);
void addDoctorCommand(CLI::App& app, CommandContext& context);
void addListCommand(CLI::App& app, CommandContext& context);
void addRunCommand(CLI::App& app, CommandContext& context);
void addReplayCommand(CLI::App& app, CommandContext& context);
void addNightlyCommand(CLI::App& app, CommandContext& context);
void addReportCommand(CLI::App& app, CommandContext& context);
void addSurveyCommand(CLI::App& app, CommandContext& context);
void addSelftestCommand(CLI::App& app, CommandContext& context);
void addBenchCommand(CLI::App& app, CommandContext& context);
void addFuzzCommand(CLI::App& app, CommandContext& context);
void addCaptureCommand(CLI::App& app, CommandContext& context);
void addWorkerCommand(CLI::App& app, CommandContext& context);

// Carries out `dmlcts run` with complete arguments (completeRun()): runs the cases, prints the
// summary, sets the status.
RunResult conductRun(RunArguments& arguments, CommandContext& context);

// Sets the status of a command that ran cases. If the run was `stopped`, prints the reason and, if
// it can go on, the command that resumes it.
void concludeRun(CommandContext& context, const Report& report, const std::string& stopped,
                 std::FILE* out = stdout, bool canGoOn = true);

// Prints each missing part of a target that did not start, with its remedy. Returns false if none
// seems to be missing.
bool printMissing(const TargetOptions& options, std::FILE* out);

// Bad arguments must be reported before anything is started, replaced or lost. These throw
// UsageError, which names `option`, unless the folder exists or can be created, and is writable;
Folder requireFolder(const std::filesystem::path& path, const std::string& option);
// unless the file can be created or replaced, also where it is a device or a pipe; an empty path is
// none. Whatever an option names as a file to be written goes through this.
void requireFile(const std::filesystem::path& file, const std::string& option);
// or if it exists, unless `overwrite`.
void requireFile(const std::filesystem::path& file, const std::string& option, bool overwrite);
// Creates a file with that text. Throws UsageError if it exists or cannot be created.
void writeNewFile(const std::string& path, const std::string& option, std::string_view text);

// Prints a text. On a terminal that shows colours, verdicts ("Pass", "3,411 Fail"), "conforms",
// "broken" and the like are green, yellow or red. NO_COLOR (no-color.org) and TERM=dumb disable
// colours. Nothing else in the command decides about them.
void printColoured(std::FILE* stream, std::string_view text);

}  // namespace dmlcts
