#include "reports/summary/mutants.h"

#include <cstdint>
#include <sstream>

#include "reports/journal/input_file.h"
#include "reports/journal/json.h"

namespace dmlcts {
namespace {

ReportDocument splitWords(const std::string& text) {
  auto words = ReportDocument::array();
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

ReportDocument mutantOf(const nlohmann::json& mutant) {
  const bool caught = mutant.at("caught");
  return {{"target", mutant.at("target").get<std::string>()},
          {"caught", caught},
          {"cases", mutant.at("cases").get<uint64_t>()},
          {"family", mutant.at("family").get<std::string>()},
          {"case", mutant.at("case").get<std::string>()},
          {"how", mutant.at("how").get<std::string>()},
          {"catches", mutant.value("catches", uint64_t{caught})},
          // Files of versions that stopped at the first catch lack it.
          {"onlyRules", splitWords(mutant.value("onlyRules", std::string()))}};
}

}  // namespace

ReportDocument readMutants(const std::string& path) {
  const nlohmann::json results = parseJson(readInput(path), path);
  try {
    const int version = results.at("version");
    if (version != 1) {
      throw InputError(path + ": version " + std::to_string(version) +
                       " of what `dmlcts selftest --json` writes is not known here");
    }
    if (const uint64_t unfinished = results.value("unfinished", uint64_t{0})) {
      throw InputError(path + ": of a self-test that ended early: " + std::to_string(unfinished) +
                       " mutants were not run");
    }
    return {{"tier", results.at("tier").get<std::string>()},
            {"mutants", arrayOf(results.at("mutants"), mutantOf)}};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(path + ": not what `dmlcts selftest --json` writes: " + problemOf(error));
  }
}

}  // namespace dmlcts
