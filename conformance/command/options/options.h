#pragma once

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/command/targets/targets.h"
#include "conformance/run/lane/lane.h"

// Options that several commands share, and checks for every command's options.

namespace dmlcts {

// Adds an option with checks.
template <class Value, class... Checks>
CLI::Option* checked(CLI::App& command, const std::string& name, Value& value,
                     const std::string& description, const Checks&... checks) {
  CLI::Option* option = command.add_option(name, value, description);
  (option->check(checks), ...);
  return option;
}

// Adds an option with a default, which its help shows.
template <class Value, class... Checks>
CLI::Option* withDefault(CLI::App& command, const std::string& name, Value& value,
                         const std::string& description, const Checks&... checks) {
  return checked(command, name, value, description, checks...)->capture_default_str();
}

// Adds an option whose value its help calls `type`.
template <class Value, class... Checks>
CLI::Option* typed(CLI::App& command, const std::string& type, const std::string& name,
                   Value& value, const std::string& description, const Checks&... checks) {
  return checked(command, name, value, description, checks...)->type_name(type);
}

// "no "ful", only quick, full; did you mean "full"?"
std::string noSuchName(const std::string& text, const std::vector<std::string>& names);

// Adds an option that takes one of these names. Any other is refused with the list of them, and the
// one that is probably meant.
template <class Value>
CLI::Option* named(CLI::App& command, const std::string& option, Value& value,
                   const std::vector<std::pair<std::string, Value>>& names,
                   const std::string& description) {
  std::vector<std::string> all;
  std::string byDefault;
  for (const auto& [name, each] : names) {
    all.push_back(name);
    if (each == value) byDefault = name;
  }
  return command
      .add_option_function<std::string>(
          option,
          [&value, names, all, option](const std::string& text) {
            for (const auto& [name, each] : names) {
              if (name != text) continue;
              value = each;
              return;
            }
            throw CLI::ValidationError(option, noSuchName(text, all));
          },
          description)
      ->type_name(fmt::format("{}", fmt::join(all, "|")))
      ->default_str(byDefault);
}

// Adds the target's options. --worker excludes those that start a worker of ours.
void addTargetOptions(CLI::App& command, TargetOptions& options);

// Adds --in-process, which hosts the target in this process, for debuggers. To be called after the
// options for jobs and times, which it excludes.
void addInProcessOption(CLI::App& command, TargetOptions& options);

// Makes a --timeout that is not the default bound a worker's start and exit, too, unless
// --start-timeout does. With --in-process, removes the deadlines and warns on stderr.
void setDeadlines(const TargetOptions& options, LaneOptions& lane);

// The longest time a command accepts: 115 days.
inline constexpr int64_t kMostSeconds = 10'000'000;

// Parses seconds as a user writes them, "0.5" or "600", to the millisecond. Nothing if the text is
// no number, negative, longer than kMostSeconds, or would round to 0 without being 0.
std::optional<std::chrono::milliseconds> parseSeconds(const std::string& text);

// Checks an option that names a file to be read later, once a worker has been started.
std::string problemOfInput(const std::string& text);

// Adds an option for a file of case strings (run/replay/case_file.h).
CLI::Option* addCasesOption(CLI::App& command, std::string& file,
                            const std::string& name = "--cases");

enum class Zero { Refused, Taken };

// Adds an option for such a time; `value` holds the default. Every time that a command takes is
// one.
CLI::Option* addSecondsOption(CLI::App& command, const std::string& name,
                              std::chrono::milliseconds& value, const std::string& description,
                              Zero zero = Zero::Refused);

// Parses bytes: "4096", "64KiB", "3MiB" or "32GiB". Nothing if malformed or beyond 64 bits.
std::optional<uint64_t> parseBytes(std::string_view text);

// Adds --piece and --memory of LaneOptions. To be called after --repeat, which excludes --piece.
void addSizeOptions(CLI::App& command, LaneOptions& lane);

// Makes all numeric options of the application and its subcommands refuse signs, octal and
// overflowing whole numbers, "nan" and "inf". To be called once all are added.
void requirePlainNumbers(CLI::App& app);

}  // namespace dmlcts
