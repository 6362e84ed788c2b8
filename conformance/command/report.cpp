#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "conformance/command/commands.h"
#include "conformance/runner.h"
#include "reports/writers.h"

// `dmlcts report`: everything that is made from journals.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

// A journal, or a folder that holds one.
fs::path journalIn(const fs::path& path) {
  return fs::is_directory(path) ? path / "journal.jsonl" : path;
}

Report readAll(const std::vector<std::string>& paths) {
  std::vector<Journal> journals;
  for (const std::string& path : paths) {
    const fs::path file = journalIn(path);
    if (!fs::exists(file)) throw UsageError(file.string() + ": there is no such journal");
    try {
      journals.push_back(readJournal(file));
    } catch (const std::system_error&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  }
  return summarize(journals);
}

}  // namespace

void addReportCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("report", "Make reports from journals");
  command->require_subcommand(1);
  auto paths = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>("report");

  auto* show = command->add_subcommand("show", "Print the totals of journals");
  show->add_option("journals", *paths, "journals, or folders that hold one")->required();
  show->callback([paths, &context] {
    const Report report = readAll(*paths);
    fmt::print("{}", terminalSummary(report));
    context.status = report.totals.failures() > 0 ? kConformanceFailure : kAsExpected;
  });

  auto* merge = command->add_subcommand(
      "merge", "One report from the journals of all shards; names duplicates and gaps");
  merge->add_option("journals", *paths, "journals, or folders that hold one")->required();
  merge->add_option("--report", *folder, "folder to write to")->capture_default_str();
  merge->callback([paths, folder, &context] {
    const Report report = readAll(*paths);
    writeReportFiles(*folder, report);
    fmt::print("{}report: {}\n", terminalSummary(report),
               (fs::path(*folder) / "index.html").string());
    context.status =
        report.totals.failures() > 0 || !report.complete() ? kConformanceFailure : kAsExpected;
  });
}

}  // namespace dmlcts
