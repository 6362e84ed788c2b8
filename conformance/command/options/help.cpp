#include "conformance/command/options/help.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "conformance/cases/facts/query.h"
#include "conformance/cases/language/nearest.h"
#include "conformance/run/environment.h"
#include "conformance/run/runner.h"

namespace dmlcts {
namespace {

constexpr size_t kColumn = 28;       // where descriptions begin
constexpr size_t kNarrowColumn = 6;  // the same on a terminal with fewer columns than kNarrow
constexpr size_t kNarrow = 72;
constexpr size_t kLongestTypes = 36;  // characters; longer lists of choices go to the description

// Breaks a text between words. The first line begins at column `at`, the others at `indent`.
std::string wrapped(std::string_view text, size_t at, size_t indent, size_t width) {
  std::istringstream words{std::string(text)};
  std::string lines;
  bool first = true;
  for (std::string word; words >> word; first = false) {
    if (!first && at + 1 + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      at = indent;
    } else if (!first) {
      lines += " ";
      ++at;
    }
    lines += word;
    at += word.size();
  }
  return lines + "\n";
}

// Wraps paragraphs; lines that begin with a space stay as they are.
std::string wrappedLines(const std::string& text, size_t indent, size_t width) {
  std::istringstream lines(text);
  std::string all, paragraph;
  const std::string margin(indent, ' ');
  const auto end = [&] {
    if (!paragraph.empty()) all += margin + wrapped(paragraph, indent, indent, width);
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.front() != ' ') {
      paragraph += line + " ";
      continue;
    }
    end();
    all += (line.empty() ? "" : margin + line) + "\n";
  }
  end();
  return all;
}

std::string entry(const std::string& name, const std::string& description, size_t indent,
                  size_t width) {
  std::string text = std::string(indent, ' ') + name;
  const size_t column = indent + (width < kNarrow ? kNarrowColumn : kColumn);
  if (description.empty()) return text + "\n";
  text += text.size() + 2 > column ? "\n" + std::string(column, ' ')
                                   : std::string(column - text.size(), ' ');
  return text + wrapped(description, column, column, width);
}

// Returns CLI11's name of the option's type without the names of its checks.
std::string typeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::string valueOf(const CLI::Option& option) {
  if (!option.get_option_text().empty()) return option.get_option_text();
  if (isFlag(option)) return "";
  const std::string choices = fmt::format("{}", fmt::join(choicesOf(option), "|"));
  if (!choices.empty()) return " " + (choices.size() > kLongestTypes ? "NAME" : choices);
  const std::string type = typeOf(option);
  if (type == "UINT" || type == "INT" || type == "ENUM") return " N";
  return " " + (type == "FLOAT" ? "NUMBER" : type);
}

// "1 to 256" of CLI::Range's "UINT:INT in [1 - 256]"
std::string rangeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t begin = type.find(" in ["), end = type.find(']');
  const size_t dash = type.find(" - ");
  if (begin == type.npos || end == type.npos || dash == type.npos) return "";
  return type.substr(begin + 5, dash - begin - 5) + " to " + type.substr(dash + 3, end - dash - 3);
}

std::string descriptionOf(const CLI::Option& option) {
  std::string text = option.get_description();
  const std::vector<std::string> choices = choicesOf(option);
  if (const std::string all = fmt::format("{}", fmt::join(choices, ", "));
      all.size() > kLongestTypes) {
    text += (text.empty() ? "one of " : ": ") + all;
  }
  std::vector<std::string> notes;
  if (const std::string range = rangeOf(option); !range.empty()) notes.push_back(range);
  const std::string byDefault = isFlag(option) ? "" : option.get_default_str();
  if (!byDefault.empty()) notes.push_back("default " + byDefault);
  return notes.empty() ? text : fmt::format("{} ({})", text, fmt::join(notes, "; "));
}

std::string nameOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& each : option.get_snames()) names.push_back("-" + each);
  for (const std::string& each : option.get_lnames()) names.push_back("--" + each);
  return fmt::format("{}{}", fmt::join(names, ", "), valueOf(option));
}

