#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "conformance/command/commands.h"
#include "conformance/command/nightly/nights.h"
#include "conformance/run/environment.h"
#include "conformance/run/expectations/expectations.h"
#include "conformance/run/interruption.h"
#include "conformance/run/runner.h"
#include "conformance/tiers/tiers.h"
#include "gpu/process/peer.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"

// `dmlcts nightly`: a run, fuzzing, and a comparison with the last whole night, each in a process
// of its own, so that none ends with another.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kMostParts = 999;       // three digits of a seed
constexpr uint32_t kMostShare = 999;       // and three more
constexpr uint64_t kMostSeed = 100000000;  // as a date has
// Fuzzing ends after this many parts in a row without a result: there may be no driver.
constexpr int kMostLost = 2;
// The files of a part of fuzzing that grow with it.
constexpr std::array kLargeFiles{"index.html", "junit.xml", "report.json", "journal.jsonl"};

struct NightlyArguments {
  TargetOptions target;
  std::string folder;
  std::string name;
  std::string tier = "default";
  std::string expectations;
  milliseconds timeout = LaneOptions().timeout;
  milliseconds fuzz{3'600'000};
  uint64_t cases = 1'000'000;
  uint32_t jobs = 2;
  uint32_t parts = kMostParts;
  uint32_t share = 0;
  uint32_t keep = 30;
  uint64_t seed = 0;  // 0: the date
  bool noRun = false;
  bool keepAll = false;
};

using Words = std::vector<std::string>;

// Returns the options of these names as they were given, for another command.
Words givenOf(const CLI::App& command, const Words& names) {
  Words words;
  for (const std::string& name : names) {
    const CLI::Option* option = command.get_option(name);
    if (option->empty()) continue;
    words.push_back(name);
    if (option->get_items_expected_max() == 0) continue;  // a flag
    words.insert(words.end(), option->results().begin(), option->results().end());
  }
  return words;
}

// Throws where the folder has a link of that name, or a file.
void refuseLink(const Folder& folder, const std::string& name) {
  if (folder.has(name)) folder.within(name);
}

// Hands on the whole lines of a text that arrives in pieces.
class Lines {
 public:
  explicit Lines(NightLog& log) : log_(log) {}

  void add(std::string_view piece) {
    text_ += piece;
    const size_t end = text_.rfind('\n');
    if (end == std::string::npos) return;
    log_.add(std::string_view(text_).substr(0, end));
    text_.erase(0, end + 1);
  }

  void end() {
    if (!text_.empty()) add("\n");
  }

 private:
  NightLog& log_;
  std::string text_;
};

class Nightly {
 public:
  Nightly(const NightlyArguments& arguments, const Folder& folder, Night night, Words target,
          Words jobs)
      : arguments_(arguments),
        night_(std::move(night)),
        target_(std::move(target)),
        jobs_(std::move(jobs)),
        folder_(folder),
        log_(folder_) {
    night_.parts.clear();
  }

  int run() {
    if (!arguments_.noRun) runCases();
    fuzz();
    if (!stopped()) compare();
    if (stopped()) {
      log_.add(fmt::format("night {}: interrupted; repeat the command to continue", night_.name()));
      return interruptedStatus();
    }
    log_.add(fmt::format("night {}: {}", night_.name(), night_.text()));
    return night_.status();
  }

 private:
  static bool stopped() { return Interruption::flag(); }

  // Keeps a part's end, in the night's file, too.
  void add(NightPart part) {
    night_.parts.push_back(std::move(part));
    writeNight(folder_, night_);
  }

  // Does what must not cost the night its result.
  template <class Do>
  void attempt(const char* what, const Do& act) {
    try {
      act();
    } catch (const std::exception& error) {
      log_.add(fmt::format("warning: {}: {}", what, error.what()));
    }
  }

