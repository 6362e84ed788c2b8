#include "conformance/command/commands.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "conformance/cases/facts/query.h"
#include "conformance/cases/language/case_string.h"
#include "conformance/cases/tiers/tiers.h"
#include "conformance/command/options/options.h"
#include "conformance/command/options/run_arguments.h"
#include "conformance/run/environment.h"
#include "reports/journal/folder.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uint64_t kVersion = 1;

// Options of `dmlcts run`, by their long names and with the same values.
constexpr std::array<std::string_view, 17> kOptions{
    "target",      "platform", "adapter", "shader-model", "directml", "worker",
    "debug-layer", "strict",   "mode",    "tier",         "level",    "seed",
    "timeout",     "jobs",     "memory",  "expectations", "cases",
};
// Options that change how a configuration runs, but not the cases or the target.
constexpr std::array<std::string_view, 1> kOfTheRunAlone{"jobs"};
// The matrix's own files, which lie beside the folders of the configurations.
constexpr std::array<std::string_view, 4> kFiles{"index.html", "matrix.json", "matrix.lock",
                                                 "summary.md"};

std::string nameOf(const JsonEntry& entry) {
  const std::string name = entry.text("name");
  if (const std::string problem = whyNotName(name); !problem.empty()) {
    entry.fail("needs a \"name\"; it " + problem);
  }
  if (std::ranges::find(kFiles, name) != kFiles.end()) {
    entry.fail("\"name\" is \"" + name + "\", which the matrix's own file has");
  }
  return name;
}

std::vector<std::string> textsOf(const JsonEntry& entry, const std::string& member) {
  const Json& value = entry.value(member);
  const bool list =
      value.is_array() && std::ranges::all_of(value, [](const Json& e) { return e.is_string(); });
  if (!list) entry.fail("\"" + member + "\" is not a list of texts");
  return value.get<std::vector<std::string>>();
}

void addOption(const JsonEntry& entry, const std::string& option, const fs::path& home,
               std::vector<std::string>& words) {
  const Json& value = entry.value(option);
  if (option == "strict" || option == "debug-layer") {
    if (!value.is_boolean()) entry.fail("\"" + option + "\" is not true or false");
    if (value.get<bool>()) words.push_back("--" + option);
    if (!value.get<bool>() && option == "strict") words.emplace_back("--no-strict");
    return;
  }
  if (value.is_array()) {
    for (const std::string& each : textsOf(entry, option)) {
      words.push_back("--" + option + "=" + each);
    }
    return;
  }
  if (!value.is_string() && !value.is_number()) {
    entry.fail("\"" + option + "\" is neither a text nor a number");
  }
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (option == "expectations" || option == "cases") text = (home / pathOf(text)).string();
  words.push_back("--" + option + "=" + text);
}

// Fails with the error that `dmlcts run` would report for these words.
void requireTaken(const JsonEntry& entry, const std::vector<std::string>& words) {
  CLI::App run;
  RunArguments arguments;
  addRunArguments(run, arguments);
  requirePlainNumbers(run);
  try {
    run.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    const ScheduleOptions& schedule = arguments.options.schedule;
    if (!parseTier(schedule.tier)) {
      entry.fail("\"tier\" is \"" + schedule.tier + "\", not smoke, default, large or huge");
    }
    ScheduleOptions chosen = schedule;
    chosen.queries = queriesOf(arguments.queries);
    if (!arguments.mode.empty()) chosen.mode = ExecutionMode(arguments.mode);
    readGiven(arguments.cases, chosen);
    if (!chosen.queries.empty() || chosen.level) makeSchedule(chosen);  // each must match a case
  } catch (const CLI::ParseError& error) {
    entry.fail(error.what());
  } catch (const SyntaxError& error) {
    entry.fail(error.what());
  } catch (const std::invalid_argument& error) {
    entry.fail(error.what());
  }
}

DescribedConfiguration readConfiguration(const JsonEntry& entry, const fs::path& home) {
  DescribedConfiguration configuration;
  configuration.name = nameOf(entry);
  if (entry.has("journal")) {
    entry.allowOnly({"name", "journal"});
    const std::string journal = entry.text("journal");
    if (journal.empty()) entry.fail("\"journal\" is empty");
    configuration.journal = home / pathOf(journal);
    return configuration;
  }
  std::vector<std::string> allowed{"name", "queries", "environment", "require"};
  allowed.insert(allowed.end(), kOptions.begin(), kOptions.end());
  entry.allowOnly(allowed);
  if (entry.has("queries")) {
    for (std::string& query : textsOf(entry, "queries")) {
      if (!configuration.words.empty()) configuration.words.emplace_back("or");
      configuration.words.push_back(std::move(query));
    }
  }
  for (std::string_view option : kOptions) {
    const std::string name(option);
    if (entry.has(name)) addOption(entry, name, home, configuration.words);
  }
  if (entry.has("require")) {
    const std::vector<std::string> required = textsOf(entry, "require");
    configuration.words.emplace_back("--require");
    configuration.words.insert(configuration.words.end(), required.begin(), required.end());
  }
  if (entry.has("environment")) {
    const JsonEntry variables = entry.member("environment");
    for (const std::string& name : variables.names()) {
      if (name.empty() || name.find('=') != std::string::npos) {
        variables.fail("\"" + name + "\" is no name of a variable");
      }
      configuration.environment[name] = variables.text(name.c_str());
    }
  }
  requireTaken(entry, configuration.words);
  Json text = Json::object();
  for (const std::string& name : entry.names()) {
    if (name != "name" && std::ranges::find(kOfTheRunAlone, name) == kOfTheRunAlone.end()) {
      text[name] = entry.value(name);
    }
  }
  configuration.text = text.dump(1) + "\n";
  return configuration;
}

}  // namespace

std::vector<DescribedConfiguration> readMatrixDescription(const fs::path& file) {
  const Json document = parseJson(readInput(file), file.string());
  const JsonEntry root(document, file.string());
  if (root.number("matrix") != kVersion) {
    root.fail("needs \"matrix\": 1, the version of descriptions that this dmlcts knows");
  }
  root.allowOnly({"matrix", "configurations"});
  if (!root.has("configurations") || !root.value("configurations").is_array() ||
      root.value("configurations").empty()) {
    root.fail("needs a list \"configurations\"");
  }
  std::vector<DescribedConfiguration> configurations;
  std::set<std::string> names;  // lower case, since some file systems ignore case
  for (const Json& value : root.value("configurations")) {
    const JsonEntry entry(
        value, fmt::format("{}: configurations[{}]", file.string(), configurations.size()));
    configurations.push_back(readConfiguration(entry, file.parent_path()));
    std::string name = configurations.back().name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (!names.insert(name).second) {
      entry.fail("the name \"" + configurations.back().name + "\" is given twice");
    }
  }
  return configurations;
}

}  // namespace dmlcts
