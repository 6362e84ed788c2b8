// dmlcts: the reference and conformance suite for DirectML's GATHER_ND and NONZERO_COORDINATES.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "conformance/cases/case_string.h"
#include "conformance/command/commands.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "conformance/run/lane.h"
#include "conformance/run/runner.h"
#include "dmlcts_version.h"
#include "gpu/process/leave.h"
#include "reports/journal/input_error.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

std::string joined(int argc, char** argv) {
  std::string text = "dmlcts";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" '\"*?()$&|;<>") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
  return text;
}

// The text may contain a worker's message: only its first line begins at the margin.
int complain(int status, const std::string& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  fmt::print(stderr, "dmlcts: {}\n{}", plainLine(text.substr(0, end)),
             indentedText(text.substr(std::min(end + 1, text.size()))));
  return status;
}

// If output could not be written, the user must hear of it.
int withOutputWritten(int status) {
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return written ? status : complain(kHarnessFailure, "standard output could not be written");
}

int run(int argc, char** argv) {
  CommandContext context{joined(argc, argv), kAsExpected};
  CLI::App app("Reference and conformance suite for DirectML's GATHER_ND and NONZERO_COORDINATES.",
               "dmlcts");
  app.set_version_flag("--version", fmt::format("dmlcts {} {}", kSuiteVersion, kSuiteCommit));
  app.set_help_all_flag("--help-all", "Print the help of every subcommand and exit");
  app.require_subcommand(0, 1);
  app.footer(
      "Exit status: 0 all as expected, 1 a conformance failure, 2 a usage error, 3 the harness\n"
      "itself failed, or something else answered than --require asks for.");
  addTargetsCommand(app, context);
  addDoctorCommand(app, context);
  addListCommand(app, context);
  addRunCommand(app, context);
  addReplayCommand(app, context);
#ifdef DMLCTS_HAS_BENCH
  addBenchCommand(app, context);
#endif
  addMatrixCommand(app, context);
  addReportCommand(app, context);
#ifdef DMLCTS_HAS_FUZZ
  addFuzzCommand(app, context);
#endif
  addSurveyCommand(app, context);
  addSelftestCommand(app, context);
  addWorkerCommand(app, context);
  requirePlainNumbers(app);

  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) fmt::print("{}", app.help());
    return context.status;
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return kAsExpected;
  } catch (const CLI::ParseError& error) {
    return complain(kBadUsage, error.what());
  } catch (const UsageError& error) {
    return complain(kBadUsage, error.what());
  } catch (const InputError& error) {
    return complain(kBadUsage, error.what());
  } catch (const SyntaxError& error) {
    return complain(kBadUsage, error.what());
  } catch (const std::invalid_argument& error) {
    return complain(kBadUsage, error.what());
  } catch (const WorkerStartError& error) {
    // Told to stop while it waited for the first worker: there is no report yet to go on with.
    return complain(Interruption::flag() ? interruptedStatus() : kHarnessFailure, error.what());
  } catch (const std::exception& error) {
    return complain(kHarnessFailure, error.what());
  }
}

}  // namespace
}  // namespace dmlcts

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Freed blocks of large cases go back to the system: by default, glibc keeps more and more of
  // them. Smaller ones stay: each case would fault their pages in again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
  dmlcts::prepareStandardStreams();
  // Without unloading libraries: with --in-process a driver may be among them.
  dmlcts::gpu::leave(dmlcts::withOutputWritten(dmlcts::run(argc, argv)));
}
