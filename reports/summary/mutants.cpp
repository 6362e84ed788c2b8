#include "reports/summary/mutants.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/journal/input_error.h"

namespace dmlcts {
namespace {

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

}  // namespace

MutantResults readMutants(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be read");
  try {
    const auto json = nlohmann::json::parse(file);
    const int version = json.at("version");
    if (version != 1) {
      throw InputError(path + ": version " + std::to_string(version) +
                       " of a selftest's results is not known here");
    }
    MutantResults results;
    results.tier = json.at("tier");
    for (const auto& each : json.at("mutants")) {
      MutantCatch mutant;
      mutant.target = each.at("target");
      mutant.caught = each.at("caught");
      mutant.cases = each.at("cases");
      mutant.family = each.at("family");
      mutant.caseString = each.at("case");
      mutant.how = each.at("how");
      mutant.catches = each.value("catches", mutant.caught ? uint64_t{1} : uint64_t{0});
      // Files of a version that stopped at the first catch do not say.
      mutant.onlyRules = splitWords(each.value("onlyRules", std::string()));
      results.mutants.push_back(std::move(mutant));
    }
    return results;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": not what `dmlcts selftest --json` writes: " + error.what());
  }
}

}  // namespace dmlcts
