#include "conformance/command/targets/targets.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "conformance/language/nearest.h"
#include "conformance/mutants/catalogue.h"
#include "conformance/run/environment.h"
#include "conformance/run/lane/lane.h"
#include "gpu/process/process.h"
#include "gpu/worker/serve.h"
#include "reports/summary/wording.h"

namespace dmlcts {
namespace {

constexpr std::string_view kMutant = "mutant:";
constexpr std::string_view kMode = "mutant:mode.";
constexpr std::chrono::seconds kListPatience{60};  // Wine's first start is slow
constexpr size_t kLongestList = 1 << 20;           // bytes, far beyond any real list

#ifdef _WIN32
constexpr bool kOnWindows = true;
#else
constexpr bool kOnWindows = false;
#endif

// Splits at spaces outside single or double quotes.
std::vector<std::string> splitCommandLine(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (c == ' ') {
      if (inWord) words.push_back(std::exchange(word, {}));
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (quote != 0) throw std::invalid_argument("unclosed quote in the worker's command: " + text);
  if (inWord) words.push_back(word);
  if (words.empty()) throw std::invalid_argument("the worker's command is empty");
  return words;
}

using Host = int(int argc, const char* const* argv, gpu::StandardStreams* streams);

// Loads the host function of the worker's library (gpu/worker/in_process_module.cpp), which is
// never unloaded.
Host* loadedHost() {
#ifdef _WIN32
  const std::filesystem::path file = executableFolder() / "dmlcts-in-process.dll";
  HMODULE library = LoadLibraryW(file.c_str());
  auto* host =
      library
          ? reinterpret_cast<Host*>(reinterpret_cast<void*>(GetProcAddress(library, "dmlctsHost")))
          : nullptr;
  const std::string why = host ? "" : "error " + std::to_string(GetLastError());
#else
  const std::filesystem::path file = executableFolder() / "dmlcts-in-process.so";
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* host = library ? reinterpret_cast<Host*>(dlsym(library, "dmlctsHost")) : nullptr;
  const std::string why = host ? "" : dlerror();
#endif
  if (!host) throw std::invalid_argument("--in-process: cannot load " + file.string() + ": " + why);
  return host;
}

gpu::WorkerCommand inThisProcess(const gpu::WorkerCommand& command) {
  if (command.argv.front() == executablePath().string()) {
    return {command.argv, {}, [target = command.argv.back()](gpu::StandardStreams streams) {
              return serveOracleTarget(target, std::move(streams));
            }};
  }
  if (command.argv.front() != (executableFolder() / "dmlcts-worker").string()) {
    throw std::invalid_argument("--in-process is not for Windows' targets on Linux");
  }
  return {
      command.argv, {}, [host = loadedHost(), words = command.argv](gpu::StandardStreams streams) {
        std::vector<const char*> argv;
        argv.reserve(words.size());
        for (const std::string& word : words) argv.push_back(word.c_str());
        return host(static_cast<int>(argv.size()), argv.data(), &streams);
      }};
}

// True for the reference and its mutants, which this program hosts without a device.
bool isOracle(std::string_view target) {
  if (target == "reference") return true;
  return target.starts_with(kMutant) && !target.starts_with(kMode);
}

// True for "1.15.4" and the like.
bool isVersion(std::string_view text) {
  return std::ranges::count(text, '.') == 2 &&
         text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// Returns the options, with their values, that a worker of ours takes as they are.
std::vector<std::pair<std::string, std::string>> givenTo(const TargetOptions& options) {
  std::vector<std::pair<std::string, std::string>> given{{"--adapter", options.adapter},
                                                         {"--shader-model", options.shaderModel},
                                                         {"--directml", options.directMl}};
  std::erase_if(given, [](const auto& each) { return each.second.empty(); });
  return given;
}

[[noreturn]] void failUnknown(const std::string& target) {
  const std::vector<TargetInfo> known = knownTargets();
  std::vector<std::string_view> names;
  for (const TargetInfo& each : known) names.push_back(each.name);
  throw std::invalid_argument("no target \"" + target + "\": dmlcts targets --all lists them" +
                              didYouMean(target, names));
}

gpu::WorkerCommand commandOfProcess(const TargetOptions& options) {
  if (!options.worker.empty()) {
    std::vector<std::string> words = splitCommandLine(options.worker);
    if (!isProgram(words.front())) {
      throw std::invalid_argument("the worker's command starts no program: " + words.front());
    }
    return {std::move(words), {}};
  }
  const std::string& target = options.target;
  if (isOracle(target)) {
    if (target != "reference" && !findMutant(std::string_view(target).substr(kMutant.size()))) {
      failUnknown(target);
    }
    if (options.platform || options.debugLayer || !givenTo(options).empty()) {
      throw std::invalid_argument("target " + target +
                                  " runs on no device: --platform, --adapter, --debug-layer, "
                                  "--shader-model and --directml are not for it");
    }
    return {{executablePath().string(), "worker", target}, {}};
  }
  for (const auto& [option, value] : givenTo(options)) {
    if (target == "directml" && option == "--shader-model") {
      throw std::invalid_argument(option + " is for our kernels: DirectML brings its own");
    }
  }
  if (target.starts_with(kMode) &&
      std::ranges::find(gpu::kModeMutants, target.substr(kMode.size()), &gpu::ModeMutant::name) ==
          std::end(gpu::kModeMutants)) {
    failUnknown(target);
  }
  const bool byVersion =
      !kOnWindows && isVersion(options.directMl);  // gpu/directml/worker finds it
  if (!options.directMl.empty() && !byVersion &&
      !std::filesystem::is_regular_file(pathOf(options.directMl))) {
    throw std::invalid_argument("--directml: there is no file " + options.directMl);
  }
  gpu::WorkerCommand command;
  if (target == "directml" && !kOnWindows) {
    command.argv = {wineScript("gpu/directml/worker")};
  } else if (options.platform == Platform::Wine) {
    command.argv = {wineScript("gpu/wine/worker")};
  } else {
    command.argv = {(executableFolder() / "dmlcts-worker").string()};
    if (target == "directml") command.argv.insert(command.argv.end(), {"--target", "directml"});
  }
  if (target.starts_with(kMode)) {
    command.argv.insert(command.argv.end(), {"--mode-mutant", target.substr(kMode.size())});
  } else if (target != "d3d12" && target != "directml") {
    failUnknown(target);
  }
  if (target != "directml" && !options.directMl.empty()) {
    throw std::invalid_argument("--directml is for --target directml");
  }
  if (options.debugLayer) command.argv.emplace_back("--debug-layer");
  for (auto [option, value] : givenTo(options)) {
    const bool isFile = option == "--directml" && !byVersion;
    if (isFile) value = std::filesystem::absolute(pathOf(value)).string();
    command.argv.insert(command.argv.end(), {option, value});
  }
  return command;
}

// Calls `sent` after each frame except the first, the hello: an answer was sent.
class TellingSink final : public gpu::ByteSink {
 public:
  TellingSink(gpu::ByteSink& out, std::function<void()> sent) : out_(out), sent_(std::move(sent)) {}

  bool write(std::span<const uint8_t> bytes) override {
    const bool read = out_.write(bytes);
    if (std::exchange(greeted_, true)) sent_();
    return read;
  }

 private:
  gpu::ByteSink& out_;
  std::function<void()> sent_;
  bool greeted_ = false;
};

}  // namespace

std::string wineScript(const std::filesystem::path& script) {
  if (kOnWindows) throw std::invalid_argument("--platform wine is for other systems than Windows");
  std::filesystem::path folder = executableFolder();
  while (!std::filesystem::exists(folder / script)) {
    if (folder == folder.parent_path()) {
      throw std::invalid_argument("no folder above this program has " + script.string() +
                                  "; name it with --worker");
    }
    folder = folder.parent_path();
  }
  if (!std::filesystem::exists(folder / "build-windows/bin/dmlcts-worker.exe")) {
    throw std::invalid_argument("the Windows worker is not set up: run " +
                                (folder / "gpu/directml/setup").string());
  }
  return (folder / script).string();
}

std::vector<TargetInfo> knownTargets() {
  std::vector<TargetInfo> targets{
      {"d3d12", "our HLSL kernels on a Direct3D 12 device"},
      {"directml", kOnWindows ? "Microsoft's DirectML"
                              : "Microsoft's DirectML under Wine; first run gpu/directml/setup"},
      {"reference", "the oracle itself, which every target is compared with"},
  };
  for (const Mutant& mutant : mutants()) {
    targets.push_back({std::string(kMutant) + mutant.name, mutant.description});
  }
  for (const gpu::ModeMutant& mutant : gpu::kModeMutants) {
    if (!gpu::takes("d3d12", mutant.mode)) continue;  // hosted by the Windows worker only
    targets.push_back(
        {fmt::format("{}{}", kMode, mutant.name),
         fmt::format("mode {}: {}", gpu::modeInfo(mutant.mode).name, mutant.description)});
  }
  return targets;
}

std::string replayArguments(const TargetOptions& options, const std::string& mode,
                            std::chrono::milliseconds timeout, uint32_t repeat) {
  std::string text;
  const auto add = [&](std::string_view option, std::string_view value) {
    text += (text.empty() ? "" : " ") + std::string(option) + ' ' + shellWord(value);
  };
  const auto flag = [&](std::string_view option) { text += ' ' + std::string(option); };
  if (!options.worker.empty()) {
    add("--worker", options.worker);
  } else {
    add("--target", options.target);
    if (options.platform == Platform::Wine) add("--platform", "wine");
    for (const auto& [option, value] : givenTo(options)) add(option, value);
    if (options.debugLayer) flag("--debug-layer");
  }
  TargetOptions byDefault = options;
  byDefault.strict.reset();
  if (strictnessFor(options) != strictnessFor(byDefault)) {
    flag(strictnessFor(options) == Strictness::Strict ? "--strict" : "--no-strict");
  }
  if (options.inProcess) flag("--in-process");
  if (!mode.empty()) add("--mode", mode);
  const auto addTime = [&](std::string_view option, std::chrono::milliseconds time) {
    add(option, fmt::format("{:g}", std::chrono::duration<double>(time).count()));
  };
  if (timeout != LaneOptions().timeout && !options.inProcess) addTime("--timeout", timeout);
  if (options.startTimeout) addTime("--start-timeout", *options.startTimeout);
  if (repeat > 1) add("--repeat", std::to_string(repeat));
  return text;
}

Strictness strictnessFor(const TargetOptions& options) {
  const bool ours =
      options.worker.empty() && (options.target == "d3d12" || options.target == "reference");
  return options.strict.value_or(ours) ? Strictness::Strict : Strictness::Documents;
}

gpu::WorkerCommand workerCommand(const TargetOptions& options) {
  const gpu::WorkerCommand command = commandOfProcess(options);
  return options.inProcess ? inThisProcess(command) : command;
}

Printed printedBy(const gpu::WorkerCommand& command) {
  gpu::Process worker(command);
  worker.closeInput();
  std::string text;
  std::vector<uint8_t> piece(4096);
  const auto until = std::chrono::steady_clock::now() + kListPatience;
  for (bool ended = false;
       !ended && text.size() < kLongestList && std::chrono::steady_clock::now() < until;) {
    const auto moved = worker.transfer({}, piece, std::chrono::milliseconds(20));
    text.append(piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(moved.read));
    ended = moved.outputEnded;
  }
  const bool endless = text.size() >= kLongestList;
  gpu::Ending ending = worker.end(std::chrono::seconds(endless ? 0 : 1));
  if (endless) ending = {false, "it printed without end"};
  return {std::move(text), worker.takeStderr(), std::move(ending)};
}

std::string adapterLines(const TargetOptions& options) {
  if (options.worker.empty() && isOracle(options.target)) return {};
  gpu::WorkerCommand command = commandOfProcess(options);
  command.argv.emplace_back("--adapters");
  const Printed printed = printedBy(command);
  std::string text = printed.ending.clean ? printed.out : "";
  std::erase(text, '\r');
  // A worker that does not know the option prints its hello, or anything else.
  return text.starts_with("0: ") ? text : "";
}

int serveOracleTarget(const std::string& target, gpu::StandardStreams streams) {
  const Mutant* mutant =
      target.starts_with(kMutant) ? findMutant(target.substr(kMutant.size())) : nullptr;
  const auto make = [&]() -> std::unique_ptr<gpu::Target> {
    if (target == "reference") return makeOracleTarget(target);
    if (!mutant) throw std::invalid_argument("no target \"" + target + "\"");
    return makeOracleTarget(target, mutant->mutation);
  };
  if (!mutant || !mutant->mutation.onSent) return gpu::serve(make, *streams.in, *streams.out);
  TellingSink out(*streams.out, mutant->mutation.onSent);
  return gpu::serve(make, *streams.in, out);
}

}  // namespace dmlcts
