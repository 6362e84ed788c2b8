#include "reports/compare/findings_in_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/rules.h"
#include "reports/journal/input_error.h"
#include "reports/journal/input_file.h"
#include "reports/journal/json.h"
#include "reports/text/document.h"

namespace dmlcts {
namespace {

using Json = ReportDocument;

// The finding that a rule which is not kept, or a cause with that shortest case, belongs to.
const Deviation* findingOf(const Findings& findings, const std::string& rule,
                           const std::string& shortest) {
  const auto found = std::ranges::find_if(findings.all, [&](const Deviation& each) {
    if (each.part == Deviation::Part::Limit) return false;
    return rule.empty() ? each.failed.contains(shortest)
                        : std::ranges::find(each.rules, rule) != each.rules.end();
  });
  return found == findings.all.end() ? nullptr : &*found;
}

void requireUsable(const Json& configuration) {
  const std::string suite = configuration.at("suite");
  const std::string specification = configuration.at("specification");
  const std::string name = configuration.at("name");
  if (suite.ends_with("-dirty")) {
    throw InputError(name + ": its suite, " + suite + ", has uncommitted changes");
  }
  if (specification != kSpecificationEdition) {
    throw InputError(fmt::format("{}: its specification edition is {}, not {}", name, specification,
                                 kSpecificationEdition));
  }
}

FoundInMatrix findIn(const Findings& findings, const Json& matrix) {
  FoundInMatrix all;
  const std::string target = findings.runs.empty() ? "" : findings.runs.front().run.target;
  const Json& configurations = matrix.at("configurations");
  for (const Json& each : configurations) {
    if (each.at("target") == target) requireUsable(each);
  }
  for (const Json& each : matrix.at("findings")) {
    if (each.at("target") != target) continue;
    const std::string rule = each.at("rule");
    const std::string shortest = each.at("shortest");
    const Deviation* finding = findingOf(findings, rule, shortest);
    if (!finding) {
      throw InputError(fmt::format("it has {}, which the journals do not: give one that has it",
                                   rule.empty() ? "a failure of \"" + shortest + "\"" : rule));
    }
    const Json& cells = each.at("cells");
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].at("of") == 0) continue;
      all[finding->id].push_back({configurations.at(i).at("name"), cells[i].at("found")});
    }
  }
  return all;
}

}  // namespace

FoundInMatrix findInMatrix(const Findings& findings, const std::filesystem::path& file) {
  const auto matrix = parseJson<Json>(readInput(file), file.string());
  try {
    return findIn(findings, matrix);
  } catch (const Json::exception& error) {
    throw InputError(file.string() + ": " + error.what());
  } catch (const InputError& error) {
    throw InputError(file.string() + ": " + error.what());
  }
}

}  // namespace dmlcts
