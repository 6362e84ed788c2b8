#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "conformance/command/commands.h"
#include "conformance/command/targets/targets.h"
#include "conformance/run/environment.h"
#include "conformance/run/interruption.h"
#include "conformance/run/runner.h"
#include "reports/journal/append_file.h"
#include "reports/journal/folder.h"
#include "reports/journal/input_file.h"
#include "reports/summary/wording.h"
#include "reports/text/escape.h"
#ifdef _WIN32
#include "gpu/process/start_windows.h"
#else
#include <sys/wait.h>
#endif

// `dmlcts capture`: runs an application with the recording DirectML.dll (gpu/capture), and shows
// which of this suite's operators it asked for.

namespace dmlcts {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDll = "DirectML.dll";
constexpr const char* kReal = "DirectML.real.dll";
constexpr const char* kLock = "DirectML.capture.lock";
constexpr const char* kCases = "cases.txt";
constexpr size_t kMostShown = 20;

struct CaptureArguments {
  std::string folder = "capture";
  std::string dll;
  bool values = false;
  bool check = false;
  std::vector<std::string> command;
};

// The recorder knows this name, in UTF-16.
bool isRecorder(const fs::path& file) {
  const std::string name = "DMLCTS_CAPTURE";
  std::string wide;
  for (char c : name) wide += {c, '\0'};
  return readInput(file).find(wide) != std::string::npos;
}

#ifdef _WIN32
fs::path recorder() { return executableFolder() / "capture" / kDll; }
#else
fs::path treeUnderWine() { return fs::path(wineScript("gpu/wine/run")).parent_path() / "../.."; }
fs::path recorder() { return treeUnderWine() / "build-windows/bin/capture" / kDll; }
#endif

// Puts the recorder in the place of the application's DirectML.dll, and back again. Follows no link
// in that folder. Refuses a second capture of the application, which would record nothing once the
// first has put the DLL back.
class Installed {
 public:
  explicit Installed(fs::path dll) : dll_(std::move(dll)), real_(dll_.parent_path() / kReal) {
    const Folder folder(dll_.parent_path());
    try {
      lock_.emplace(folder, kLock, AppendFile::Mode::Append);
      lock_->appendLine("dmlcts capture");
    } catch (const std::runtime_error& error) {
      throw UsageError(std::string(error.what()) + ": is another capture of " + dll_.string() +
                       " running?");
    }
    if (fs::exists(dll_) && !isRecorder(dll_)) fs::rename(dll_, real_);
    folder.replace({textFile(dll_.filename().string(), readInput(recorder()))});
  }
  ~Installed() {
    std::error_code error;
    fs::rename(real_, dll_, error);
    lock_.reset();
    std::error_code none;
    fs::remove(dll_.parent_path() / kLock, none);
    if (!error) return;
    fmt::print(stderr, "warning: {} still records; rename {} to it\n", dll_.string(),
               real_.string());
  }
  Installed(const Installed&) = delete;
  Installed& operator=(const Installed&) = delete;

 private:
  fs::path dll_, real_;
  std::optional<AppendFile> lock_;
};

// Throws UsageError unless the recorder can be installed there. A killed capture may have left it.
void requireDll(const fs::path& dll) {
  const fs::path real = dll.parent_path() / kReal;
  if (!fs::exists(recorder())) {
    throw UsageError("there is no " + recorder().string() + ": build it");
  }
  if (!fs::exists(dll) && !fs::exists(real)) {
    throw UsageError("there is no " + dll.string() +
                     ": name the DirectML.dll that the application loads by --directml, or copy "
                     "the system's there");
  }
  if (fs::exists(dll) && isRecorder(dll) && !fs::exists(real)) {
    throw UsageError(dll.string() + " is the recorder, but there is no " + real.string() +
                     ": put Microsoft's there");
  }
}

// Runs the command on this program's streams, with variables added. Returns its status.
int statusOf(const std::vector<std::string>& command,
             const std::map<std::string, std::string>& variables) {
#ifdef _WIN32
  std::wstring line = gpu::commandLine(command);
  std::wstring environment = gpu::mergedEnvironment(variables);
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION process{};
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT,
                      environment.data(), nullptr, &startup, &process)) {
    gpu::fail("cannot start " + command.front(), GetLastError());
  }
  const gpu::Handle handle(process.hProcess), thread(process.hThread);
  WaitForSingleObject(handle.get(), INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(handle.get(), &status);
  return static_cast<int>(status);
#else
  std::string line;
  for (const auto& [name, value] : variables) line += name + '=' + shellWord(value) + ' ';
  line += "exec " + shellWord((treeUnderWine() / "gpu/wine/run").string());
  for (const std::string& word : command) line += ' ' + shellWord(word);
  const int status = std::system(line.c_str());  // NOLINT(concurrency-mt-unsafe): one thread
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
#endif
}

// Holds the processes' records.
struct Recorded {
  size_t logs = 0;
  std::map<std::string, uint64_t> cases;  // with the number of dispatches
  std::set<std::string> otherTypes;
  std::vector<std::string> differences;
  uint64_t matches = 0;
};

uint64_t dispatches(std::string_view line) {
  constexpr std::string_view kWord = "dispatched ";
  const size_t at = line.rfind(kWord);
  return at == line.npos ? 0 : std::strtoull(line.data() + at + kWord.size(), nullptr, 10);
}