  // Runs a command of ours to its end, as a part of the night.
  NightPart runPart(std::string what, const Words& words) {
    std::string line = "\n$ dmlcts";
    for (const std::string& word : words) line += " " + shellWord(word);
    log_.add(line);
    gpu::WorkerCommand command{{executablePath().string()}, {}};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    const std::unique_ptr<gpu::Peer> peer = gpu::startPeer(command);
    peer->closeInput();
    Lines out(log_);
    Lines err(log_);
    std::array<uint8_t, 4096> printed;
    while (!stopped()) {
      const auto moved = peer->transfer({}, printed, milliseconds(200));
      out.add({reinterpret_cast<const char*>(printed.data()), moved.read});
      err.add(peer->takeStderr());
      if (moved.read == 0 && peer->exited()) break;
    }
    if (stopped()) return {std::move(what), interruptedStatus(), ""};  // and it dies with `peer`
    const std::string how = peer->end(milliseconds(1000)).how;
    err.add(peer->takeStderr());
    out.end();
    err.end();
    constexpr std::string_view kExit = "exit status ";
    int status = kHarnessFailure;
    const char* end = how.data() + how.size();
    const bool exited = how.starts_with(kExit) &&
                        std::from_chars(how.data() + kExit.size(), end, status).ptr == end;
    if (exited && status <= kHarnessFailure) return {std::move(what), status, ""};
    log_.add("ended with " + how);
    return {std::move(what), kHarnessFailure, how};
  }

  // Resumes a finished run, too: it has nothing to do, but refuses another driver.
  void runCases() {
    Words words{"run",      "--tier", arguments_.tier, "--report", (night_.folder / "run").string(),
                "--resume", "--quiet"};
    words.insert(words.end(), jobs_.begin(), jobs_.end());
    words.insert(words.end(), target_.begin(), target_.end());
    add(runPart("run", words));
  }

  // Fuzzes in parts, each with a seed of its own, until the time is over.
  void fuzz() {
    const auto end = Clock::now() + arguments_.fuzz;
    NightPart all{"fuzz", std::nullopt, ""};
    uint32_t count = 0;
    int lost = 0;
    std::string died;
    for (uint32_t number = 1; number <= arguments_.parts && lost < kMostLost; ++number) {
      const std::string name = fmt::format("fuzz-{:03}", number);
      refuseLink(folder_, name);
      const fs::path folder = night_.folder / name;
      int status = finishedStatus(folder);
      if (status >= 0) {
        folder_.within(name).removeLeftovers();  // nothing else will write there
      } else {
        const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
        if (left.count() <= 0 || stopped()) break;
        Words words{"fuzz",
                    "--seed",
                    fmt::format("{}{:03}{:03}", night_.seed, night_.share, number),
                    "--time",
                    fmt::format("{:.3f}", static_cast<double>(left.count()) / 1000),
                    "--cases",
                    std::to_string(arguments_.cases),
                    "--database",
                    (night_.folder.parent_path() / "database").string(),
                    "--report",
                    folder.string(),
                    "--resume"};  // begins where there is nothing to go on from
        for (const Words* more : {&jobs_, &target_}) {
          words.insert(words.end(), more->begin(), more->end());
        }
        const NightPart part = runPart("fuzz", words);
        if (stopped()) return;
        status = *part.status;
        if (!part.how.empty()) died = fmt::format("part {}: {}", number, part.how);
        if (status <= kConformanceFailure) {
          folder_.within(name).replace({textFile(kFinished, std::to_string(status) + "\n")});
        }
      }
      if (status == kNoStatus) {
        died = fmt::format("part {}: {} has no status", number, (folder / kFinished).string());
        status = kHarnessFailure;
      }
      if (status == kAsExpected && !arguments_.keepAll) {
        for (const char* large : kLargeFiles) folder_.remove(fs::path(name) / large);
      }
      lost = status > kConformanceFailure ? lost + 1 : 0;
      all.status = std::max(all.status.value_or(kAsExpected), status);
      ++count;
    }
    if (count > 1) all.how = fmt::format("{} parts", count);
    if (!died.empty()) all.how += (all.how.empty() ? "" : ", ") + died;
    add(std::move(all));
  }

