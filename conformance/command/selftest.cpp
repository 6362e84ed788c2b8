#include "conformance/command/commands.h"

namespace dmlcts {

void addSelftestCommand(CLI::App&, CommandContext&) {}

}  // namespace dmlcts
