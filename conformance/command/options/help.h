#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// Help texts, suggestions and shell completion, all made from the CLI11 application itself.

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

// Formats the help of the application and of all subcommands that it gets afterwards: grouped, and
// wrapped to the width of the terminal. In a footer, lines that begin with a space stay as they
// are.
void formatHelp(CLI::App& app);

// Returns the values that an option takes, if it takes only a few: "smoke", "default", … A type
// name like "smoke|default" says so, and so does CLI::IsMember.
std::vector<std::string> choicesOf(const CLI::Option& option);

// True for an option without a value.
bool isFlag(const CLI::Option& option);

// Returns the options of a command with both dashes: "--tier", "-j".
std::vector<std::string> optionNames(const CLI::App& command);

// Explains the first word that the parsed command line has and no command takes; "" if there is
// none: "run has no option \"--teir\"; did you mean \"--tier\"?".
std::string unexpectedWord(const CLI::App& app);

// Returns a script that completes the application's command lines in bash or zsh.
std::string bashCompletion(const CLI::App& app);
std::string zshCompletion(const CLI::App& app);

// Adds `help`, `version` and `completion`, which print such texts.
void addHelpCommands(CLI::App& app, const std::string& version);

}  // namespace dmlcts
