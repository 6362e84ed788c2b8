// dmlcts: the reference and conformance suite for DirectML's GATHER_ND, GATHER_ND1 and
// NONZERO_COORDINATES.

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "conformance/command/commands.h"
#include "conformance/run/environment.h"
#include "dmlcts_version.h"
#include "gpu/process/leave.h"

namespace dmlcts {
namespace {

int run(int argc, char** argv) {
  CommandContext context = contextOf("dmlcts", {argv, static_cast<size_t>(argc)});
  CLI::App app(
      "Reference and conformance suite for DirectML's GATHER_ND, GATHER_ND1 and "
      "NONZERO_COORDINATES.",
      "dmlcts");
  app.set_version_flag("--version", fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit));
  app.set_help_all_flag("--help-all", "Print the help of every subcommand and exit");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit status: 0 all as expected, 1 a conformance failure, or planned cases without a "
      "verdict,\n"
      "2 a usage error, 3 the harness itself failed, or something else answered than --require "
      "asks\n"
      "for.");
  app.callback([&app] {
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
  });
  addTargetsCommand(app, context);
  addDoctorCommand(app, context);
  addListCommand(app, context);
  addRunCommand(app, context);
  addReplayCommand(app, context);
#ifdef DMLCTS_HAS_BENCH
  addBenchCommand(app, context);
#endif
  addMatrixCommand(app, context);
  addNightlyCommand(app, context);
  addReportCommand(app, context);
#ifdef DMLCTS_HAS_FUZZ
  addFuzzCommand(app, context);
#endif
  addSurveyCommand(app, context);
  addSelftestCommand(app, context);
  addWorkerCommand(app, context);
  return runApplication(app, argc, argv, context);
}

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
  dmlcts::prepareStandardStreams();
#ifdef __GLIBC__
  // Returns the freed blocks of large cases to the system, which glibc would hoard. Smaller blocks
  // stay, because each case would fault their pages in again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
  // Without unloading libraries: with --in-process a driver may be among them.
  dmlcts::gpu::leave(dmlcts::run(argc, argv));
}
