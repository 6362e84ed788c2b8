// Shared by the programs of this folder: from the command line to the exit status.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "conformance/command/commands.h"
#include "conformance/command/options/help.h"
#include "conformance/language/case_string.h"
#include "conformance/run/interruption.h"
#include "conformance/run/lane/lane.h"
#include "conformance/run/runner.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"

namespace dmlcts {
namespace {

// The text may contain a worker's message: only its first line begins at the margin. Not by
// fmt::print(), which throws where nothing can be written.
int complain(const CLI::App& app, int status, const std::string& text) {
  std::fflush(stdout);  // or it would be cut where a buffer ends
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string said = fmt::format("{}: {}\n{}", app.get_name(), plainLine(text.substr(0, end)),
                                       indentedText(text.substr(std::min(end + 1, text.size()))));
  std::fputs(said.c_str(), stderr);
  return status;
}

// Completes CLI11's "case is required" of a command line.
std::string problemOfMissing(const CLI::App& app, std::string problem) {
  const CLI::App* at = &app;
  std::string words;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().back();
    words += " " + at->get_name();
  }
  const std::string name = problem.substr(0, problem.find(' '));
  if (const CLI::Option* option = at->get_option_no_throw(name)) {
    problem += ": " + option->get_description();
  }
  return fmt::format("{}; see {} help{}", problem, app.get_name(), words);
}

}  // namespace

CommandContext contextOf(std::string_view program, std::span<char* const> words) {
  CommandContext context{std::string(program), std::string(program)};
  for (const std::string_view word : words.subspan(std::min<size_t>(1, words.size()))) {
    context.commandLine += " " + shellWord(word);
    if (word != "--overwrite" && word != "--resume") context.resumeLine += " " + shellWord(word);
  }
  context.resumeLine += " --resume";
  return context;
}

int runApplication(CLI::App& app, int argc, char** argv, CommandContext& context) {
  requirePlainNumbers(app);
  const int status = [&] {
    try {
      app.parse(argc, argv);
      return context.status;
    } catch (const CLI::Success& success) {  // --help, --version
      app.exit(success);
      return kAsExpected;
    } catch (const CLI::ParseError& error) {
      std::string problem = unexpectedWord(app);
      if (problem.empty()) {
        problem = error.what();
        if (dynamic_cast<const CLI::RequiredError*>(&error)) {
          problem = problemOfMissing(app, problem);
        }
      }
      return complain(app, kBadUsage, problem);
    } catch (const UsageError& error) {
      return complain(app, kBadUsage, error.what());
    } catch (const InputError& error) {
      return complain(app, kBadUsage, error.what());
    } catch (const SyntaxError& error) {
      return complain(app, kBadUsage, error.what());
    } catch (const std::invalid_argument& error) {
      return complain(app, kBadUsage, error.what());
    } catch (const Interrupted& error) {
      return complain(app, interruptedStatus(), error.what());
    } catch (const WorkerStartError& error) {
      // Interrupted while waiting for the first worker: there is no report to resume yet.
      return complain(app, Interruption::flag() ? interruptedStatus() : kHarnessFailure,
                      error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      return complain(app, isPathError(error.code()) ? kBadUsage : kHarnessFailure,
                      error.path1().string() + ": " + error.code().message());
    } catch (const std::system_error& error) {
      return complain(app, isPathError(error.code()) ? kBadUsage : kHarnessFailure, error.what());
    } catch (const std::exception& error) {
      return complain(app, kHarnessFailure, error.what());
    }
  }();
  // A caller must learn that its output is incomplete.
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return written ? status : complain(app, kHarnessFailure, "standard output could not be written");
}

}  // namespace dmlcts
