#include "conformance/command/options/help.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

#include "conformance/facts/query.h"
#include "conformance/language/nearest.h"
#include "conformance/run/runner.h"

namespace dmlcts {
namespace {

std::vector<const CLI::App*> subcommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

// Names what an option takes, alike in all commands.
std::string typeOf(std::string_view option) {
  for (const std::string_view file : {"expectations", "json", "mutants", "out"}) {
    if (option == file) return "FILE";
  }
  for (const std::string_view folder : {"database", "report"}) {
    if (option == folder) return "FOLDER";
  }
  return "TEXT";
}

// CLI11's own lists the names of all checks and excluded options.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(28);
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (!option->get_option_text().empty()) return option->get_option_text();
    if (isFlag(*option) || option->get_positional()) return "";
    const std::string type = option->get_type_name();  // "UINT:INT in [1 - 256]", "TEXT:{5.1,6.0}"
    std::string shown = type.substr(0, type.find(':'));
    if (shown == "UINT" || shown == "INT") shown = "N";
    if (shown == "FLOAT") shown = "NUMBER";
    if (shown == "TEXT") shown = typeOf(option->get_lnames().front());
    if (const size_t list = type.find('{'); list != type.npos) shown = type.substr(list);
    if (const size_t range = type.find(" in ["); range != type.npos) shown += type.substr(range);
    const std::string& byDefault = option->get_default_str();
    return " " + shown + (byDefault.empty() ? "" : "=" + byDefault);
  }
};

// Returns the options of a command with both dashes: "--tier", "-j".
std::vector<std::string> optionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    if (each->get_group().empty()) continue;
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : each->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string_view> viewsOf(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> namesOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* each : commands) names.push_back(each->get_name());
  return names;
}

std::string noCommand(const std::string& word, const CLI::App& below) {
  constexpr std::array<std::string_view, 6> kFormats{"text", "json",  "markdown",
                                                     "html", "junit", "deqp"};
  if (below.get_name() == "report" && std::ranges::find(kFormats, word) != kFormats.end()) {
    return fmt::format("there is no command \"report {0}\": say report show --format {0}", word);
  }
  const std::vector<std::string> names = namesOf(subcommandsOf(below));
  const std::string meant = didYouMean(word, viewsOf(names));
  const std::string among =
      meant.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : meant;
  return fmt::format("there is no command \"{}\"{}", word, among);
}

// Returns the text of `help WORD…`.
std::string helpOf(const CLI::App& app, const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"queries"}) {
    return queryHelp();
  }
  const CLI::App* at = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    const auto below = subcommandsOf(*at);
    const auto found = std::ranges::find(below, word, &CLI::App::get_name);
    if (found == below.end()) {
      throw UsageError(noCommand(word, *at));
    }
    at = *found;
    path += " " + at->get_name();
  }
  // Not by at->help(), which prints the help of the chosen subcommand: this one.
  return at->get_formatter()->make_help(at, path, CLI::AppFormatMode::Normal);
}

}  // namespace

bool isFlag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

void formatHelp(CLI::App& app) { app.formatter(std::make_shared<HelpFormatter>()); }

std::string unexpectedWord(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string path;  // without the program's name
  for (bool deeper = true; deeper;) {
    if (at != &app) path += (path.empty() ? "" : " ") + at->get_name();
    for (const std::string& word : at->remaining()) {
      if (word.starts_with('-') && word != "--") {
        const std::string name = word.substr(0, word.find('='));
        const std::vector<std::string> names = optionNames(*at);
        constexpr std::array<std::string_view, 3> kOtherRunners{"-k", "--filter", "--gtest_filter"};
        if (at->get_option_no_throw("queries") &&
            std::ranges::find(kOtherRunners, name) != kOtherRunners.end()) {
          return fmt::format(
              "{} has no option \"{}\": queries choose cases, like gather_nd 'input=f16:*'; see "
              "{} help queries",
              path, name, app.get_name());
        }
        // Any letter is one edit away from any other.
        const std::string meant = name.size() == 2 ? "" : didYouMean(name, viewsOf(names));
        return fmt::format(
            "{} \"{}\"{}", path.empty() ? "there is no option" : path + " has no option", name,
            meant.empty() ? fmt::format("; {} help {} lists them", app.get_name(), path) : meant);
      }
      if (!subcommandsOf(*at).empty() && at->get_subcommands().empty()) return noCommand(word, *at);
      if (word == "help") return fmt::format("say: {} help {}", app.get_name(), path);
    }
    deeper = !at->get_subcommands().empty();
    if (deeper) at = at->get_subcommands().back();
  }
  return "";
}

void addHelpCommand(CLI::App& app) {
  auto* help = app.add_subcommand("help", "Print the help of a command, or explain queries");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("command", *words, "a command, like run or report diff, or the word queries");
  help->callback([words, &app] { fmt::print("{}", helpOf(app, *words)); });
}

}  // namespace dmlcts
