#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "conformance/command/options/help.h"

// Completion scripts. Both shells run the same two tables: words that lead to a command, and what
// may follow there. What no table has is left to the shell, which completes names of files.

namespace dmlcts {
namespace {

struct Tables {
  std::vector<std::string> commands;  // quoted: 'dmlcts report diff'
  std::string values;                 // branches of `case`: the values of options
  std::string words;                  // branches of `case`: a command's options and subcommands
};

void addTo(Tables& tables, const CLI::App& app, const std::string& path) {
  std::vector<std::string> below, positional;
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_group().empty()) continue;
    below.push_back(each->get_name());
    tables.commands.push_back(fmt::format("'{} {}'", path, each->get_name()));
    addTo(tables, *each, path + " " + each->get_name());
  }
  for (const CLI::Option* each : app.get_options()) {
    const std::vector<std::string> choices = choicesOf(*each);
    if (each->get_positional()) {
      positional.insert(positional.end(), choices.begin(), choices.end());
      continue;
    }
    if (isFlag(*each) || each->get_group().empty()) continue;
    std::vector<std::string> names;
    for (const auto& name : each->get_lnames())
      names.push_back(fmt::format("'{} --{}'", path, name));
    for (const auto& name : each->get_snames())
      names.push_back(fmt::format("'{} -{}'", path, name));
    tables.values +=
        fmt::format("    {}) found='{}' ;;\n", fmt::join(names, " | "), fmt::join(choices, " "));
  }
  below.insert(below.end(), positional.begin(), positional.end());
  tables.words += fmt::format("    '{}') found='{}' options='{}' ;;\n", path, fmt::join(below, " "),
                              fmt::join(optionNames(app), " "));
}

// The body of the function: from the words behind the program's name, `line`, to what the last one
// may become, `found`. Bash has "=" as a word of its own.
std::string body(const CLI::App& app) {
  Tables tables;
  addTo(tables, app, app.get_name());
  return fmt::format(R"(  local at={} before= word= each= found= options=
  for each in "${{line[@]}}"; do
    [ "$each" != = ] || each=
    case "$at $word" in
    {}) at="$at $word" ;;
    esac
    [ -z "$word" ] || before=$word
    word=$each
  done
  case "$at $before" in
{}    *)
    case "$at" in
{}    esac
    [ "${{word#-}}" = "$word" ] || found=$options
    ;;
  esac
)",
                     app.get_name(), fmt::join(tables.commands, " | "), tables.values,
                     tables.words);
}

}  // namespace

std::string bashCompletion(const CLI::App& app) {
  return fmt::format(R"(# Completes {0} in bash; made by `{0} completion bash`.
_{0}() {{
  local -a line=("${{COMP_WORDS[@]:1:COMP_CWORD}}")
{1}  mapfile -t COMPREPLY < <(compgen -W "$found" -- "$word")
}}
complete -o default -F _{0} {0}
)",
                     app.get_name(), body(app));
}

std::string zshCompletion(const CLI::App& app) {
  return fmt::format(R"(#compdef {0}
# Completes {0} in zsh; made by `{0} completion zsh`.
_{0}() {{
  local -a line=("${{(@)words[2,CURRENT]}}")
{1}  if [[ -n $found ]]; then compadd -- ${{=found}}; else _files; fi
}}
if [ "$funcstack[1]" = _{0} ]; then _{0} "$@"; else compdef _{0} {0}; fi
)",
                     app.get_name(), body(app));
}

}  // namespace dmlcts