// Reads the processes' logs, and joins their cases in one file, each once.
Recorded readLogs(const fs::path& folder, std::vector<fs::path> logs) {
  std::ranges::sort(logs);
  Recorded recorded;
  std::string joined;
  for (const fs::path& file : logs) {
    ++recorded.logs;
    const auto in = openInput(file);
    std::string line;
    while (nextLine(*in, file.string(), line) && !in->eof()) {  // no cut line
      const std::string text = line.substr(0, line.find("  #"));
      bool again = false;
      const bool differs = line.find("  # differs: ") != line.npos;
      if (differs) recorded.differences.push_back(line.substr(line.starts_with("# ") ? 2 : 0));
      if (line.ends_with("  # match")) ++recorded.matches;
      if (text.starts_with("# operator type ")) {
        recorded.otherTypes.insert(text);
      } else if (!text.empty() && text.front() != '#') {
        const auto [at, isNew] = recorded.cases.emplace(text, 0);
        at->second += dispatches(line);
        again = !isNew;
      }
      joined += (again ? "# also " : "") + line + '\n';
    }
  }
  Folder(folder).replace({textFile(kCases, std::move(joined))});
  return recorded;
}

std::vector<fs::path> logsIn(const fs::path& folder) {
  std::vector<fs::path> logs;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cases") logs.push_back(entry.path());
  }
  return logs;
}

int show(const Recorded& recorded, const fs::path& folder) {
  if (recorded.logs == 0) {
    fmt::print(
        "nothing was recorded: no process of the command created a DirectML device with this "
        "DirectML.dll.\nIf it loads another one, name that by --directml.\n");
    return kHarnessFailure;
  }
  fmt::print("{}, {} of this suite, {} of other types\n", counted(recorded.logs, "log"),
             counted(recorded.cases.size(), "operator"), recorded.otherTypes.size());
  std::vector<std::pair<uint64_t, std::string>> most;
  for (const auto& [text, count] : recorded.cases) most.emplace_back(count, text);
  std::ranges::stable_sort(most, std::greater(), &std::pair<uint64_t, std::string>::first);
  for (const auto& [count, text] : std::span(most).first(std::min(most.size(), kMostShown))) {
    fmt::print("  dispatched {:>12}: {}\n", counted(count, "time"), plainLine(text));
  }
  if (most.size() > kMostShown) fmt::print("  and {} more\n", most.size() - kMostShown);
  if (recorded.matches + recorded.differences.size() > 0) {
    fmt::print("dispatches: {} like the oracle, {} not\n", recorded.matches,
               recorded.differences.size());
  }
  for (const std::string& each : recorded.differences) fmt::print("  {}\n", plainLine(each));
  const std::string file = shellWord((folder / kCases).generic_string());
  if (recorded.cases.empty()) {
    fmt::print("the application asked for no operator of this suite: the fault is elsewhere\n");
  } else {
    fmt::print("next: dmlcts run --cases {} --target directml\n", file);
  }
  return recorded.differences.empty() ? kAsExpected : kConformanceFailure;
}

int capture(const CaptureArguments& arguments) {
  const fs::path program = pathOf(arguments.command.front());
  if (!fs::is_regular_file(program)) throw UsageError("there is no program " + program.string());
  const fs::path dll =
      fs::absolute(arguments.dll.empty() ? program.parent_path() / kDll : pathOf(arguments.dll));
  requireDll(dll);
  requireFolder(pathOf(arguments.folder), "--report");
  const fs::path folder = fs::absolute(pathOf(arguments.folder));
  if (!logsIn(folder).empty()) {
    throw UsageError(arguments.folder + " has an earlier capture: name another by --report");
  }
  // Under Wine, drive Z: is the root folder.
  std::map<std::string, std::string> variables{
      {"DMLCTS_CAPTURE", (folder.root_name().empty() ? "Z:" : "") + folder.string()}};
  if (arguments.values) variables["DMLCTS_CAPTURE_VALUES"] = "1";
  if (arguments.check) variables["DMLCTS_CAPTURE_CHECK"] = "1";
  int status = 0;
  {
    const Interruption deferred;  // the application gets the signal, too
    const Installed installed(dll);
    status = statusOf(arguments.command, variables);
  }
  fmt::print("{} ended with status {}\n", plainLine(arguments.command.front()), status);
  return show(readLogs(folder, logsIn(folder)), pathOf(arguments.folder));
}

}  // namespace

void addCaptureCommand(CLI::App& app, CommandContext& context) {
  auto* command =
      app.add_subcommand("capture", "Record as cases what an application asks DirectML for");
  command->footer(
      "On Linux, the Windows application runs under Wine. Status 1 if --check finds a\n"
      "difference.");
  auto arguments = std::make_shared<CaptureArguments>();
  withDefault(*command, "--report", arguments->folder, "folder for the recorded cases");
  typed(*command, "FILE", "--directml", arguments->dll,
        "the DirectML.dll that the application loads; without it, the one beside the application");
  command->add_flag(
      "--values", arguments->values,
      "also record the inputs' values of operators that are dispatched outside graphs");
  command->add_flag("--check", arguments->check,
                    "also compare the outputs of such dispatches with the oracle; both slow the "
                    "application down");
  command->add_option("command", arguments->command, "the application and its arguments, after --")
      ->required();
  command->callback([arguments, &context] { context.status = capture(*arguments); });
}

}  // namespace dmlcts
