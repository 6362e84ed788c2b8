// dmlcts: the reference and conformance suite for DirectML's GATHER_ND, GATHER_ND1 and
// NONZERO_COORDINATES.

#include <fmt/format.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "conformance/command/commands.h"
#include "conformance/command/options/help.h"
#include "conformance/run/environment.h"
#include "dmlcts_version.h"
#include "gpu/process/streams.h"

namespace dmlcts {
namespace {

int run(int argc, char** argv) {
  CommandContext context = contextOf("dmlcts", {argv, static_cast<size_t>(argc)});
  CLI::App app(
      "Reference and conformance suite for DirectML's GATHER_ND, GATHER_ND1 and "
      "NONZERO_COORDINATES.",
      "dmlcts");
  formatHelp(app);
  app.set_version_flag("-V,--version", fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit),
                       "Print the version and exit");
  app.require_subcommand(0, 1);
  app.callback([&app] {
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
  });
  addTargetsCommand(app, context);
  addDoctorCommand(app, context);
  addListCommand(app, context);
  addRunCommand(app, context);
  addReplayCommand(app, context);
  addBenchCommand(app, context);
  addNightlyCommand(app, context);
  addReportCommand(app, context);
  addFuzzCommand(app, context);
  addSurveyCommand(app, context);
  addSelftestCommand(app, context);
  addCaptureCommand(app, context);
  addWorkerCommand(app, context);
  addHelpCommand(app);
  // Last, because subcommands would inherit them.
  app.set_help_all_flag("--help-all", "Print the help of all commands and exit");
  app.footer(
      "Exit status:\n"
      "  0  every case ended as expected\n"
      "  1  a case failed, a planned case has no verdict, or no case was asked\n"
      "  2  bad arguments or files, or a query that matches nothing\n"
      "  3  the harness failed, or the target is not the one that --require asks for\n"
      "  128 + N  signal N ended it\n"
      "\n"
      "Examples:\n"
      "  dmlcts doctor                    # can a target run here?\n"
      "  dmlcts run --tier smoke          # run the shortest tier, write report/index.html\n"
      "  dmlcts help run                  # the options of a command\n"
      "  dmlcts help queries              # how to choose cases");
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
