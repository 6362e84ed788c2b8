#include "conformance/command/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "conformance/command/options/help.h"
#include "conformance/language/nearest.h"
#include "conformance/run/environment.h"
#include "gpu/wire/protocol.h"
#include "reports/journal/input_file.h"

namespace dmlcts {
namespace {

// Accepts decimal, or hexadecimal after 0x. CLI11 would also take signs and octal numbers, and
// would clamp numbers that are too large.
std::string problemOfUnsigned(const std::string& text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char* begin = text.data() + (hex ? 2 : 0);
  const char* end = text.data() + text.size();
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number, hex ? 16 : 10);
  const bool octal = !hex && text.size() > 1 && text.front() == '0';
  if (error == std::errc() && rest == end && !octal) return "";
  return fmt::format("\"{}\" is not a whole number from 0 to {}", text,
                     std::numeric_limits<uint64_t>::max());
}

std::optional<double> finite(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

// "; say 3600" for "1h".
std::string meantSeconds(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, uint32_t>, 4> kUnits{
      {{"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}}};
  const size_t unit = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto found =
      std::ranges::find(kUnits, text.substr(unit), [](const auto& each) { return each.first; });
  const auto number = finite(text.substr(0, unit));
  if (found == kUnits.end() || !number) return "";
  return fmt::format("; say {:g}", *number * found->second);
}

// Parses an option's time. Throws CLI::ValidationError.
std::chrono::milliseconds secondsOf(const std::string& option, const std::string& text, Zero zero) {
  const auto parsed = parseSeconds(text);
  if (parsed && (zero == Zero::Taken || parsed->count() > 0)) return *parsed;
  throw CLI::ValidationError(
      option, fmt::format("\"{}\" is not a number of seconds, {}0.001 to {}{}", text,
                          zero == Zero::Taken ? "0 or " : "", kMostSeconds, meantSeconds(text)));
}

std::string problemOfFloat(const std::string& text) {
  return finite(text) ? "" : fmt::format("\"{}\" is not a number", text);
}

std::string problemOfText(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return std::isspace(c) != 0; })
             ? "is empty"
             : "";
}

}  // namespace

std::string noSuchName(const std::string& text, const std::vector<std::string>& names) {
  return fmt::format("no \"{}\", only {}{}", text, fmt::join(names, ", "),
                     didYouMean(text, std::vector<std::string_view>(names.begin(), names.end())));
}

void addTargetOptions(CLI::App& command, TargetOptions& options) {
  const OptionGroup group(command, kWhichTarget);
  std::vector<CLI::Option*> ofOwnWorkers{
      command
          .add_option("--target", options.target,
                      "the implementation to test; `dmlcts targets` lists all")
          ->type_name("d3d12|directml|reference")
          ->capture_default_str(),
      named(command, "--platform", options.platform,
            {{"native", Platform::Native}, {"wine", Platform::Wine}},
            "wine: test the Windows worker on Wine's Direct3D 12, which gpu/directml/setup "
            "installs")
          ->default_str("native"),
      checked(command, "--adapter", options.adapter,
              "the adapter's index, part of its name, or its id (a LUID like 0xc3f1, or a "
              "UUID); `dmlcts targets` lists them",
              problemOfText),
      command.add_flag("--debug-layer", options.debugLayer,
                       "turn on Direct3D 12's debug layer; its messages go into the journal"),
      checked(command, "--shader-model", options.shaderModel,
              "shader model of our kernels; without it, the highest that the device has",
              CLI::IsMember({"5.1", "6.0"})),
      checked(command, "--directml", options.directMl,
              "the DirectML.dll to test: its path, or on Linux a version that "
              "gpu/directml/fetch knows, like 1.14.1",
              problemOfText)};
  auto* worker = typed(command, "COMMAND", "--worker", options.worker,
                       "test what this command line hosts; it speaks the worker protocol "
                       "and excludes --target and the options after it",
                       problemOfText);
  for (CLI::Option* option : ofOwnWorkers) worker->excludes(option);
  command
      .add_option_function<std::string>(
          "--start-timeout",
          [&options](const std::string& text) {
            options.startTimeout = secondsOf("--start-timeout", text, Zero::Refused);
          },
          "longest time for the worker to start, and to exit; without it, --timeout")
      ->type_name("SECONDS");
  command
      .add_option_function<std::vector<std::string>>(
          "--require",
          [&options](const std::vector<std::string>& texts) {
            options.required = RequiredTarget(texts);
          },
          "run nothing, and exit with status 3, unless the target's facts match, like "
          "'driver=*580*'; `dmlcts targets` prints the keys")
      ->type_name("KEY=VALUE...");
  // add_flag() with the optional itself would make CLI11 count it, and always set it.
  CLI::Option* strict = command.add_flag_callback(
      "--strict", [&options] { options.strict = true; },
      "count as a failure also what breaks a rule that DirectML's documentation only implies, or "
      "that is ours; the default for d3d12 and reference");
  command
      .add_flag_callback(
          "--no-strict", [&options] { options.strict = false; },
          "fail only for documented rules; the default for every other target")
      ->excludes(strict);
}

void addInProcessOption(CLI::App& command, TargetOptions& options) {
  auto* flag = command.add_flag("--in-process", options.inProcess,
                                "host the target in this process, for a debugger: one job, no "
                                "deadline, and a crash ends this program");
  for (const char* name : {"--worker", "--platform", "--timeout", "--start-timeout", "--jobs"}) {
    if (CLI::Option* other = command.get_option_no_throw(name)) flag->excludes(other);
  }
}

void setDeadlines(const TargetOptions& options, LaneOptions& lane) {
  if (options.startTimeout || lane.timeout != LaneOptions().timeout) {
    lane.startTimeout = lane.leaveTimeout = options.startTimeout.value_or(lane.timeout);
  }
  if (!options.inProcess) return;
  lane.startTimeout = lane.timeout = lane.leaveTimeout = std::chrono::seconds(kMostSeconds);
  fmt::print(stderr, "warning: {} runs in this process: if it crashes or hangs, so does this\n",
             options.target);
}

std::optional<std::chrono::milliseconds> parseSeconds(const std::string& text) {
  const auto seconds = finite(text);
  if (!seconds || *seconds < 0 || *seconds > kMostSeconds) return std::nullopt;
  const std::chrono::milliseconds rounded(std::llround(*seconds * 1000));
  if (*seconds > 0 && rounded.count() == 0) return std::nullopt;  // 0 means no limit, or nothing
  return rounded;
}

std::string problemOfInput(const std::string& text) {
  const std::string problem = whyNotInput(pathOf(text));
  return problem.empty() ? "" : text + ": " + problem;
}

CLI::Option* addCasesOption(CLI::App& command, std::string& file, const std::string& name) {
  return typed(command, "FILE|-", name, file,
               "file of case strings, one a line; - for standard input", problemOfText);
}

CLI::Option* addSecondsOption(CLI::App& command, const std::string& name,
                              std::chrono::milliseconds& value, const std::string& description,
                              Zero zero) {
  const auto take = [&value, name, zero](const std::string& text) {
    value = secondsOf(name, text, zero);
  };
  return command.add_option_function<std::string>(name, take, description)
      ->type_name("SECONDS")
      ->default_str(fmt::format("{:g}", std::chrono::duration<double>(value).count()));
}

std::optional<uint64_t> parseBytes(std::string_view text) {
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || rest == text.data()) return std::nullopt;
  const std::string_view unit(rest, static_cast<size_t>(text.data() + text.size() - rest));
  constexpr std::array<std::string_view, 4> kUnits{"", "KiB", "MiB", "GiB"};
  const auto found = std::ranges::find(kUnits, unit);
  if (found == kUnits.end()) return std::nullopt;
  const auto shift = static_cast<uint32_t>(10 * (found - kUnits.begin()));
  if (number > UINT64_MAX >> shift) return std::nullopt;
  return number << shift;
}

void addSizeOptions(CLI::App& command, LaneOptions& lane) {
  const auto bytesOf = [](const char* name, const std::string& text) {
    if (const auto bytes = parseBytes(text)) return *bytes;
    throw CLI::ValidationError(
        name, fmt::format("\"{}\" is not a number of bytes, like 4096, 64KiB or 32GiB", text));
  };
  CLI::Option* piece =
      command
          .add_option_function<std::string>(
              "--piece",
              [&lane, bytesOf](const std::string& text) {
                const uint64_t bytes = bytesOf("--piece", text);
                if (bytes == 0 || bytes % 16 != 0 || bytes > gpu::kMostTransfer) {
                  throw CLI::ValidationError(
                      "--piece", fmt::format("\"{}\" is not a multiple of 16 from 16 to {}", text,
                                             gpu::kMostTransfer));
                }
                lane.piece = bytes;
              },
              "send all buffers to the worker and back in pieces of this size; tensors above "
              "2 GiB always are")
          ->type_name("BYTES");
  if (CLI::Option* repeat = command.get_option_no_throw("--repeat")) piece->excludes(repeat);
  command
      .add_option_function<std::string>(
          "--memory",
          [&lane, bytesOf](const std::string& text) { lane.memory = bytesOf("--memory", text); },
          "skip cases whose tensors together need more memory than this")
      ->type_name("BYTES");
}

void requirePlainNumbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    // --last-failed is a flag that may have a value.
    if (isFlag(*option) && option->get_fnames().empty()) option->disable_flag_override();
    const std::string type = option->get_type_name();
    if (type.starts_with("UINT")) option->check(problemOfUnsigned);
    if (type.starts_with("FLOAT")) option->check(problemOfFloat);
  }
  for (CLI::App* command : app.get_subcommands({})) requirePlainNumbers(*command);
}

}  // namespace dmlcts
