#include "reports/compare/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/journals.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "conformance/run/journaling.h"
#include "conformance/run/replay/case_file.h"
#include "conformance/run/run_folder.h"
#include "gpu/process/peer.h"
#include "reports/journal/append_file.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/render/writers.h"
#include "reports/text/escape.h"

// `dmlcts matrix`: runs configurations, each in its own process, and compares them on one page.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

struct MatrixArguments {
  std::string description;
  std::string folder = "matrix";
  std::string cases;
  uint32_t jobs = 1;
  bool again = false;
  bool reportOnly = false;
  bool pages = true;
};

// Files in a configuration's folder besides those of `dmlcts run`.
constexpr const char* kConfiguration = "configuration.json";  // the description that it ran with
constexpr const char* kProblem = "problem.txt";               // why there is no journal

// "" where there is none.
std::string contentOf(const fs::path& file) { return fs::exists(file) ? readInput(file) : ""; }

// True if nothing of its schedule is left to run.
bool isFinished(const Report& report) {
  return report.complete() && report.totals[Verdict::InternalError] == 0;
}

// Returns how the journal's run differs from the run that the configuration asks for now. Nothing
// if its worker does not start: the journal is then kept.
std::optional<std::string> whyRerun(const DescribedConfiguration& configuration,
                                    const Journal& journal) {
  CLI::App run;
  RunArguments arguments;
  addRunArguments(run, arguments);
  run.parse(std::vector<std::string>(configuration.words.rbegin(), configuration.words.rend()));
  try {
    completeRun(arguments);
    LaneOptions lane = arguments.options.lane;
    lane.command.environment.insert(configuration.environment.begin(),
                                    configuration.environment.end());
    Lane asked(lane);
    const Schedule schedule = makeSchedule(arguments.options.schedule);
    return whyAnotherRun(journal, makeHeader(arguments.options.schedule, schedule, asked.identity(),
                                             lane.strictness, ""));
  } catch (const std::runtime_error&) {
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

class Running {
 public:
  Running(const DescribedConfiguration& configuration, Folder folder, const char* how)
      : configuration_(configuration), folder_(std::move(folder)) {
    gpu::WorkerCommand command{{executablePath().string(), "run"}, configuration.environment};
    command.argv.insert(command.argv.end(), configuration.words.begin(), configuration.words.end());
    for (const std::string& word : {std::string("--report"), folder_.path().string(),
                                    std::string("--quiet"), std::string(how)}) {
      command.argv.push_back(word);
    }
    peer_ = gpu::startPeer(command);
    peer_->closeInput();
  }

  // Drains its output; returns true once it has ended.
  bool ended(milliseconds wait) {
    std::array<uint8_t, 4096> printed;
    const auto moved = peer_->transfer({}, printed, wait);
    if (moved.read > 0 || !peer_->exited()) return false;
    const gpu::Ending ending = peer_->end(milliseconds(1000));
    const std::string said = peer_->takeStderr();
    if (!folder_.has("journal.jsonl")) {
      folder_.replace({textFile(kProblem, said.empty() ? ending.how + "\n" : said)});
    } else if (ending.how == fmt::format("exit status {}", kBadUsage)) {
      std::fflush(stdout);
      fmt::print(stderr, "{}: {}", configuration_.name, plainText(said));
    }
    return true;
  }

  const DescribedConfiguration& configuration() const { return configuration_; }

 private:
  const DescribedConfiguration& configuration_;
  Folder folder_;
  std::unique_ptr<gpu::Peer> peer_;  // ends the process and all its children
};

// Starts or resumes the configuration's run; null if it is finished.
std::unique_ptr<Running> start(const DescribedConfiguration& configuration, const Folder& root,
                               bool again) {
  const fs::path folder = root.path() / configuration.name;
  const fs::path journalFile = folder / "journal.jsonl";
  const bool any = fs::exists(journalFile);
  if (any && !fs::exists(folder / kConfiguration)) {
    throw UsageError(folder.string() + " has a run that is not part of this matrix");
  }
  std::string reason = again ? "run again" : "";
  if (any && !again) {
    if (contentOf(folder / kConfiguration) != configuration.text) {
      reason = "run again: its description has changed";
    } else {
      const std::vector<Journal> journals = readJournals({folder.string()});
      if (const auto difference = whyRerun(configuration, journals.front())) {
        reason = "run again: " + *difference;
      } else if (isFinished(summarize(journals))) {
        fmt::print("{}: is finished\n", configuration.name);
        return nullptr;
      }
    }
  }
  const bool resumes = any && reason.empty();
  fmt::print("{}: {}\n", configuration.name,
             resumes          ? "continues"
             : reason.empty() ? "runs"
                              : plainLine(reason));
  std::fflush(stdout);
  const Folder own = root.within(configuration.name);
  // The journal goes first: a kill in between must not pair it with another description.
  if (!resumes) own.remove("journal.jsonl");
  own.remove(kProblem);
  own.replace({textFile(kConfiguration, configuration.text)});
  return std::make_unique<Running>(configuration, own, resumes ? "--resume" : "--overwrite");
}

void runAll(const std::vector<DescribedConfiguration>& configurations, const Folder& root,
            const MatrixArguments& arguments) {
  const Interruption interruption;
  std::vector<std::unique_ptr<Running>> running;
  auto next = configurations.begin();
  while (!Interruption::flag()) {
    while (running.size() < arguments.jobs && next != configurations.end()) {
      const DescribedConfiguration& each = *next++;
      if (!each.journal.empty()) continue;
      if (auto started = start(each, root, arguments.again)) {
        running.push_back(std::move(started));
      }
    }
    if (running.empty()) return;
    const milliseconds wait(200 / running.size());
    std::erase_if(running, [&](const std::unique_ptr<Running>& each) {
      if (!each->ended(wait)) return false;
      fmt::print("{}: ended\n", each->configuration().name);
      std::fflush(stdout);
      return true;
    });
  }
}

// Files of the comparison, in --out.
constexpr const char* kDocument = "matrix.json";
constexpr const char* kSummary = "summary.md";
constexpr const char* kPage = "index.html";

// Keeps another process out of --out while it lives.
class MatrixLock {
 public:
  explicit MatrixLock(const Folder& root) : file_(root, "matrix.lock", AppendFile::Mode::Append) {}
  ~MatrixLock() { file_.discard(); }

 private:
  AppendFile file_;
};

bool isMatrixReport(const fs::path& file) {
  if (!fs::is_regular_file(file)) return false;  // a pipe is read once
  try {
    const nlohmann::json document = parseJson(readInput(file), file.string());
    return document.is_object() && document.contains("matrixReport");
  } catch (const InputError&) {
    return false;
  }
}

// Returns the document, its summary and, with `pages`, its page.
std::vector<NewFile> filesOf(const ReportDocument& matrix, bool pages) {
  std::vector<NewFile> files{
      {kDocument, [&](std::ostream& stream) { stream << toText(matrix, 1) << "\n"; }},
      {kSummary, [&](std::ostream& stream) { writeMatrixMarkdown(stream, matrix); }}};
  if (pages) {
    files.push_back({kPage, [&](std::ostream& stream) { writeMatrixHtml(stream, matrix); }});
  }
  return files;
}

// Renders a kept matrix.json again, without links: its configurations' pages are not beside it.
void renderKept(const fs::path& file, const Folder& root, bool pages) {
  try {
    ReportDocument document = parseJson<ReportDocument>(readInput(file), file.string());
    document["linked"] = false;
    root.replace(filesOf(document, pages));
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file.string() + ": " + problemOf(error));
  }
}

// Throws UsageError if a file to be replaced is not a matrix's.
void requireOwn(const fs::path& out, bool pages) {
  if (isMatrixReport(out / kDocument)) return;
  for (const char* name : {kDocument, kSummary, kPage}) {
    if (name == kPage && !pages) continue;
    if (fs::exists(fs::symlink_status(out / name))) {
      throw UsageError((out / name).string() + " is none of a matrix: --out takes another folder");
    }
  }
}

// Reads a configuration's result. Never throws for files that another program left there.
Configuration resultOf(const DescribedConfiguration& described, const fs::path& folder) {
  Configuration configuration;
  configuration.name = described.name;
  const bool elsewhere = !described.journal.empty();
  try {
    if (!elsewhere && !fs::exists(folder / "journal.jsonl")) {
      configuration.problem = contentOf(folder / kProblem);
      configuration.problem =
          configuration.problem.empty() ? "not run" : "did not start: " + configuration.problem;
      return configuration;
    }
    Report report = readReport({elsewhere ? described.journal.string() : folder.string()}, folder);
    const auto first =
        std::ranges::find(report.cases, Verdict::InternalError, &JournalEntry::verdict);
    if (!report.run.sawTarget() && first != report.cases.end()) {
      configuration.problem = "did not start: " + first->message;
    } else if (report.cases.empty()) {
      configuration.problem = "no case has a verdict";
    } else {
      configuration.report = std::move(report);
    }
  } catch (const std::runtime_error& error) {
    configuration.problem = std::string("cannot be read: ") + error.what();
  }
  return configuration;
}

// Writes the comparison of all and, with `pages`, its page, each configuration's report and the
// diffs between neighbours.
int writeAll(const std::vector<DescribedConfiguration>& described, const Folder& root, bool pages) {
  const fs::path& out = root.path();
  std::vector<Configuration> configurations;
  for (const DescribedConfiguration& each : described) {
    configurations.push_back(resultOf(each, out / each.name));
    const Configuration& last = configurations.back();
    if (pages && last.report) writeReportFiles(root.within(each.name), *last.report);
  }
  const Matrix matrix = makeMatrix(configurations);
  ReportDocument document = toDocument(matrix);
  document["linked"] = pages;
  std::vector<NewFile> files = filesOf(document, pages);
  if (pages) {
    for (const Neighbours& each : matrix.neighbours) {
      const std::string name = fmt::format("from-{}.html", configurations[each.before].name);
      files.push_back({fs::path(configurations[each.after].name) / name,
                       [&each](std::ostream& stream) { writeDiffHtml(stream, each.diff); }});
    }
  }
  root.replace(files);
  fmt::print("{}report: {}\n", matrixText(document), (out / (pages ? kPage : kSummary)).string());
  bool harness = false;
  bool failed = false;
  for (const Configuration& each : configurations) {
    const int status = each.report ? exitStatus(*each.report) : kHarnessFailure;
    harness = harness || status == kHarnessFailure;
    failed = failed || status == kConformanceFailure || (each.report && !each.report->complete());
  }
  return exitStatus(harness, failed);
}

// Makes every configuration run the cases of the file.
void giveCases(const std::string& file, std::vector<DescribedConfiguration>& described) {
  if (file == kStandardInput) {
    throw UsageError("--cases needs a file here: each configuration reads it");
  }
  readCases(file);  // an error is reported once, not by each configuration
  for (DescribedConfiguration& each : described) {
    if (!each.journal.empty()) continue;
    std::erase_if(each.words, [](const std::string& word) {
      return word.starts_with("--tier=") || word.starts_with("--seed=") ||
             word.starts_with("--cases=");
    });
    each.words.push_back("--cases=" + file);
  }
}

}  // namespace

