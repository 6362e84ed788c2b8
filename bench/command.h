#pragma once

#include <CLI/CLI.hpp>

#include "conformance/command/commands.h"

namespace dmlcts {

// `dmlcts bench`.
void addBenchCommand(CLI::App& app, CommandContext& context);

}  // namespace dmlcts
