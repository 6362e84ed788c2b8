#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "conformance/command/options.h"
#include "gpu/target.h"
#include "reports/summary/summary.h"
#include "reports/text/document.h"

// The subcommands of dmlcts. Each adds itself to the application and, when it was chosen, sets
// the exit status.

namespace dmlcts {

// Exit statuses.
inline constexpr int kAsExpected = 0;
inline constexpr int kConformanceFailure = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kHarnessFailure = 3;

struct CommandContext {
  std::string commandLine;  // as given, for journals
  std::string resumeLine;   // the one that goes on with what it began
  int status = kAsExpected;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

  // Wall clock since the command began.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};

// Of the words that a program was started with.
CommandContext contextOf(std::string_view program, std::span<char* const> words);

// Parses the words, which runs the command that they choose, and says what is wrong. The exit
// status.
int runApplication(CLI::App& app, int argc, char** argv, CommandContext& context);

void addTargetsCommand(CLI::App& app, CommandContext& context);
void addDoctorCommand(CLI::App& app, CommandContext& context);
void addListCommand(CLI::App& app, CommandContext& context);
void addRunCommand(CLI::App& app, CommandContext& context);
void addReplayCommand(CLI::App& app, CommandContext& context);
void addMatrixCommand(CLI::App& app, CommandContext& context);
void addReportCommand(CLI::App& app, CommandContext& context);
void addIssueCommand(CLI::App& report, CommandContext& context);  // of addReportCommand
void addSurveyCommand(CLI::App& app, CommandContext& context);
void addSelftestCommand(CLI::App& app, CommandContext& context);
void addBenchCommand(CLI::App& app, CommandContext& context);  // where the build has bench/
void addFuzzCommand(CLI::App& app, CommandContext& context);   // where it has fuzz/
void addWorkerCommand(CLI::App& app, CommandContext& context);

// Sets the status of a command that ran cases. If the run was `stopped`, prints why,
// and the command that resumes it.
void concludeRun(CommandContext& context, const Report& report, const std::string& stopped,
                 std::FILE* out = stdout);

// Prints which parts are missing for a target that did not start, each with what to do about it;
// false where all seem to be there.
bool printMissing(const TargetOptions& options, std::FILE* out);

// Who answered, as --json has it: an object by the keys of --require.
ReportDocument factsOf(const gpu::Identity& identity);

// Prints a document, the only thing on standard output with --json.
void printJson(const ReportDocument& document);

// Bad arguments must be reported before anything is started, replaced or lost.
// These throw UsageError, with `option` in its text:
// unless the folder is there or can be made, and can be written in;
void requireFolder(const std::filesystem::path& folder, const std::string& option);
// unless the file can be created or replaced; an empty path is none.
void requireFile(const std::filesystem::path& file, const std::string& option);
// Creates a file with that text. Throws UsageError where there is one, or none can be made.
void writeNewFile(const std::string& path, const std::string& option, std::string_view text);

}  // namespace dmlcts