void addMatrixCommand(CLI::App& app, CommandContext& context) {
  auto* command = app.add_subcommand("matrix", "Run configurations and compare them on one page");
  auto arguments = std::make_shared<MatrixArguments>();
  command
      ->add_option("description", arguments->description,
                   "JSON file of the configurations (docs/compare-versions-and-drivers.md), or a "
                   "matrix.json to render again")
      ->required();
  addCasesOption(*command, arguments->cases);
  withDefault(*command, "--out", arguments->folder,
              "folder of the page, with a subfolder for each configuration");
  withDefault(*command, "--jobs,-j", arguments->jobs,
              "number of configurations that run at the same time", CLI::Range(1, 64));
  auto* again = command->add_flag("--again", arguments->again,
                                  "also run the configurations that are finished");
  command
      ->add_flag("--report-only", arguments->reportOnly,
                 "run nothing: compare the journals that exist")
      ->excludes(again);
  command->add_flag("!--no-pages", arguments->pages, "write only matrix.json and summary.md");
  command->callback([arguments, &context] {
    const fs::path out = pathOf(arguments->folder);
    if (isMatrixReport(pathOf(arguments->description))) {
      requireOwn(out, arguments->pages);
      const Folder root = requireFolder(out, "--out");
      const MatrixLock lock(root);
      renderKept(pathOf(arguments->description), root, arguments->pages);
      fmt::print("report: {}\n", (out / (arguments->pages ? kPage : kSummary)).string());
      context.status = kAsExpected;
      return;
    }
    std::vector<DescribedConfiguration> described =
        readMatrixDescription(pathOf(arguments->description));
    if (!arguments->cases.empty()) giveCases(arguments->cases, described);
    for (const DescribedConfiguration& each : described) {
      if (!each.journal.empty() && !fs::exists(each.journal)) {
        throw UsageError(each.journal.string() + ": there is no such journal, of \"" + each.name +
                         "\" in " + arguments->description);
      }
    }
    requireOwn(out, arguments->pages);
    const Folder root = requireFolder(out, "--out");
    const MatrixLock lock(root);
    if (!arguments->reportOnly) runAll(described, root, *arguments);
    context.status = writeAll(described, root, arguments->pages);
    if (Interruption::flag()) context.status = interruptedStatus();
  });
}

}  // namespace dmlcts
