#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conformance/command/targets.h"
#include "reports/journal.h"

// The subcommands of dmlcts. Each adds itself to the application and, when it was chosen, leaves
// its exit status behind.

namespace dmlcts {

// Exit statuses.
inline constexpr int kAsExpected = 0;
inline constexpr int kConformanceFailure = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kHarnessFailure = 3;

struct CommandContext {
  std::string commandLine;  // as given, for journals
  int status = kAsExpected;
};

void addTargetsCommand(CLI::App& app, CommandContext& context);
void addListCommand(CLI::App& app, CommandContext& context);
void addRunCommand(CLI::App& app, CommandContext& context);
void addReplayCommand(CLI::App& app, CommandContext& context);
void addReportCommand(CLI::App& app, CommandContext& context);
void addSelftestCommand(CLI::App& app, CommandContext& context);
void addWorkerCommand(CLI::App& app, CommandContext& context);

// Reads journals, each given as a file or as the folder that holds it. Throws UsageError where
// there is none or it is damaged.
std::vector<Journal> readJournals(const std::vector<std::string>& paths);

// Options that several commands have.
void addTargetOptions(CLI::App& command, TargetOptions& options);

}  // namespace dmlcts
