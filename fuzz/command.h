#pragma once

#include "conformance/command/commands.h"

namespace dmlcts {

// `dmlcts fuzz`.
void addFuzzCommand(CLI::App& app, CommandContext& context);

}  // namespace dmlcts
