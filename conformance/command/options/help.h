#pragma once

#include <CLI/CLI.hpp>
#include <string>

// Help texts and suggestions, made from the CLI11 application itself.

namespace dmlcts {

// Groups of options, as --help prints them.
inline constexpr const char* kWhichCases = "Which cases";
inline constexpr const char* kWhichTarget = "Which target";
inline constexpr const char* kHowItRuns = "How it runs";
inline constexpr const char* kOutput = "Output";

// Puts the options that a command gets while this lives into that group.
class OptionGroup {
 public:
  OptionGroup(CLI::App& command, const char* group)
      : command_(command), before_(command.option_defaults()->get_group()) {
    command_.option_defaults()->group(group);
  }
  ~OptionGroup() { command_.option_defaults()->group(before_); }
  OptionGroup(const OptionGroup&) = delete;
  OptionGroup& operator=(const OptionGroup&) = delete;

 private:
  CLI::App& command_;
  std::string before_;
};

// Gives the application and all subcommands that it gets afterwards CLI11's help, grouped.
void formatHelp(CLI::App& app);

// True for an option without a value.
bool isFlag(const CLI::Option& option);

// Explains the first word that the parsed command line has and no command takes; "" if there is
// none: "run has no option \"--teir\"; did you mean \"--tier\"?".
std::string unexpectedWord(const CLI::App& app);

// Adds `help`, which prints the help of another command.
void addHelpCommand(CLI::App& app);

}  // namespace dmlcts