std::vector<const CLI::App*> subcommandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  // `name` is the command with its parents. With AppFormatMode::All, the subcommands' texts follow,
  // in the form that help2man takes.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const size_t width = terminalWidth();
    if (name.empty()) name = app->get_name();
    const bool all = mode == CLI::AppFormatMode::All;
    std::string text = wrapped(app->get_description(), 0, 0, width);
    text += "\n" + wrapped(usageOf(*app, name), 0, 7, width) + groupsOf(*app, "", width);
    if (all) text += allBelow(*app, name, width);
    if (!app->get_footer().empty()) text += "\n" + wrappedLines(app->get_footer(), 0, width);
    return text;
  }

 private:
  static std::string usageOf(const CLI::App& app, const std::string& name) {
    std::string usage = "Usage: " + name + " [OPTIONS]";
    for (const CLI::Option* each : app.get_options()) {
      if (!each->get_positional() || each->get_group().empty()) continue;
      const bool many = each->get_expected_max() >= CLI::detail::expected_max_vector_size;
      const std::string one = each->get_name(true, false) + (many ? "..." : "");
      usage += each->get_required() ? " " + one : " [" + one + "]";
    }
    if (subcommandsOf(app).empty()) return usage;
    return usage + (app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]");
  }

  // The lines of all options, below "Group:". Options without a group of their own come last.
  static std::string groupsOf(const CLI::App& app, const std::string& margin, size_t width) {
    std::string text;
    const size_t indent = margin.size() + 2;
    for (const CLI::Option* each : app.get_options()) {
      if (!each->get_positional() || each->get_group().empty()) continue;
      text += (text.empty() ? "\n" : "") +
              entry(each->get_name(true, false), descriptionOf(*each), indent, width);
    }
    std::vector<std::string> groups = app.get_groups();
    // Not std::ranges::stable_partition(), whose result clang 14 and 15 cannot compile.
    std::stable_partition(groups.begin(), groups.end(),
                          [](const auto& each) { return each != "Options"; });
    for (const std::string& group : groups) {
      std::string lines;
      for (const CLI::Option* each : app.get_options()) {
        if (group.empty() || each->get_group() != group || !each->nonpositional()) continue;
        lines += entry(nameOf(*each), descriptionOf(*each), indent, width);
      }
      if (!lines.empty()) text += "\n" + margin + group + ":\n" + lines;
    }
    std::string lines;
    for (const CLI::App* each : subcommandsOf(app)) {
      lines += entry(each->get_name(), each->get_description(), indent, width);
    }
    return text + (lines.empty() ? "" : "\n" + margin + "Commands:\n" + lines);
  }

  static std::string allBelow(const CLI::App& app, const std::string& name, size_t width) {
    std::string text;
    for (const CLI::App* each : subcommandsOf(app)) {
      const std::string path = name + " " + each->get_name();
      text += "\n" + path + ":\n  " + wrapped(each->get_description(), 2, 2, width);
      text += groupsOf(*each, "  ", width);
      if (!each->get_footer().empty()) text += "\n" + wrappedLines(each->get_footer(), 2, width);
      text += allBelow(*each, path, width);
    }
    return text;
  }
};

std::vector<std::string_view> viewsOf(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

std::vector<std::string> namesOf(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* each : commands) names.push_back(each->get_name());
  return names;
}

std::string noCommand(const std::string& word, const CLI::App& below) {
  const std::vector<std::string> names = namesOf(subcommandsOf(below));
  const std::string meant = didYouMean(word, viewsOf(names));
  const std::string among =
      meant.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : meant;
  return fmt::format("there is no command \"{}\"{}", word, among);
}

// Returns the text of `help WORD…`.
std::string helpOf(const CLI::App& app, const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"queries"}) {
    return wrappedLines(queryHelp(), 0, terminalWidth());
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

std::vector<std::string> choicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  std::string list = typeOf(option);
  if (const size_t begin = type.find(":{"); list.find('|') == list.npos && begin != type.npos) {
    list = type.substr(begin + 2, type.find('}') - begin - 2);
    std::ranges::replace(list, ',', '|');
  } else if (list.find('|') == list.npos) {
    return {};
  }
  std::vector<std::string> choices;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, '|');) choices.push_back(word);
  return choices;
}

std::vector<std::string> optionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    if (each->get_group().empty()) continue;
    for (const std::string& name : each->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : each->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string unexpectedWord(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string path;  // without the program's name
  for (bool deeper = true; deeper;) {
    if (at != &app) path += (path.empty() ? "" : " ") + at->get_name();
    for (const std::string& word : at->remaining()) {
      if (word.starts_with('-') && word != "--") {
        const std::string name = word.substr(0, word.find('='));
        const std::vector<std::string> names = optionNames(*at);
        const std::string meant = didYouMean(name, viewsOf(names));
        return fmt::format(
            "{} \"{}\"{}", path.empty() ? "there is no option" : path + " has no option", name,
            meant.empty() ? fmt::format("; {} help {} lists them", app.get_name(), path) : meant);
      }
      if (!subcommandsOf(*at).empty() && at->get_subcommands().empty()) return noCommand(word, *at);
    }
    deeper = !at->get_subcommands().empty();
    if (deeper) at = at->get_subcommands().back();
  }
  return "";
}

void addHelpCommands(CLI::App& app, const std::string& version) {
  auto* help = app.add_subcommand("help", "Print the help of a command, or explain queries");
  auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("command", *words, "a command, like run or report diff, or the word queries");
  help->callback([words, &app] { fmt::print("{}", helpOf(app, *words)); });
  app.add_subcommand("version", "Print the version")->callback([version] {
    fmt::print("{}\n", version);
  });
  auto* completion =
      app.add_subcommand("completion", "Print a script that completes command lines in a shell");
  auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "the shell: bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  completion->footer("Example:\n  source <(dmlcts completion bash)");
  completion->callback([shell, &app] {
    fmt::print("{}", *shell == "bash" ? bashCompletion(app) : zshCompletion(app));
  });
}

}  // namespace dmlcts