  static constexpr const char* kFinished = "finished";

  static constexpr int kNoStatus = kHarnessFailure + 1;

  // The status of a part that an earlier call finished: kNoStatus if it has none that parts have,
  // or -1 if the part is not finished.
  static int finishedStatus(const fs::path& folder) {
    if (!whyNotInput(folder / kFinished).empty()) return -1;
    const std::string text = readInput(folder / kFinished);
    const bool isStatus = text.size() == 2 && text[0] >= '0' && text[0] <= '3' && text[1] == '\n';
    return isStatus ? text[0] - '0' : kNoStatus;
  }

  // Compares with the last night whose run is whole, and deletes old nights.
  void compare() {
    const std::vector<Night> earlier = nightsBefore(night_);
    const auto found = std::ranges::find_if(earlier, hasWholeRun);
    const std::optional<Night> last = found == earlier.end() ? std::nullopt : std::optional(*found);
    NightPart comparison{"comparison", std::nullopt, ""};
    if (arguments_.noRun) {
      comparison.how = "there was no run";
    } else if (!hasWholeRun(night_)) {
      comparison.status = kConformanceFailure;
      comparison.how = "the run of this night is not complete";
    } else if (!last) {
      comparison.how = "no complete earlier night to compare with";
    } else {
      const fs::path page = night_.folder / "diff.html";
      folder_.remove(page.filename());
      comparison =
          runPart("comparison with " + last->name(),
                  {"report", "diff", (last->folder / "run").string(),
                   (night_.folder / "run").string(), "--format", "html", "--out", page.string()});
    }
    if (stopped()) return;
    add(std::move(comparison));
    if (arguments_.keep > 0) {
      attempt("old nights cannot be deleted", [&] {
        for (const std::string& line : deleteOld(earlier, arguments_.keep - 1, last)) {
          log_.add(line);
        }
      });
    }
    attempt("the page of all nights cannot be written", [&] { writeIndex(night_); });
  }

  const NightlyArguments& arguments_;
  Night night_;
  const Words target_;
  const Words jobs_;
  const Folder folder_;
  NightLog log_;
};

// Returns the night to run: a new one, whose folder is created, or the one of that name.
Night nightOf(const NightlyArguments& arguments, const std::string& options) {
  const std::string now = timestamp();
  std::string name = arguments.name;
  if (name.empty()) {
    name = now.substr(0, 10);
    if (arguments.share > 0) name += fmt::format("-{:03}", arguments.share);
  }
  Night night{
      pathOf(arguments.folder) / pathOf(name), now, arguments.share, arguments.seed, options, {}};
  if (night.seed == 0) {
    std::string date = now.substr(0, 10);
    std::erase(date, '-');
    night.seed = std::stoull(date);
  }
  if (const auto begun = readNight(night.folder)) {
    const bool same = begun->options == options && begun->share == night.share &&
                      (arguments.seed == 0 || arguments.seed == begun->seed);
    if (same) return *begun;
    throw UsageError(
        fmt::format("{} was begun with other options (share {}, seed {}, {}): --night gives this "
                    "one another name",
                    night.folder.string(), begun->share, begun->seed, begun->options));
  }
  std::error_code none;
  if (fs::is_directory(fs::symlink_status(night.folder, none))) {
    Folder(night.folder).removeLeftovers();  // a kill may have come before the night's file
  }
  if (fs::directory_iterator(night.folder, none) != fs::directory_iterator()) {
    throw UsageError(night.folder.string() + " is not empty and is not a night");
  }
  writeNight(requireFolder(pathOf(arguments.folder), "the folder of nights").within(name), night);
  return night;
}

std::string problemOfName(const std::string& name) {
  const bool isTaken = name == "database" || isIndexName(name);
  const std::string problem = isTaken ? "is taken" : whyNotName(name);
  return problem.empty() ? "" : "\"" + name + "\" " + problem;
}

void conductNight(const CLI::App& command, const NightlyArguments& arguments,
                  CommandContext& context) {
  if (arguments.noRun && arguments.fuzz.count() == 0) {
    throw UsageError("--no-run and --fuzz 0 leave nothing to do");
  }
  workerCommand(arguments.target);  // throws where there is no such target
  if (!arguments.expectations.empty()) {
    Expectations::read(pathOf(arguments.expectations), {});
  }
  // Options with a list of values come last.
  const Words target =
      givenOf(command, {"--expectations", "--timeout", "--start-timeout", "--target", "--platform",
                        "--adapter", "--debug-layer", "--shader-model", "--directml", "--worker",
                        "--strict", "--no-strict", "--require"});
  std::string options = "--tier " + arguments.tier;
  for (const std::string& word : target) options += " " + shellWord(word);
  const Night night = nightOf(arguments, options);
  const Folder all(pathOf(arguments.folder));
  const Folder folder = all.within(night.name());
  // The commands that run in them would write through a link.
  refuseLink(folder, "run");
  refuseLink(all, "database");
  const auto log = [&] {
    try {
      return std::make_unique<Nightly>(arguments, folder, night, target,
                                       givenOf(command, {"--jobs"}));
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("another run uses {}, or it cannot be written: {}",
                                   night.folder.string(), error.what()));
    }
  }();
  const Interruption interruption;
  context.status = log->run();
}

}  // namespace

void addNightlyCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("nightly", "Run, fuzz, and compare with the last complete night");
  auto arguments = std::make_shared<NightlyArguments>();
  command
      ->add_option("folder", arguments->folder, "folder of all nights, and of the fuzzing database")
      ->required()
      ->check([](const std::string& text) { return text.empty() ? "is empty" : ""; });
  Words tiers;
  for (const Tier tier : kTiers) tiers.emplace_back(name(tier));
  withDefault(*command, "--tier", arguments->tier, "tier of the run", CLI::IsMember(tiers));
  addTargetOptions(*command, arguments->target);
  checked(*command, "--expectations", arguments->expectations,
          "file of known failures to waive, and of cases to skip", CLI::ExistingFile);
  checked(*command, "--jobs,-j", arguments->jobs,
          "number of workers that run at the same time; without it, 2, and 1 for fuzzing",
          CLI::Range(1, 256));
  addSecondsOption(*command, "--timeout", arguments->timeout, "longest time for one case");
  command->add_flag("--no-run", arguments->noRun, "only fuzz");
  addSecondsOption(*command, "--fuzz", arguments->fuzz, "time for fuzzing; 0 for none",
                   Zero::Taken);
  withDefault(
      *command, "--part", arguments->cases,
      "fuzz in parts of this many cases, each with its own seed; that bounds memory and disk",
      CLI::PositiveNumber);
  withDefault(*command, "--parts", arguments->parts, "largest number of parts",
              CLI::Range(1u, kMostParts));
  withDefault(*command, "--share", arguments->share,
              "number of this host, if several share the folder; each has its own nights and seeds",
              CLI::Range(0u, kMostShare));
  checked(*command, "--night", arguments->name,
          "name of the night; without it, the date (UTC) and the share. A night that exists is "
          "continued",
          problemOfName);
  checked(*command, "--seed", arguments->seed, "seed of the fuzzing; without it, the date (UTC)",
          CLI::Range(uint64_t{1}, kMostSeed));
  withDefault(*command, "--keep", arguments->keep,
              "keep this many nights and the last complete one, delete the others; 0 keeps all");
  command->add_flag("--keep-all", arguments->keepAll,
                    "also keep the journals and reports of fuzzing that found nothing");
  command->callback(
      [command, arguments, &context] { conductNight(*command, *arguments, context); });
}

}  // namespace dmlcts
